// The loop over a file's items. Each gets a parser of its own over the shared
// tokens, so that memory follows the largest item, not the file, and an error
// in one leaves the others alone.
#include "compiler/syntax/parse.h"

#include <fmt/format.h>

#include "compiler/syntax/builder.h"
#include "compiler/syntax/doc_comments.h"
#include "compiler/syntax/errors.h"
#include "compiler/syntax/expected.h"
#include "compiler/syntax/limits.h"

namespace attr::syntax {
namespace {

using diagnostics::Code;
using diagnostics::Sink;

// One ANTLR parser over tokens[first …].
class ItemParser {
 public:
  ItemParser(const Input& input, const std::vector<Token>& tokens, size_t first, const ParseLimits& limits, Sink& sink)
      : feed_(tokens, first, limits), stream_(&feed_), parser_(&stream_), first_(first) {
    parser_.removeErrorListeners();
    parser_.setErrorHandler(std::make_shared<ErrorStrategy>(input, tokens, first, sink));
    parser_.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(antlr4::atn::PredictionMode::SLL);
  }
  AttrParser& operator*() { return parser_; }
  AttrParser* operator->() { return &parser_; }
  size_t next() { return first_ + stream_.index(); }

 private:
  TokenFeed feed_;
  antlr4::CommonTokenStream stream_;
  AttrParser parser_;
  size_t first_;
};

class FileParser {
 public:
  FileParser(const Input& input, Sink& sink, const ParseLimits& limits)
      : input_(input), sink_(sink), limits_(limits), tokens_(Lex(input.text)), docs_(input, tokens_.docs) {}

  void Run(File& file) {
    const size_t end = tokens_.all.size() - 1;
    const size_t before = sink_.error_count();
    bool broken = false;  // the item before had an error
    while (at_ < end) {
      if (sink_.error_count() - before >= limits_.errors_per_file) {
        sink_.Add(
            Code::kTooManyErrors, input_.SpanOf(tokens_.all[at_]),
            fmt::format("more than {} errors in this file: the rest of it is not checked", limits_.errors_per_file),
            "checked up to here");
        return;
      }
      if (!StartsItem(tokens_.all[at_].type)) {
        if (!broken || tokens_.all[at_].type == AttrParser::K_RESERVED) ReportNoItem(input_, tokens_.all, at_, sink_);
        broken = true;
        at_ = NextItem(at_, at_ + 1);
        continue;
      }
      std::string doc = docs_.Take(at_, broken, sink_);
      broken = !ParseItem(std::move(doc), file);
    }
    docs_.Finish(tokens_.all.size(), broken, sink_);
  }

 private:
  // Moves at_ behind the item, or to where the next one may begin.
  bool ParseItem(std::string doc, File& file) {
    const size_t begin = at_;
    try {
      ItemParser parser(input_, tokens_.all, begin, limits_, sink_);
      AttrParser::ItemContext* context = parser->item();
      at_ = parser.next();
      TreeBuilder builder(input_, limits_, sink_);
      if (auto item = builder.Item(context)) {
        item->doc = std::move(doc);
        file.items.push_back(std::move(*item));
      }
      return true;  // an error of the builder leaves the item's end known
    } catch (const SyntaxFailed& failed) {
      at_ = NextItem(begin, failed.token);
    } catch (const LimitReached& reached) {
      Report(reached, input_, tokens_.all, limits_, sink_);
      at_ = NextItem(begin, reached.token);
    } catch (const std::exception& error) {  // ANTLR's own, or memory
      sink_.Add(Code::kSyntax, input_.SpanOf(tokens_.all[begin]),
                fmt::format("declaration cannot be parsed: {}", error.what()));
      at_ = NextItem(begin, begin);
    }
    return false;
  }

  // From `from` on, but behind `begin`: the first keyword of an item that begins a line outside all braces opened since
  // `begin`, or that begins its line at the very left, as items do, when a brace was forgotten.
  size_t NextItem(size_t begin, size_t from) const {
    const auto& all = tokens_.all;
    size_t depth = 0;
    for (size_t i = begin; i + 1 < all.size(); ++i) {
      const bool starts = StartsItem(all[i].type) || all[i].type == AttrParser::K_RESERVED;
      if (i >= from && i > begin && starts) {
        const size_t indent = Indent(all[i].begin);
        if (indent == 0 ||
            (depth == 0 && (indent != std::string_view::npos || all[i - 1].type == AttrParser::RBRACE))) {
          return i;
        }
      }
      if (all[i].type == AttrParser::LBRACE) ++depth;
      if (all[i].type == AttrParser::RBRACE && depth > 0) --depth;
      if (all[i].type == AttrParser::BAD) CountBraces(input_.TextOf(all[i]), &depth);
    }
    return all.size() - 1;
  }

  // A string that is not closed took the rest of its line, the brace of `cause c "title {` too.
  static void CountBraces(std::string_view text, size_t* depth) {
    for (const char c : text) {
      if (c == '{') ++*depth;
      if (c == '}' && *depth > 0) --*depth;
    }
  }

  // Blanks before `offset` on its line; npos when something else stands there.
  size_t Indent(uint32_t offset) const {
    size_t count = 0;
    while (offset > 0 && input_.text[offset - 1] != '\n') {
      const char c = input_.text[--offset];
      if (c != ' ' && c != '\t') return std::string_view::npos;
      ++count;
    }
    return count;
  }

  const Input& input_;
  Sink& sink_;
  const ParseLimits& limits_;
  Tokens tokens_;
  DocComments docs_;
  size_t at_ = 0;
};

}  // namespace

File Parse(const diagnostics::SourceMap& sources, uint32_t file, Sink& sink, const ParseLimits& limits) {
  File parsed;
  parsed.source = file;
  const Input input{sources.file(file).text(), file, 0};
  if (!CheckText(input, limits, sink)) return parsed;
  FileParser(input, sink, limits).Run(parsed);
  return parsed;
}

ExprPtr ParseExpression(std::string_view text, Span span, Sink& sink, const ParseLimits& limits) {
  const Input input{text, span.file, span.begin};
  if (!CheckText(input, limits, sink)) return nullptr;
  const Tokens tokens = Lex(text);
  try {
    ItemParser parser(input, tokens.all, 0, limits, sink);
    AttrParser::ExprContext* context = parser->expr();
    const size_t next = parser.next();
    if (next + 1 < tokens.all.size()) {
      sink.Add(Code::kSyntax, input.SpanOf(tokens.all[next]),
               fmt::format("expected the end of the expression, found {}", DescribeToken(input, tokens.all[next])));
      return nullptr;
    }
    return TreeBuilder(input, limits, sink).Expression(context);
  } catch (const SyntaxFailed&) {
    return nullptr;
  } catch (const LimitReached& reached) {
    Report(reached, input, tokens.all, limits, sink);
    return nullptr;
  } catch (const std::exception& error) {
    sink.Add(Code::kSyntax, span, fmt::format("expression cannot be parsed: {}", error.what()));
    return nullptr;
  }
}

}  // namespace attr::syntax
