#include "fixes/calls_in_source.h"
#include "fixes/drafts.h"

#include <model_validator/data/float16.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace model_validator::fixes {
namespace {

bool is_large(const Node& literal) {
  std::string digits(literal.text());
  std::erase(digits, '_');
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc{} && end == digits.data() + digits.size() && value > max_float16;
}

/// `torch.finfo(x.dtype).min`
bool is_extreme_of_type(const Node& attribute, const Imports& imports) {
  const Node call = attribute.field("object");
  const std::string_view name = attribute.field("attribute").text();
  return (name == "min" || name == "max") && call.is("call") &&
         imports.resolve(call.field("function").text()) == "torch.finfo";
}

/// With its sign, if it has one.
Node signed_number(const Node& number) {
  const Node around = number.parent();
  const bool is_sign = around.is("unary_operator") && !around.text().starts_with('~');
  return is_sign ? around : number;
}

std::vector<Node> large_numbers_in(const Node& expression, const Imports& imports) {
  std::vector<Node> found;
  for (const char* type : {"integer", "float"})
    for (const Node& literal : expression.all(type))
      if (is_large(literal)) found.push_back(signed_number(literal));
  for (const Node& attribute : expression.all("attribute"))
    if (is_extreme_of_type(attribute, imports)) found.push_back(signed_number(attribute));
  return found;
}

} // namespace

Draft replace_number(const Rewrite& rewrite, Diagnostic& /*finding*/, PlannedFiles& files) {
  const SourceCall& call = rewrite.calls.front();
  PythonFile& file = files.file_of(call);
  const auto candidates = operations_of(rewrite, file);
  const std::vector<Node> numbers = large_numbers_in(choose(candidates, call).node, file.imports());
  if (numbers.size() != 1) throw Refusal{"the call does not hold one such number, written out"};
  Draft draft{&file};
  draft.doubt = "what is masked keeps a share of 1e-40 or so, and a row that is masked "
                "throughout another result";
  draft.is_beyond_proof = true;
  draft.edits = {{numbers.front().begin(), numbers.front().end(), rewrite.expression, 0}};
  return draft;
}

} // namespace model_validator::fixes
