// Expressions. A left-recursive rule gives a left-deep tree: its spine is walked
// by loop, so that only brackets, prefixes and precedence recurse, and those are
// capped (limits.h).
#include <fmt/format.h>

#include "compiler/syntax/builder.h"

namespace attr::syntax {
namespace {

using P = AttrParser;
using diagnostics::Code;

// The left operand when `context` is an infix form, else null.
P::ExprContext* LeftOf(P::ExprContext* context) {
  if (context->children.size() < 2) return nullptr;
  return dynamic_cast<P::ExprContext*>(context->children.front());
}

antlr4::tree::TerminalNode* SignOf(P::ExprContext* context) {
  return dynamic_cast<antlr4::tree::TerminalNode*>(context->children[1]);
}

std::optional<BinaryOp> OperatorOf(size_t type) {
  switch (type) {
    case P::STAR:
      return BinaryOp::kMul;
    case P::SLASH:
      return BinaryOp::kDiv;
    case P::PERCENT:
      return BinaryOp::kMod;
    case P::PLUS:
      return BinaryOp::kAdd;
    case P::MINUS:
      return BinaryOp::kSub;
    case P::SHL:
      return BinaryOp::kShl;
    case P::SHR:
      return BinaryOp::kShr;
    case P::AMP:
      return BinaryOp::kBitAnd;
    case P::CARET:
      return BinaryOp::kBitXor;
    case P::PIPE:
      return BinaryOp::kBitOr;
    case P::EQ:
      return BinaryOp::kEq;
    case P::NE:
      return BinaryOp::kNe;
    case P::LT:
      return BinaryOp::kLt;
    case P::LE:
      return BinaryOp::kLe;
    case P::GT:
      return BinaryOp::kGt;
    case P::GE:
      return BinaryOp::kGe;
    case P::K_AND:
      return BinaryOp::kAnd;
    case P::K_OR:
      return BinaryOp::kOr;
    default:
      return std::nullopt;
  }
}

bool IsComparison(BinaryOp op) { return op >= BinaryOp::kEq && op <= BinaryOp::kGe; }

template <class Node>
ExprPtr MakeExpr(Node node, Span span) {
  auto expr = std::make_unique<Expr>();
  expr->node = std::move(node);
  expr->span = span;
  return expr;
}

Span Join(Span a, Span b) { return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)}; }

}  // namespace

void TreeBuilder::CountOperator(Span span) {
  if (++operators_ == limits_.operators + 1) {
    Fail(Code::kTooManyOperators, span, fmt::format("expression has more than {} operators", limits_.operators),
         "one too many");
  }
}

ExprPtr TreeBuilder::Expression(P::ExprContext* context) {
  operators_ = 0;
  ExprPtr expr = Build(context);
  return failed_ ? nullptr : std::move(expr);
}

ExprPtr TreeBuilder::Build(P::ExprContext* context) {
  std::vector<P::ExprContext*> spine;
  while (P::ExprContext* left = LeftOf(context)) {
    spine.push_back(context);
    context = left;
  }
  ExprPtr expr = BuildPrimary(context);
  size_t height = height_ + 1;
  // Whoever walks the tree, its destructor first, recurses as deep as it is high.
  const size_t highest = 4 * limits_.nesting;
  P::ExprContext* below = context;
  for (auto it = spine.rbegin(); it != spine.rend() && height <= highest; ++it) {
    height_ = 0;  // of the right operand; none for `~` and `in`
    const auto* chain = std::get_if<ChainExpr>(&expr->node);
    const size_t operands = chain == nullptr ? 0 : chain->operands.size();
    const Expr* left = expr.get();
    expr = Combine(std::move(expr), *it, below);
    const bool joined = expr.get() == left && operands > 0;  // one more operand of the same chain
    height = joined ? std::max(height, height_ + 1) : std::max(height, height_) + 1;
    below = *it;
  }
  height_ = height;
  if (height > highest && !failed_) {
    Fail(Code::kNestingTooDeep, expr->span, fmt::format("expression is nested deeper than {} levels", highest), "",
         "only `and` and `or` may be chained at will; name a part of the expression as a field");
  }
  return expr;
}

ExprPtr TreeBuilder::BuildBelow(P::ExprContext* context, size_t& height) {
  ExprPtr expr = Build(context);
  height = std::max(height, height_);
  return expr;
}

ExprPtr TreeBuilder::Combine(ExprPtr left, P::ExprContext* context, P::ExprContext* below) {
  CountOperator(SpanOf(SignOf(context)));
  const Span span = Join(left->span, SpanOf(context));
  if (auto* match = dynamic_cast<P::MatchesContext*>(context)) {
    return MakeExpr(MatchExpr{std::move(left), match->K_NOT() != nullptr, MakeRegex(match->regex())}, span);
  }
  if (auto* in = dynamic_cast<P::MembershipContext*>(context)) {
    InExpr node = MakeMembership(in);
    node.operand = std::move(left);
    return MakeExpr(std::move(node), span);
  }
  Terminal* sign = SignOf(context);
  const BinaryOp op = *OperatorOf(sign->getSymbol()->getType());
  auto* right = dynamic_cast<P::ExprContext*>(context->children[2]);
  auto op_of_below = [&]() -> std::optional<BinaryOp> {
    if (LeftOf(below) == nullptr) return std::nullopt;
    return OperatorOf(SignOf(below)->getSymbol()->getType());
  };
  if (op == BinaryOp::kAnd || op == BinaryOp::kOr) return CombineChain(std::move(left), op, right, op_of_below() == op);
  if (IsComparison(op) && op_of_below() && IsComparison(*op_of_below())) {
    Fail(Code::kChainedComparison, SpanOf(sign), "comparisons do not chain", "a second comparison of the same operand");
  }
  return CombineBinary(std::move(left), op, sign, right);
}

