#include "validators/layer_weights.h"

#include "connected_graph/attributes.h"
#include "connected_graph/operators.h"
#include "connected_graph/program_of.h"
#include "validators/program_view.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace model_validator {
namespace {

/// Where a layer's output channels are among the dimensions of its weight.
enum class Channels : std::uint8_t { first, second, last };

struct Layer {
  std::string_view name;
  Channels channels;
  std::size_t weight = 1; ///< the operand
};

constexpr auto layers = std::to_array<Layer>({
    {"Conv", Channels::first},
    {"ConvTranspose", Channels::second},
    {"Gemm", Channels::last},
    {"MatMul", Channels::last},
    {"FusedConv", Channels::first},
    {"FusedMatMul", Channels::last},
    {"FusedGemm", Channels::last},
    {"conv1d", Channels::first},
    {"conv2d", Channels::first},
    {"conv3d", Channels::first},
    {"convolution", Channels::first},
    {"_convolution", Channels::first},
    {"conv_transpose1d", Channels::second},
    {"conv_transpose2d", Channels::second},
    {"conv_transpose3d", Channels::second},
    {"linear", Channels::first},
    {"matmul", Channels::last},
    {"mm", Channels::last},
    {"addmm", Channels::last, 2},
});

const Layer* layer_named(std::string_view name) { return row_with(layers, &Layer::name, name); }

Channels channels_of(const Layer& layer, const std::vector<Attribute>& attributes) {
  if (is_true(attributes, "transposed")) return Channels::second;
  return is_true(attributes, "transB") ? Channels::first : layer.channels;
}

std::optional<std::size_t> axis_of(Channels channels, const TensorType& type) {
  if (!type.shape || type.shape->size() < 2) return std::nullopt;
  switch (channels) {
  case Channels::first: return 0;
  case Channels::second: return 1;
  case Channels::last: break;
  }
  return type.shape->size() - 1;
}

/// Whether it hands a tensor on, number by number.
bool keeps_places(const ProgramNode& node) {
  return node.role == QuantisedRole::quantise || node.role == QuantisedRole::dequantise ||
         node.role == QuantisedRole::fake_quantise ||
         does(operator_of(node), Does::keeps | Does::converts);
}

bool turns(const ProgramNode& node) { return does(operator_of(node), Does::transposes); }

class ProgramWeights {
public:
  ProgramWeights(const Program& program, std::vector<LayerWeight>& found)
      : program_(program), found_(found) {}

  void run() {
    for (const ProgramNode& node : program_.nodes) {
      const Layer* layer = layer_named(operator_of(node));
      if (layer == nullptr) continue;
      const Channels channels = channels_of(*layer, node.attributes);
      if (!add(node, layer->weight, channels) && layer->weight == 1 && channels == Channels::last)
        add(node, 0, Channels::first); // the constant may stand on the left
    }
  }

  /// What a value is before it is moved or turned, and whether it is turned; `none` where something
  /// else is done with it.
  std::pair<std::size_t, bool> before_turns(std::size_t value) const {
    bool turned = false;
    while (const ProgramNode* maker = program_.maker(value)) {
      if (maker->inputs.empty() || !(keeps_places(*maker) || turns(*maker))) return {none, false};
      turned ^= turns(*maker);
      value = maker->inputs[0];
    }
    return {value, turned};
  }

private:
  bool add(const ProgramNode& node, std::size_t operand, Channels channels) {
    const auto [value, turned] =
        before_turns(operand < node.inputs.size() ? node.inputs[operand] : none);
    if (value == none || !program_.values[value].stored()) return false;
    const ProgramValue& stored = program_.values[value];
    auto axis = axis_of(channels, stored.type);
    if (!axis || (turned && stored.type.shape->size() != 2)) return false;
    if (turned) axis = 1 - *axis;
    if (seen_.insert(value).second) found_.push_back({stored.name, node.op, stored.type, *axis});
    return true;
  }

  const Program& program_;
  std::vector<LayerWeight>& found_;
  std::set<std::size_t> seen_;
};

} // namespace

std::vector<LayerWeight> layer_weights(const ConnectedGraph& graph) {
  std::vector<LayerWeight> found;
  ProgramWeights(*program_of(graph), found).run();
  return found;
}

} // namespace model_validator
