#include "files/flat_table.h"
#include "introspection/edge_model.h"
#include "introspection/litert_schema.h"

#include <model_validator/error.h>

#include <algorithm>
#include <map>

namespace model_validator {
namespace litert {
namespace {

class LiteRtReader {
public:
  explicit LiteRtReader(const std::filesystem::path& path)
      : file_(path), root_(FlatTable::root(file_)), buffers_(root_.tables(model::buffers)) {}

  EdgeModel read() {
    const auto graphs = root_.tables(model::subgraphs);
    const auto signatures = root_.tables(model::signatures);
    for (const FlatTable& each : signatures) found_.entries.push_back(each.text(signature::key));
    const auto usual = std::ranges::find(found_.entries, "serving_default");
    const auto chosen = static_cast<std::size_t>(
        usual == found_.entries.end() ? 0 : usual - found_.entries.begin());
    std::uint32_t number = 0;
    if (!signatures.empty()) number = signatures[chosen].number<std::uint32_t>(signature::subgraph);
    if (number >= graphs.size()) damaged();
    found_.graph = number;
    read_graph(graphs[number]);
    const auto inputs = graphs[number].numbers<std::int32_t>(graph::inputs);
    const auto outputs = graphs[number].numbers<std::int32_t>(graph::outputs);
    if (signatures.empty()) {
      name_ports(inputs, found_.inputs);
      name_ports(outputs, found_.outputs);
    } else {
      found_.entry = found_.entries[chosen];
      take_ports(signatures[chosen].tables(signature::inputs), inputs, found_.inputs);
      take_ports(signatures[chosen].tables(signature::outputs), outputs, found_.outputs);
    }
    return std::move(found_);
  }

private:
  [[noreturn]] void damaged() const {
    throw Error(ErrorKind::damaged_file, file_.path().string(), "the LiteRT model is damaged",
                "copy or download it again, or convert the model again");
  }

  std::size_t checked(std::int64_t value) const {
    if (value < 0 || value >= std::ssize(found_.values)) damaged();
    return static_cast<std::size_t>(value);
  }

  /// Those of an op that it leaves out are −1.
  std::vector<std::size_t> there(const std::vector<std::int32_t>& numbers) const {
    std::vector<std::size_t> values;
    for (const std::int32_t number : numbers)
      if (number >= 0) values.push_back(checked(number));
    return values;
  }

  void read_graph(const FlatTable& from) {
    for (const FlatTable& each : from.tables(graph::tensors))
      found_.values.push_back(read_value(each));
    for (const FlatTable& each : from.tables(graph::operators))
      found_.ops.push_back({there(each.numbers<std::int32_t>(op::inputs)),
                            there(each.numbers<std::int32_t>(op::outputs))});
  }

  EdgeValue read_value(const FlatTable& from) const {
    EdgeValue value;
    value.name = from.text(tensor::name);
    const auto type = from.number<std::uint8_t>(tensor::type);
    value.dtype = type < dtypes.size() ? dtypes.at(type) : "";
    // Sizes that are open are 1 in the other.
    const int shape = from.count(tensor::open_shape) > 0 ? tensor::open_shape : tensor::shape;
    const auto sizes = from.numbers<std::int32_t>(shape);
    value.shape.emplace(sizes.begin(), sizes.end());
    const auto number = from.number<std::uint32_t>(tensor::buffer);
    if (number >= buffers_.size()) damaged();
    value.is_stored = buffers_[number].count(buffer::data) > 0 ||
                      buffers_[number].number<std::uint64_t>(buffer::offset) > 1;
    if (const auto steps = from.table(tensor::quantisation)) read_steps(*steps, value);
    return value;
  }

  static void read_steps(const FlatTable& from, EdgeValue& value) {
    value.scales = from.numbers<float>(quantisation::scales);
    value.zero_points = from.numbers<std::int64_t>(quantisation::zero_points);
    value.has_many_scales = value.scales.size() > 1;
    const bool in_blocks =
        from.number<std::uint8_t>(quantisation::details_type) == quantisation::in_blocks;
    if (const auto details = from.table(quantisation::details); in_blocks && details) {
      value.block = details->number<std::int32_t>(quantisation::block_size);
      value.has_many_scales = true;
    }
    value.is_stepped = !value.scales.empty() || value.block > 0;
  }

  void name_ports(const std::vector<std::int32_t>& numbers, std::vector<EdgePort>& ports) const {
    for (const std::int32_t number : numbers)
      ports.push_back({found_.values[checked(number)].name, checked(number)});
  }

  /// A signature has its names in the order of the alphabet, its graph the order of the model.
  void take_ports(const std::vector<FlatTable>& maps, const std::vector<std::int32_t>& order,
                  std::vector<EdgePort>& ports) const {
    for (const FlatTable& each : maps)
      ports.push_back({each.text(map::name), checked(each.number<std::uint32_t>(map::tensor))});
    std::map<std::size_t, std::size_t> places;
    for (std::size_t i = 0; i < order.size(); ++i)
      places.emplace(static_cast<std::size_t>(order[i]), i);
    std::ranges::stable_sort(ports, {}, [&](const EdgePort& port) {
      const auto found = places.find(port.value);
      return found == places.end() ? order.size() : found->second;
    });
  }

  InputFile file_;
  FlatTable root_;
  std::vector<FlatTable> buffers_;
  EdgeModel found_;
};

} // namespace
} // namespace litert

EdgeModel read_litert_model(const std::filesystem::path& file) {
  return litert::LiteRtReader(file).read();
}

} // namespace model_validator
