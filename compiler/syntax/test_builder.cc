// `test` blocks: the attempt, its coverage, observations and expectations.
#include "compiler/syntax/builder.h"

namespace attr::syntax {

TestDecl TreeBuilder::MakeTest(P::TestDeclContext* context) {
  TestDecl test;
  auto texts = context->string();
  test.name = MakeText(texts[0]);
  if (texts.size() > 1) test.from = MakeText(texts[1]);
  test.from_folder = context->K_FOLDER() != nullptr;
  if (context->coverage() != nullptr) test.dropping = MakeCover(context->coverage());
  bool attempt = false;
  for (auto* item : context->testItem()) {
    if (item->K_ATTEMPT() != nullptr) {
      if (attempt) Duplicate(SpanOf(item), "attempt");
      attempt = true;
      for (auto* part : item->attemptItem()) test.attempt.push_back(MakeAttemptItem(part));
    } else if (item->coverage() != nullptr) {
      test.covers.push_back(MakeCover(item->coverage()));
    } else if (item->expectation() != nullptr) {
      test.expectations.push_back(MakeExpectation(item->expectation()));
    } else {
      test.observations.push_back(MakeObservation(item->observation()));
    }
  }
  return test;
}

AttemptItem TreeBuilder::MakeAttemptItem(P::AttemptItemContext* context) {
  AttemptItem item;
  item.span = SpanOf(context);
  if (context->IDENT() != nullptr) {
    item.label = true;
    item.key = MakeName(context->IDENT());
    item.values.emplace_back(MakeText(context->string()));
    item.on = MakeNodes(context->nodes());
    return item;
  }
  item.key = MakeName(context->name());
  for (auto* value : context->attemptValue()) {
    if (value->IDENT() != nullptr) {
      item.values.emplace_back(MakeName(value->IDENT()));
    } else if (value->string() != nullptr) {
      item.values.emplace_back(MakeText(value->string()));
    } else if (value->moment() != nullptr) {
      item.values.emplace_back(MakeMoment(value->moment()));
    } else {
      item.values.emplace_back(Integer(value->INT()));
    }
  }
  return item;
}

Text TreeBuilder::MakeNode(P::NodeContext* context) {
  if (context->string() != nullptr) return MakeText(context->string());
  return {std::string(TextOf(context)), SpanOf(context)};
}

std::vector<Text> TreeBuilder::MakeNodes(P::NodesContext* context) {
  std::vector<Text> nodes;
  if (context == nullptr) return nodes;
  for (auto* node : context->node()) nodes.push_back(MakeNode(node));
  return nodes;
}

CoverClause TreeBuilder::MakeCover(P::CoverageContext* context) {
  CoverClause cover;
  cover.span = SpanOf(context);
  cover.sources = MakeNames(context->idents());
  cover.on = MakeNodes(context->nodes());
  auto moments = context->moment();
  if (moments.size() == 2) {
    cover.from = MakeMoment(moments[0]);
    cover.to = MakeMoment(moments[1]);
  }
  if (context->IDENT() != nullptr) cover.status = MakeName(context->IDENT());
  return cover;
}

TestObservation TreeBuilder::MakeObservation(P::ObservationContext* context) {
  TestObservation observation;
  observation.span = SpanOf(context);
  observation.source = MakeName(context->IDENT());
  if (context->node() != nullptr) observation.node = MakeNode(context->node());
  if (context->moment() != nullptr) observation.time = MakeMoment(context->moment());
  for (auto* attribute : context->observationAttr()) {
    auto* number = dynamic_cast<Terminal*>(attribute->children.back());
    observation.attributes.emplace_back(MakeName(attribute->IDENT()),
                                        NumberLiteral(attribute, number, SpanOf(number), false));
  }
  observation.text = MaybeText(context->string());
  if (auto* record = context->record()) {
    auto names = record->name();
    auto values = record->signedLiteral();
    for (size_t i = 0; i < names.size(); ++i) {
      observation.record.emplace_back(MakeName(names[i]), MakeLiteral(values[i]));
    }
  }
  return observation;
}

Expectation TreeBuilder::MakeExpectation(P::ExpectationContext* context) {
  using Kind = Expectation::Kind;
  Expectation expectation;
  expectation.span = SpanOf(context);
  expectation.negated = context->K_NOT() != nullptr;
  expectation.paths = MakePaths(context->path());
  if (context->K_CERTAINTY() != nullptr) expectation.certainty = MakeName(context->K_CERTAINTY());
  expectation.on = MakeNodes(context->nodes());
  if (context->K_ATTRIBUTED() != nullptr) {
    expectation.kind = Kind::kAttributed;
  } else if (context->K_AMBIGUOUS() != nullptr) {
    expectation.kind = Kind::kAmbiguous;
  } else if (context->K_UNATTRIBUTED() != nullptr) {
    expectation.kind = Kind::kUnattributed;
  } else if (context->K_NO_FAILURE() != nullptr) {
    expectation.kind = Kind::kNoFailure;
  } else if (context->K_STATE() != nullptr) {
    expectation.kind = Kind::kState;
    expectation.paths.push_back(MakeName(context->IDENT()));
  } else if (context->K_CANDIDATES() != nullptr) {
    expectation.kind = Kind::kCandidates;
  } else if (context->K_CAUSE() != nullptr) {
    expectation.kind = Kind::kCause;
    expectation.rules.push_back(MakeQName(context->qname()));
  } else if (context->K_DEMOTED() != nullptr) {
    expectation.kind = Kind::kDemoted;
    for (auto* rule : context->qnames()->qname()) expectation.rules.push_back(MakeQName(rule));
    if (context->qname() != nullptr) expectation.by = MakeQName(context->qname());
  } else {
    expectation.kind = Kind::kWouldChange;
    expectation.rules.push_back(MakeQName(context->qname()));
    if (context->idents() != nullptr) expectation.needs = MakeNames(context->idents());
  }
  return expectation;
}

}  // namespace attr::syntax
