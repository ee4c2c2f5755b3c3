#include "verify/backends/xnnpack_weights.h"

#include "introspection/executorch_file.h"
#include "introspection/xnnpack_schema.h"
#include "verify/backends/litert_numbers.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <tuple>

namespace model_validator::verify {
namespace {

using namespace xnn;

/// A kind of layer whose weight is known, and how to bring its axes into PyTorch's order.
struct Layer {
  std::uint8_t type;
  std::string_view name;
  int filter; ///< number of the field
  std::array<std::size_t, 4> order;
};
constexpr int of_convolution = 16;
constexpr std::array<Layer, 4> layers{
    {{node::fully_connected, "XNNFullyConnected", 1, {0, 1, 2, 3}},
     {node::convolution, "XNNConv2d", of_convolution, {0, 3, 1, 2}},
     {node::depthwise, "XNNDepthwiseConv2d", of_convolution, {3, 0, 1, 2}},
     {node::transposed, "XNNConvTranspose2d", of_convolution, {3, 0, 1, 2}}}};

struct Dtype {
  std::int16_t number;
  std::string_view name;
  std::int64_t zero_point;
};
constexpr std::array<Dtype, 5> dtypes{{{tensor::int8, "int8", 0},
                                       {tensor::uint8, "uint8", 0},
                                       {tensor::int8_of_channels, "int8", 0},
                                       {tensor::int4_of_channels, "uint4", 8},
                                       {tensor::int4_of_groups, "uint4", 8}}};

class WeightReader {
public:
  using Visit = std::function<void(const FewBitWeight&)>;

  WeightReader(const std::filesystem::path& program, Visit visit)
      : file_(program), visit_(std::move(visit)), left_(max_times_read * file_.bytes().size()) {}

  void read() {
    const auto graphs = file_.xnn_graphs();
    for (std::size_t i = 0; i < graphs.size(); ++i)
      read(graphs[i], graphs.size() == 1 ? "" : " of delegate " + std::to_string(i));
  }

private:
  static constexpr std::uint64_t max_times_read = 8;

  void read(const XnnGraph& graph, const std::string& where) {
    std::map<std::uint32_t, FlatTable> weights; // by their ids
    for (const FlatTable& each : graph.table.tables(graph::values)) {
      if (each.number<std::uint8_t>(value::type) != value::quantised) continue;
      auto quantised = each.table(value::tensor);
      const auto values = quantised ? quantised->table(quantised::tensor) : std::nullopt;
      if (values && values->number<std::uint32_t>(tensor::constant) != 0)
        weights.emplace(values->number<std::uint32_t>(tensor::id), std::move(*quantised));
    }
    const auto constants = graph.table.tables(graph::constants);
    const auto nodes = graph.table.tables(graph::nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Layer* layer =
          row_with(layers, &Layer::type, nodes[i].number<std::uint8_t>(node::type));
      const auto settings = nodes[i].table(node::layer);
      if (layer == nullptr || !settings) continue;
      const auto weight = weights.extract(settings->number<std::uint32_t>(layer->filter));
      if (!weight.empty())
        show(weight.mapped(), *layer, {graph, constants},
             std::string(layer->name) + " " + std::to_string(i) + where);
    }
  }

  struct Constants {
    const XnnGraph& graph;
    const std::vector<FlatTable>& all;
  };