ExprPtr TreeBuilder::CombineChain(ExprPtr left, BinaryOp op, P::ExprContext* right, bool continues) {
  ExprPtr operand = Build(right);
  if (continues) {
    left->span = Join(left->span, operand->span);
    std::get<ChainExpr>(left->node).operands.push_back(std::move(operand));
    return left;
  }
  const Span span = Join(left->span, operand->span);
  ChainExpr chain{op, {}};
  chain.operands.push_back(std::move(left));
  chain.operands.push_back(std::move(operand));
  return MakeExpr(std::move(chain), span);
}

ExprPtr TreeBuilder::CombineBinary(ExprPtr left, BinaryOp op, Terminal* sign, P::ExprContext* right) {
  ExprPtr operand = Build(right);
  const Span span = Join(left->span, operand->span);
  return MakeExpr(BinaryExpr{op, SpanOf(sign), std::move(left), std::move(operand)}, span);
}

RefExpr TreeBuilder::MakeReference(P::ReferenceContext* context) const {
  RefExpr reference;
  for (auto* child : context->children) {
    if (auto* name = dynamic_cast<P::NameContext*>(child)) {
      reference.parts.push_back(MakeName(name));
      continue;
    }
    auto* terminal = dynamic_cast<Terminal*>(child);
    if (terminal->getSymbol()->getType() == P::SCOPE) {
      for (const Name& part : reference.parts) {
        if (!reference.pack.empty()) reference.pack += '.';
        reference.pack += part.text;
      }
      reference.parts.clear();
    } else if (terminal->getSymbol()->getType() == P::IDENT) {
      reference.parts.push_back(MakeName(terminal));
    }
  }
  return reference;
}

ExprPtr TreeBuilder::BuildLookup(P::ReferenceContext* table, const std::vector<P::ExprContext*>& keys,
                                 P::NameContext* column, Span span) {
  size_t height = 0;
  LookupExpr lookup{MakeReference(table), BuildBelow(keys[0], height), MakeName(column), {}};
  for (size_t k = 1; k < keys.size(); ++k) lookup.more_keys.push_back(BuildBelow(keys[k], height));
  height_ = height;
  return MakeExpr(std::move(lookup), span);
}

InExpr TreeBuilder::MakeMembership(P::MembershipContext* context) {
  InExpr in;
  in.negated = context->K_NOT() != nullptr;
  auto* target = context->inTarget();
  if (target->reference() != nullptr) {
    in.reference = MakeReference(target->reference());
  } else if (target->RANGE() != nullptr) {
    in.range.emplace(MakeLiteral(target->bound(0)), MakeLiteral(target->bound(1)));
  } else {
    for (auto* literal : target->signedLiteral()) in.set.push_back(MakeLiteral(literal));
  }
  return in;
}

// A sign before a number is part of the number: `-9223372036854775808` is one.
ExprPtr TreeBuilder::BuildNegate(P::NegateContext* context) {
  const Span span = SpanOf(context);
  if (auto* literal = dynamic_cast<P::LitContext*>(context->expr())) {
    return MakeExpr(MakeLiteral(literal->literal(), span, true), span);
  }
  CountOperator(span);
  return MakeExpr(UnaryExpr{UnaryOp::kNegate, Build(context->expr())}, span);
}

ExprPtr TreeBuilder::BuildPrimary(P::ExprContext* context) {
  const Span span = SpanOf(context);
  height_ = 0;  // a leaf; what is built below sets it
  if (auto* c = dynamic_cast<P::RefContext*>(context)) return MakeExpr(MakeReference(c->reference()), span);
  if (auto* c = dynamic_cast<P::LitContext*>(context)) return MakeExpr(MakeLiteral(c->literal(), span, false), span);
  if (auto* c = dynamic_cast<P::ParenContext*>(context)) {
    ExprPtr inner = Build(c->expr());
    inner->span = span;
    return inner;
  }
  if (auto* c = dynamic_cast<P::CallContext*>(context)) {
    CallExpr call;
    call.callee = {std::string(TextOf(c->callee())), SpanOf(c->callee())};
    size_t height = 0;
    for (auto* argument : c->expr()) call.arguments.push_back(BuildBelow(argument, height));
    height_ = height;
    return MakeExpr(std::move(call), span);
  }
  if (auto* c = dynamic_cast<P::NotContext*>(context)) {
    CountOperator(span);
    return MakeExpr(UnaryExpr{UnaryOp::kNot, Build(c->expr())}, span);
  }
  if (auto* c = dynamic_cast<P::NegateContext*>(context)) return BuildNegate(c);
  if (auto* c = dynamic_cast<P::LookupContext*>(context)) {
    return BuildLookup(c->reference(), c->expr(), c->name(), span);
  }
  if (auto* c = dynamic_cast<P::HasContext*>(context)) {
    HasExpr has{MakeReference(c->reference()), nullptr, {}};
    size_t height = 0;
    for (auto* key : c->expr()) {
      ExprPtr built = BuildBelow(key, height);
      if (has.key) {
        has.more_keys.push_back(std::move(built));
      } else {
        has.key = std::move(built);
      }
    }
    height_ = height;
    return MakeExpr(std::move(has), span);
  }
  auto* same = dynamic_cast<P::SamePlaceContext*>(context);
  size_t height = 0;
  // `event` is a clause word elsewhere.
  auto* place = same->IDENT() != nullptr ? same->IDENT() : same->K_EVENT();
  SamePlaceExpr node{MakeName(place), BuildBelow(same->expr(0), height), BuildBelow(same->expr(1), height)};
  height_ = height;
  return MakeExpr(std::move(node), span);
}

}  // namespace attr::syntax
