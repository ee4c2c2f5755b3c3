#include "verify/flat_program/program_inputs.h"

#include "connected_graph/exported_program/arguments.h"
#include "connected_graph/exported_program/program_sizes.h"
#include "files/whole_number.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

using exported_program::Json;
using shapes::Size;
using shapes::Sizes;

/// @param name  of the input
Size size_of(const Json& size, const std::string& name, std::size_t dimension, Sizes& sizes) {
  if (size.contains("as_int")) return Size::of(whole_number<std::int64_t>(size["as_int"]));
  return exported_program::read_size(
      size.at("as_expr").at("expr_str").get_ref<const std::string&>(), sizes,
      {name, dimension, ""});
}

ProgramSize exported_size(Size size, Sizes& sizes) {
  const ProgramSize unknown{0, "", false};
  if (size.is_number()) return {*size.number(), "", true};
  const auto symbols = sizes.symbols_in(size);
  if (symbols.size() != 1) return unknown;
  const auto& axis = sizes.axis_of(symbols.front());
  const auto factor =
      sizes.value(size, std::vector(sizes.symbol_count(), std::optional(std::int64_t{1})));
  const bool is_multiple =
      factor && *factor > 0 && size == sizes.product(Size::of(*factor), sizes.symbol(axis));
  return is_multiple ? ProgramSize{*factor, axis.name, true} : unknown;
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
  Sizes sizes;
  for (const Json& spec : module.at("signature").at("input_specs")) {
    const auto user = spec.find("user_input");
    if (user == spec.end()) continue;
    const auto argument = exported_program::take_apart(user->at("arg"));
    ProgramInput input;
    InputNeed need;
    if (!argument.tensors.empty()) {
      input.name = argument.tensors[0];
      need.type = "Tensor";
      add_tensor(tensors.at(input.name), sizes, input, need);
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

void ProgramInputs::add_tensor(const Json& meta, Sizes& sizes, ProgramInput& input,
                               InputNeed& need) {
  need.dtype = parse_dtype(exported_program::tensor_type(meta).dtype);
  need.shape.emplace();
  for (const Json& written : meta.at("sizes")) {
    const Size size = size_of(written, input.name, input.sizes.size(), sizes);
    input.sizes.push_back(exported_size(size, sizes));
    need.shape->push_back(example_size(written));
    need.symbols.push_back(size.known() && !size.is_number() ? sizes.text(size) : "");
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