  void show(const FlatTable& quantised, const Layer& layer, const Constants& constants,
            std::string name) {
    const auto values = *quantised.table(quantised::tensor);
    const auto part = part_of(values.number<std::uint32_t>(tensor::constant), constants);
    const auto type = quantised.number<std::uint8_t>(quantised::steps_type);
    const auto params = quantised.table(quantised::steps);
    const auto* dtype =
        row_with(dtypes, &Dtype::number, values.number<std::int16_t>(tensor::dtype));
    if (!part || !params || dtype == nullptr) return;
    const auto dims = values.numbers<std::uint32_t>(tensor::dims);
    StoredSteps steps{dtype->name, {dims.begin(), dims.end()}, {}, {dtype->zero_point}};
    if (!read_steps(type, *params, constants, steps)) return;
    if (!seen_.emplace(part->offset, part->size, steps.scales).second) return;
    auto weight = numbers_of(steps, read(*part), {layer.order.begin(), layer.order.end()});
    if (!weight) return;
    if (type == steps::per_group) weight->sizes = {dims.begin(), dims.end()};
    if (weight->numbers.empty() || weight->sizes.size() < 2) return;
    weight->layer = std::move(name);
    visit_(*weight);
  }

  /// @returns whether there are any
  bool read_steps(std::uint8_t type, const FlatTable& params, const Constants& constants,
                  StoredSteps& steps) {
    namespace of_channels = steps::of_channels;
    namespace of_groups = steps::of_groups;
    if (type == steps::per_tensor) {
      steps.scales = {params.number<float>(steps::scale)};
      steps.zero_points.front() += params.number<std::int32_t>(steps::zero_point);
      return true;
    }
    if (type == steps::per_channel) {
      steps.axis = params.number<std::int32_t>(of_channels::axis);
      steps.scales = scales_of(params, of_channels::constant, constants);
    }
    if (type == steps::per_group) {
      const std::int64_t size = params.number<std::int32_t>(of_groups::size);
      constexpr std::int64_t most = std::int64_t{1} << 31; // of which the product is a number
      if (steps.shape.size() != 2 || std::ranges::max(steps.shape) > most) return false;
      if (size <= 0 || steps.shape[1] % size != 0) return false;
      steps.shape = {steps.shape[0] * (steps.shape[1] / size), size};
      steps.scales = scales_of(params, of_groups::constant, constants);
    }
    return !steps.scales.empty();
  }

  /// Of channels in float32, of groups in bfloat16, the upper half of one.
  std::vector<float> scales_of(const FlatTable& params, int constant, const Constants& constants) {
    auto scales = params.numbers<float>(steps::scale);
    const auto part =
        scales.empty() ? part_of(params.number<std::uint32_t>(constant), constants) : std::nullopt;
    if (!part) return scales;
    const std::string bytes = read(*part);
    const std::size_t width = constant == steps::of_groups::constant ? 2 : sizeof(float);
    scales.resize(bytes.size() / width);
    for (std::size_t i = 0; i < scales.size(); ++i)
      std::memcpy(reinterpret_cast<char*>(&scales[i]) + sizeof(float) - width,
                  bytes.data() + i * width, width);
    return scales;
  }

  std::optional<FilePart> part_of(std::uint32_t constant, const Constants& constants) const {
    if (constant >= constants.all.size()) return std::nullopt;
    const FlatTable& from = constants.all[constant];
    FilePart part{from.number<std::uint64_t>(constant::offset),
                  from.number<std::uint64_t>(constant::size)};
    if (const std::string name = from.text(constant::name); !name.empty()) {
      const auto named = file_.named(name);
      if (!named) return std::nullopt;
      part.offset = named->offset;
    } else {
      if (!file_.holds(part)) return std::nullopt;
      part.offset += constants.graph.constants;
    }
    return file_.holds(part) ? std::optional(part) : std::nullopt;
  }

  std::string read(const FilePart& part) {
    if (part.size > left_) file_.damaged();
    left_ -= part.size;
    return file_.bytes().read_at(part.offset, part.size);
  }

  ExecuTorchFile file_;
  Visit visit_;
  std::uint64_t left_; ///< bytes that may still be read
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::vector<float>>> seen_;
};

} // namespace

void visit_xnnpack_weights(const std::filesystem::path& program,
                           const std::function<void(const FewBitWeight&)>& visit) {
  WeightReader(program, visit).read();
}

} // namespace model_validator::verify
