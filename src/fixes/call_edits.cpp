#include "fixes/call_edits.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <cctype>

namespace model_validator::fixes {
namespace {

/// `*` before any of them spreads all of it.
constexpr auto& types_spread_without_brackets =
    word_array<"identifier attribute call list_comprehension parenthesized_expression subscript "
               "list tuple">;

/// `return-x` and `return(x + y)` are Python.
bool follows_word(const Node& node) {
  if (node.begin() == 0) return false;
  const char before = node.source()[node.begin() - 1];
  return std::isalnum(static_cast<unsigned char>(before)) != 0 || before == '_';
}

bool only_spaces(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

/// Whether a list can lose its brackets: no comment would swallow what follows, and no comma that
/// ends its last line would stand alone.
bool loses_brackets(const Node& list) {
  const auto elements = list.children();
  if ((!list.is("list") && !list.is("tuple")) || elements.empty()) return false;
  const Node& last = elements.back();
  bool comma = false;
  for (const Node& token : list.tokens()) {
    if (token.begin() < last.end()) continue;
    if (token.is("comment")) return false;
    comma = comma || token.is(",");
  }
  return !comma || list.last_line() == last.last_line();
}

bool needs_brackets_to_spread(const Node& list) {
  return !contains(types_spread_without_brackets, list.type());
}

} // namespace

void CallEdits::replace(std::size_t begin, std::size_t end, std::string text) {
  edits_.push_back({begin, end, std::move(text), 0});
}

/// What opens a longer expression comes first.
void CallEdits::open(const Node& around, std::string text) {
  const auto rank = -static_cast<std::ptrdiff_t>(around.end());
  if (follows_word(around)) text.insert(0, " ");
  edits_.push_back({around.begin(), around.begin(), std::move(text), rank});
}

/// What closes a shorter one comes first.
void CallEdits::close(const Node& around) {
  const auto rank = -static_cast<std::ptrdiff_t>(around.begin());
  edits_.push_back({around.end(), around.end(), ")", rank});
}

/// `(a + b)` needs no brackets of its own between those of a call.
void CallEdits::unwrap(const Node& operand) {
  if (!operand.is("parenthesized_expression")) return;
  const auto tokens = operand.tokens();
  if (tokens.size() != 3 || operand.first_line() != operand.last_line() ||
      tokens[1].is("named_expression") || tokens[1].is("yield"))
    return;
  replace(operand.begin(), tokens[1].begin(), "");
  replace(tokens[1].end(), operand.end(), "");
}

/// ` +` between two operands becomes `,`.
void CallEdits::separate(const Node& left, const Node& right) {
  for (const Node& token : node_.tokens()) {
    if (token.begin() < left.end() || token.end() > right.begin() || token.is("comment") ||
        token.is("line_continuation"))
      continue;
    const std::string_view between =
        node_.text().substr(left.end() - node_.begin(), token.begin() - left.end());
    return replace(only_spaces(between) ? left.end() : token.begin(), token.end(), ",");
  }
}

void CallEdits::replace_operator(const Node& left, const Node& right) {
  open(node_, callee_ + '(');
  unwrap(left);
  separate(left, right);
  unwrap(right);
  close(node_);
}

void CallEdits::replace_augmented_assignment() {
  const Node sign = node_.field("operator");
  const std::string left(node_.field("left").text());
  replace(sign.begin(), sign.end(), "= " + callee_ + '(' + left + ',');
  unwrap(node_.field("right"));
  close(node_);
}

void CallEdits::replace_sign() {
  const Node operand = node_.field("argument");
  open(node_, callee_ + '(');
  replace(node_.begin(), operand.begin(), "");
  unwrap(operand);
  close(node_);
}

void CallEdits::hand_over() {
  open(node_, callee_ + '(');
  close(node_);
}

void CallEdits::replace_callee(bool more_arguments) {
  const Node callee = node_.field("function");
  if (!operation_.is_method()) return replace(callee.begin(), callee.end(), callee_);
  open(node_, callee_ + '(');
  const Node receiver = operation_.receiver();
  unwrap(receiver);
  replace(receiver.end(), node_.field("arguments").begin() + 1, more_arguments ? ", " : "");
}

void CallEdits::drop_arguments_behind_tensor(const std::vector<GivenArgument>& given) {
  if (arguments_behind_tensor(operation_, given).empty()) return;
  if (operation_.is_method())
    edits_.back().end = node_.field("arguments").end() - 1; // of what stands before the arguments
  else
    replace(given.front().node.end(), given.back().node.end(), "");
}

void CallEdits::compute_first(const Node& arguments) {
  if (!arguments.is("generator_expression")) return;
  replace(arguments.begin(), arguments.begin() + 1, "([");
  replace(arguments.end() - 1, arguments.end(), "])");
}

void CallEdits::spread(const Node& list) {
  if (loses_brackets(list)) {
    replace(list.begin(), list.tokens()[1].begin(), "");
    replace(list.children().back().end(), list.end(), "");
  } else if (needs_brackets_to_spread(list)) {
    open(list, "*(");
    close(list);
  } else {
    open(list, "*");
  }
}

} // namespace model_validator::fixes
