// The examples of the semantics page, by section.
#pragma once

#include <vector>

namespace attr::oracle {

struct Example {
  const char* name;  // section and example
  const char* text;
};
const std::vector<Example>& ExamplesOfCertainty();
const std::vector<Example>& ExamplesOfOrder();
const std::vector<Example>& ExamplesOfValues();

}  // namespace attr::oracle
