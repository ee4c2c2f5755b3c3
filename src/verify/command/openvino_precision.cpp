#include "verify/command/openvino_precision.h"

#include "files/input_file.h"
#include "introspection/openvino_ir.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace model_validator::verify {
namespace {

constexpr int levels_of_eight_bits = 256;

/// Two dimensions or more: a matrix or a kernel, and no bias or scale.
bool is_matrix(const IrLayer& layer) {
  const auto shape = shape_of_ir(layer.shape);
  return shape && std::ranges::count_if(*shape, [](std::int64_t size) { return size != 1; }) >= 2;
}

class PrecisionReader {
public:
  explicit PrecisionReader(const std::filesystem::path& file)
      : ir_(read_openvino_ir(file)), readers_(ir_.readers()), is_stored_(ir_.stored()) {
    found_.computed_in.resize(1);
  }

  Precision precision() {
    for (std::size_t i = 0; i < ir_.layers.size(); ++i) {
      const IrLayer& layer = ir_.layers[i];
      if (layer.type == "FakeQuantize") note_rounding(i);
      if (layer.is_constant() && is_matrix(layer)) note_weight(i);
      if (!is_stored_[i] && layer.type != "Parameter" && layer.type != "Convert")
        note_results(layer);
    }
    return std::move(found_);
  }

  std::map<std::string, ValueRange> input_ranges() const {
    constexpr int low = 1, high = 2; // of what it rounds
    std::map<std::string, ValueRange> ranges;
    for (std::size_t i = 0; i < ir_.layers.size(); ++i) {
      const IrLayer* source = ir_.layers[i].type == "FakeQuantize" ? ir_.source(i, 0) : nullptr;
      if (source == nullptr || source->type != "Parameter") continue;
      const auto from = number(ir_.source(i, low)), to = number(ir_.source(i, high));
      if (from && to && *to > *from) ranges[source->value_name()] = {*from, *to};
    }
    return ranges;
  }

  std::map<std::string, ValueSteps> steps() const {
    std::map<std::string, ValueSteps> found;
    for (std::size_t i = 0; i < ir_.layers.size(); ++i) {
      const IrLayer& layer = ir_.layers[i];
      const double step = layer.type == "FakeQuantize" ? step_of(i) : 0;
      if (step == 0 || is_stored_[i]) continue;
      constexpr int low = 1;
      const double zero = -static_cast<double>(number(ir_.source(i, low)).value_or(0)) / step;
      for (const std::string& name : {layer.name, layer.value_name()})
        found[name] = {step, zero, 0, static_cast<double>(layer.levels - 1)};
    }
    return found;
  }

  SteppedNames rounded_values() const {
    SteppedNames values;
    for (std::size_t i = 0; i < ir_.layers.size(); ++i) {
      if (few_bits_of_ir(ir_.layers[i].element_type) != 0 && is_table(i))
        values.emplace(ir_.layers[i].name, 0);
      if (ir_.layers[i].type != "FakeQuantize" || !ir_.sources[i].contains(0)) continue;
      const IrSource& source = ir_.sources[i].at(0);
      for (const IrPort& port : ir_.layers[source.layer].outputs)
        if (port.id == source.port && !port.name.empty() && !is_stored_[source.layer])
          values.emplace(port.name, step_of(i));
    }
    return values;
  }

private:
  void note_results(const IrLayer& layer) {
    for (const IrPort& port : layer.outputs)
      if (std::string& dtype = found_.computed_in.front();
          is_half(port.dtype) && dtype != "bfloat16")
        dtype = port.dtype;
  }

  void note_rounding(std::size_t layer) {
    ++found_.quantised;
    Narrowing& narrowing = found_.narrowing;
    narrowing.weights = Narrowing::Weights::whole_numbers;
    if (is_stored_[layer]) {
      narrowing.per_channel = true; // its ranges tell, but a weight rounded so is rarely stored
      return;
    }
    narrowing.everywhere = true; // as any file that states ranges of values
    if (narrowing.results == Narrowing::Results::int16) return;
    narrowing.results = ir_.layers[layer].levels > levels_of_eight_bits ? Narrowing::Results::int16
                                                                        : Narrowing::Results::int8;
  }

