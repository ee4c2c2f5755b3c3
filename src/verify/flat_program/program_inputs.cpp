#include "verify/flat_program/program_inputs.h"

#include "connected_graph/exported_program/arguments.h"
#include "files/whole_number.h"

#include <model_validator/error.h>

#include <algorithm>
#include <regex>

namespace model_validator::verify {
namespace {

using exported_program::Json;

/// Expressions are written as Python that makes them: `Symbol('s77', positive=True)`.
ProgramSize exported_size(const Json& size) {
  if (size.contains("as_int")) return {whole_number<std::int64_t>(size["as_int"]), "", true};
  static const std::regex multiple(
      R"((?:Mul\(Integer\((\d{1,9})\), )?Symbol\('(\w{1,64})'[^()]*\)\)?)");
  const std::string text = size.at("as_expr").at("expr_str");
  std::smatch found;
  constexpr std::size_t longest = 200;
  if (text.size() > longest || !std::regex_match(text, found, multiple)) return {0, "", false};
  return {found[1].matched ? std::stoll(found[1].str()) : 1, found[2].str(), true};
}

/// Python that makes an expression as the expression: `Add(Symbol('s52', …), Integer(1))` is
/// `(s52 + 1)`. Empty for what is made of anything but sums and products.
class Infix {
public:
  explicit Infix(const std::string& text) : text_(text) {}

  std::string whole() {
    const std::string expression = term(0);
    return at_ == text_.size() ? expression : "";
  }

private:
  bool take(std::string_view word) {
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }

  std::string until(const char* ends) {
    const std::size_t end = std::min(text_.find_first_of(ends, at_), text_.size());
    const std::string word = text_.substr(at_, end - at_);
    at_ = end;
    return word;
  }

  std::string operands(const std::string& sign, int depth) {
    std::string all;
    do {
      const std::string one = term(depth);
      if (one.empty()) return "";
      all += (all.empty() ? "(" : sign) + one;
    } while (take(", "));
    return take(")") ? all + ")" : "";
  }

  std::string term(int depth) {
    constexpr int deepest = 20;
    if (depth > deepest) return "";
    if (take("Add(")) return operands(" + ", depth + 1);
    if (take("Mul(")) return operands("*", depth + 1);
    if (take("Integer(")) {
      const std::string number = until(")");
      return take(")") ? number : "";
    }
    if (!take("Symbol('")) return "";
    std::string name = until("'");
    until(")");
    return take(")") ? name : "";
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

std::string expression_of(const Json& size) {
  if (size.contains("as_int")) return "";
  const std::string text = size.at("as_expr").at("expr_str");
  constexpr std::size_t longest = 1000;
  return text.size() > longest ? "" : Infix(text).whole();
}

/// The size in the example that the program was exported with.
std::int64_t example_size(const Json& size) {
  if (size.contains("as_int")) return whole_number<std::int64_t>(size["as_int"]);
  const Json hint = size.at("as_expr").value("hint", Json());
  return hint.is_object() ? whole_number(hint, "as_int", std::int64_t{-1}) : -1;
}

std::string dimension_of(const ProgramInput& input, std::size_t dimension) {
  return "dimension " + std::to_string(dimension) + " of the input `" + input.name + "`";
}

[[noreturn]] void refuse_size(const std::string& cause) {
  throw Error(ErrorKind::bad_inputs, "", cause,
              "give such a size, or export the program again with `dynamic_shapes` that allow it");
}

} // namespace

ProgramInputs::ProgramInputs(const Json& program) {
  const Json& module = program.at("graph_module");
  const Json& tensors = module.at("graph").at("tensor_values");
  for (const Json& spec : module.at("signature").at("input_specs")) {
    const auto user = spec.find("user_input");
    if (user == spec.end()) continue;
    const auto argument = exported_program::take_apart(user->at("arg"));
    ProgramInput input;
    InputNeed need;
    if (!argument.tensors.empty()) {
      input.name = argument.tensors[0];
      need.type = "Tensor";
      add_tensor(tensors.at(input.name), input, need);
    } else {
      input.is_tensor = false;
      input.name = argument.symbols.empty() ? "" : argument.symbols[0];
      need.type = "int";
      need.kind = InputNeed::Kind::number;
    }
    need.name = input.name;
    if (input.name.empty()) continue; // a constant, which the program holds itself
    inputs_.push_back(std::move(input));
    needs_.push_back(std::move(need));
  }
  for (const auto& [symbol, range] : program.at("range_constraints").items()) {
    SizeRange& known = ranges_[symbol];
    if (range.value("min_val", Json()).is_number_integer())
      known.low = whole_number<std::int64_t>(range["min_val"]);
    if (range.value("max_val", Json()).is_number_integer())
      known.high = whole_number<std::int64_t>(range["max_val"]);
  }
}

void ProgramInputs::add_tensor(const Json& meta, ProgramInput& input, InputNeed& need) {
  need.dtype = parse_dtype(exported_program::tensor_type(meta).dtype);
  need.shape.emplace();
  for (const Json& size : meta.at("sizes")) {
    input.sizes.push_back(exported_size(size));
    need.shape->push_back(example_size(size));
    need.symbols.push_back(expression_of(size));
  }
}

void ProgramInputs::require(const std::vector<std::optional<Shape>>& shapes) const {
  std::map<std::string, std::pair<std::int64_t, std::string>> symbols; ///< value, and its place
  for (std::size_t i = 0; i < inputs_.size() && i < shapes.size(); ++i) {
    const ProgramInput& input = inputs_[i];
    if (!input.is_tensor || !shapes[i]) continue;
    const Shape& shape = *shapes[i];
    if (shape.size() != input.sizes.size())
      refuse_size("the input `" + input.name + "` has " + std::to_string(shape.size()) +
                  " dimensions, but the program was exported for " +
                  std::to_string(input.sizes.size()));
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const ProgramSize& size = input.sizes[d];
      if (!size.known) continue;
      if (size.symbol.empty() && size.number != shape[d])
        refuse_size(dimension_of(input, d) + " is " + std::to_string(shape[d]) +
                    ", but the program was exported for " + std::to_string(size.number) + " alone");
      if (size.symbol.empty()) continue;
      const std::int64_t value = symbol_in(input, d, shape[d]);
      require_range(input, d, value);
      const auto [known, is_new] = symbols.try_emplace(size.symbol, value, dimension_of(input, d));
      if (!is_new && known->second.first != value)
        refuse_size(dimension_of(input, d) + " is " + std::to_string(shape[d]) +
                    ", which does not fit " + known->second.second);
    }
  }
}

std::int64_t ProgramInputs::symbol_in(const ProgramInput& input, std::size_t dimension,
                                      std::int64_t size) const {
  const std::int64_t factor = input.sizes[dimension].number;
  if (factor == 0 || size % factor != 0)
    refuse_size(dimension_of(input, dimension) + " is " + std::to_string(size) +
                ", but the program takes multiples of " + std::to_string(factor));
  return size / factor;
}

void ProgramInputs::require_range(const ProgramInput& input, std::size_t dimension,
                                  std::int64_t value) const {
  const auto found = ranges_.find(input.sizes[dimension].symbol);
  if (found == ranges_.end()) return;
  const auto& [low, high] = found->second;
  if (value >= low && (!high || value <= *high)) return;
  const std::int64_t factor = input.sizes[dimension].number;
  refuse_size(dimension_of(input, dimension) + " is " + std::to_string(value * factor) +
              ", but the program was exported for " + std::to_string(low * factor) +
              (high ? " to " + std::to_string(*high * factor) : " or more"));
}

} // namespace model_validator::verify
