#include "verify/command/edge_precision.h"

#include <algorithm>
#include <set>

namespace model_validator::verify {
namespace {

/// Two dimensions or more: a matrix or a kernel, and no bias or scale.
bool is_matrix(const EdgeValue& value) {
  return value.shape &&
         std::ranges::count_if(*value.shape, [](std::int64_t size) { return size != 1; }) >= 2;
}

void note_weight(const EdgeValue& value, Precision& found) {
  if (value.dtype == "float16" && is_matrix(value)) found.weights = value.dtype;
  if (!value.is_stepped || !is_matrix(value)) return; // the bias goes with its layer
  Narrowing& narrowing = found.narrowing;
  ++found.quantised;
  narrowing.weights = Narrowing::Weights::whole_numbers;
  narrowing.bits = std::min(narrowing.bits, bits_of(value.dtype));
  narrowing.per_channel = narrowing.per_channel || value.has_many_scales;
  narrowing.block = std::max(narrowing.block, value.block);
  const auto shifted = [](std::int64_t zero) { return zero != 0; };
  narrowing.has_zero_point =
      narrowing.has_zero_point || std::ranges::any_of(value.zero_points, shifted);
}

/// Every value is rounded between layers where it is stored in steps.
void note_result(const EdgeValue& value, Precision& found) {
  if (!value.is_stepped) return;
  ++found.quantised;
  found.narrowing.weights = Narrowing::Weights::whole_numbers;
  found.narrowing.everywhere = true;
  if (found.narrowing.results != Narrowing::Results::int16)
    found.narrowing.results =
        value.dtype == "int16" ? Narrowing::Results::int16 : Narrowing::Results::int8;
}

/// Floats that meet a weight in steps are rounded when it runs, by a scale that is found then.
bool rounds_as_it_runs(const EdgeModel& model, const EdgeOp& op) {
  const auto is_weight = [&](std::size_t value) {
    return model.values[value].is_stored && model.values[value].is_stepped;
  };
  const auto is_float = [&](std::size_t value) {
    return !model.values[value].is_stored && model.values[value].dtype == "float32";
  };
  return std::ranges::any_of(op.inputs, is_weight) && std::ranges::any_of(op.inputs, is_float);
}

/// Which outputs are computed from something in steps.
std::vector<std::uint8_t> outputs_on_quantised(const EdgeModel& model) {
  std::vector<std::uint8_t> marked(model.values.size(), 0), outputs;
  for (std::size_t i = 0; i < marked.size(); ++i) marked[i] = model.values[i].is_stepped ? 1 : 0;
  const auto is_marked = [&](std::size_t value) { return marked[value] != 0; };
  for (const EdgeOp& op : model.ops)
    if (std::ranges::any_of(op.inputs, is_marked))
      for (const std::size_t value : op.outputs) marked[value] = 1;
  for (const EdgePort& output : model.outputs) outputs.push_back(marked[output.value]);
  return outputs;
}

/// What eight bits of one scale can hold; nothing where a value is stored otherwise.
std::optional<ValueRange> range_of_steps(const EdgeValue& value) {
  const bool is_signed = value.dtype == "int8";
  if (value.scales.size() != 1 || value.zero_points.size() != 1 ||
      (!is_signed && value.dtype != "uint8"))
    return std::nullopt;
  const double scale = value.scales.front(), zero = static_cast<double>(value.zero_points.front());
  const double low = is_signed ? -128 : 0;
  return ValueRange{(low - zero) * scale, (low + 255 - zero) * scale};
}

ValueSteps steps_of(const EdgeValue& value) {
  const double codes = value.dtype == "int16" ? 65536 : 256;
  const double least = value.dtype == "uint8" ? 0 : -codes / 2;
  const double zero =
      value.zero_points.empty() ? 0 : static_cast<double>(value.zero_points.front());
  return {value.scales.front(), zero, least, least + codes - 1};
}

} // namespace

std::map<std::string, ValueSteps> steps_in_edge_model(const EdgeModel& model) {
  std::set<std::string> taken;
  std::map<std::string, ValueSteps> steps;
  for (const EdgeOp& op : model.ops)
    for (const std::size_t place : op.outputs) {
      const EdgeValue& value = model.values.at(place);
      const bool is_own = !value.name.empty() && taken.insert(value.name).second;
      if (value.scales.size() == 1)
        steps[is_own ? value.name : value.name + "#" + std::to_string(place)] = steps_of(value);
    }
  return steps;
}

ReadEdgeModel reader_of_edge_model(FileFormat format) {
  if (format == FileFormat::litert) return read_litert_model;
  return format == FileFormat::executorch ? read_executorch_program : nullptr;
}

Precision precision_of_edge_model(const EdgeModel& model) {
  Precision found;
  for (const EdgeValue& value : model.values)
    value.is_stored ? note_weight(value, found) : note_result(value, found);
  const auto rounds = [&](const EdgeOp& op) { return rounds_as_it_runs(model, op); };
  if (found.narrowing.results == Narrowing::Results::as_they_are &&
      std::ranges::any_of(model.ops, rounds))
    found.narrowing.results = Narrowing::Results::int8;
  if (!model.ops.empty()) found.on_quantised = outputs_on_quantised(model);
  return found;
}

std::optional<ValueRange> range_of_input(const EdgeModel& model, std::size_t value) {
  if (const auto range = range_of_steps(model.values[value])) return range;
  for (const EdgeOp& op : model.ops)
    if (op.outputs.size() == 1 && op.inputs == std::vector{value})
      if (const auto range = range_of_steps(model.values[op.outputs.front()])) return range;
  return std::nullopt;
}

} // namespace model_validator::verify