  void note_weight(std::size_t constant) {
    const IrLayer& layer = ir_.layers[constant];
    const std::string dtype = dtype_of_ir(layer.element_type);
    if (is_half(dtype) && found_.weights != "bfloat16") found_.weights = dtype;
    const int bits = few_bits_of_ir(layer.element_type);
    const auto wide = bits == 0 ? std::nullopt : reader_of(constant, "Convert");
    if (!wide) return; // a table of whole numbers
    ++found_.quantised;
    Narrowing& narrowing = found_.narrowing;
    narrowing.weights = Narrowing::Weights::whole_numbers;
    narrowing.bits = std::min(narrowing.bits, bits);
    const auto shifted = reader_of(*wide, "Subtract");
    narrowing.has_zero_point = narrowing.has_zero_point || shifted;
    if (const auto scaled = reader_of(shifted.value_or(*wide), "Multiply"))
      note_scale(layer, *scaled);
  }

  /// One scale for each row, or for each group of a row, which is a dimension of its own.
  void note_scale(const IrLayer& weight, std::size_t multiply) {
    const auto shape = shape_of_ir(weight.shape);
    const IrLayer* scale = ir_.source(multiply, 1);
    while (scale != nullptr && scale->type == "Convert")
      scale = ir_.source(static_cast<std::size_t>(scale - ir_.layers.data()), 0);
    const auto scales = scale == nullptr ? std::nullopt : shape_of_ir(scale->shape);
    if (!shape || !scales) return;
    const auto several = [](std::int64_t size) { return size > 1; };
    found_.narrowing.per_channel =
        found_.narrowing.per_channel || std::ranges::any_of(*scales, several);
    const bool in_groups = scales->size() == shape->size() &&
                           std::ranges::count_if(*scales, several) >= 2 && scales->back() == 1;
    if (in_groups) found_.narrowing.block = std::max(found_.narrowing.block, shape->back());
  }

  /// A stored matrix of which rows are picked, once it is wide again.
  bool is_table(std::size_t constant) const {
    std::size_t at = constant;
    while (is_stored_[at] && readers_[at].size() == 1) at = readers_[at].front();
    return ir_.layers[constant].is_constant() && ir_.layers[at].type == "Gather";
  }

  std::optional<std::size_t> reader_of(std::size_t layer, std::string_view type) const {
    const auto found = std::ranges::find_if(
        readers_[layer], [&](std::size_t reader) { return ir_.layers[reader].type == type; });
    return found == readers_[layer].end() ? std::nullopt : std::optional(*found);
  }

  /// Of a FakeQuantize with one range for all elements; 0 for others.
  float step_of(std::size_t layer) const {
    constexpr int low = 3, high = 4; // of what it gives
    const auto from = number(ir_.source(layer, low)), to = number(ir_.source(layer, high));
    const int levels = ir_.layers[layer].levels;
    if (!from || !to || !(*to > *from) || levels < 2) return 0;
    return (*to - *from) / static_cast<float>(levels - 1);
  }

  std::optional<float> number(const IrLayer* layer) const {
    float value = 0;
    if (layer == nullptr || layer->element_type != "f32" || layer->size != sizeof value)
      return std::nullopt;
    if (InputFile(ir_.weights).read_at(layer->offset, &value, sizeof value) != sizeof value)
      return std::nullopt;
    return value;
  }

  OpenVinoIr ir_;
  std::vector<std::vector<std::size_t>> readers_;
  std::vector<bool> is_stored_;
  Precision found_;
};

} // namespace

Precision precision_of_openvino_model(const std::filesystem::path& file) {
  return PrecisionReader(file).precision();
}

std::map<std::string, ValueRange>
input_ranges_of_openvino_model(const std::filesystem::path& file) {
  return PrecisionReader(file).input_ranges();
}

std::map<std::string, ValueSteps> steps_in_openvino_model(const std::filesystem::path& file) {
  return PrecisionReader(file).steps();
}

SteppedNames values_rounded_by_openvino_model(const std::filesystem::path& file) {
  return PrecisionReader(file).rounded_values();
}

} // namespace model_validator::verify
