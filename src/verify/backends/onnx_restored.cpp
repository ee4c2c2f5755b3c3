#include "verify/backends/onnx_restored.h"

#include "verify/backends/onnx_copy.h"

#include <model_validator/data/contains.h>

#include <map>
#include <optional>

namespace model_validator::verify {
namespace {

std::string bytes_of(const onnx::TensorProto& tensor) {
  if (!tensor.raw_data().empty()) return tensor.raw_data();
  std::string bytes;
  for (const auto number : tensor.int32_data()) bytes += static_cast<char>(number);
  return bytes;
}

std::int64_t attribute_of(const onnx::NodeProto& node, const std::string& name) {
  for (const auto& attribute : node.attribute())
    if (attribute.name() == name) return attribute.i();
  return 0;
}

/// Whole numbers of few bits, the first in the low bits of a byte.
class PackedNumbers {
public:
  PackedNumbers(std::string bytes, int bits) : bytes_(std::move(bytes)), bits_(bits) {}
  float at(std::size_t place) const {
    const auto in_byte = static_cast<std::size_t>(8 / bits_);
    const auto byte = static_cast<unsigned char>(bytes_.at(place / in_byte));
    const auto shift = static_cast<int>(place % in_byte) * bits_;
    return static_cast<float>((byte >> shift) & ((1 << bits_) - 1));
  }
  /// How many a row takes that begins at a byte.
  std::size_t in_row(std::size_t count) const {
    const auto in_byte = static_cast<std::size_t>(8 / bits_);
    return (count + in_byte - 1) / in_byte * in_byte;
  }

private:
  std::string bytes_;
  int bits_;
};

using Stored = std::map<std::string, const onnx::TensorProto*>;

/// What a `MatMulNBits` node multiplies with.
class BlockedWeight {
public:
  BlockedWeight(const onnx::NodeProto& node, const Stored& stored) : node_(node), stored_(stored) {}

  /// None where its weights are not stored, or their columns in another order.
  std::optional<FewBitWeight> read() const {
    FewBitWeight weight{node_.name(), attribute_of(node_, "N"), attribute_of(node_, "K")};
    weight.how.weights = Narrowing::Weights::whole_numbers;
    weight.how.bits = static_cast<int>(attribute_of(node_, "bits"));
    weight.how.block = attribute_of(node_, "block_size");
    weight.how.has_zero_point = input(3) != nullptr;
    const bool is_readable = weight.how.bits > 0 && 8 % weight.how.bits == 0 &&
                             weight.how.block > 0 && weight.rows > 0 && weight.columns > 0;
    const bool is_reordered = node_.input_size() > 4 && !node_.input(4).empty();
    if (!is_readable || is_reordered || input(1) == nullptr || input(2) == nullptr) return {};
    // Others compute in halves.
    if (input(2)->data_type() != onnx::TensorProto::FLOAT) return {};
    multiply(weight);
    return weight;
  }

private:
  static constexpr int zero_points = 3;

  const onnx::TensorProto* input(int place) const {
    if (place >= node_.input_size()) return nullptr;
    const auto found = stored_.find(node_.input(place));
    return found == stored_.end() ? nullptr : found->second;
  }

  void multiply(FewBitWeight& weight) const {
    const auto rows = static_cast<std::size_t>(weight.rows);
    const auto columns = static_cast<std::size_t>(weight.columns);
    const auto block = static_cast<std::size_t>(weight.how.block);
    const std::size_t blocks = (columns + block - 1) / block;
    const PackedNumbers steps(bytes_of(*input(1)), weight.how.bits);
    const auto scales = floats_in(*input(2));
    const auto zeros = zero_points_of(rows, blocks, weight.how.bits);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t at = row * blocks + column / block;
        weight.numbers.push_back((steps.at(at * block + column % block) - zeros.at(at)) *
                                 scales.at(at));
      }
  }

  std::vector<float> zero_points_of(std::size_t rows, std::size_t blocks, int bits) const {
    const onnx::TensorProto* given = input(zero_points);
    if (given == nullptr)
      return std::vector<float>(rows * blocks, static_cast<float>(1 << (bits - 1)));
    if (auto floats = floats_in(*given); !floats.empty()) return floats;
    const PackedNumbers packed(bytes_of(*given), bits);
    std::vector<float> zeros;
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t i = 0; i < blocks; ++i)
        zeros.push_back(packed.at(row * packed.in_row(blocks) + i));
    return zeros;
  }

  const onnx::NodeProto& node_;
  const Stored& stored_;
};

/// The node becomes a product with a stored matrix, and a sum where it had a bias.
void restore(const onnx::NodeProto& node, const FewBitWeight& weight,
             const std::vector<float>& numbers, onnx::GraphProto& graph) {
  constexpr int bias = 5;
  const std::string name = node.output(0) + "/weight";
  auto* stored = graph.add_initializer();
  stored->set_name(name);
  stored->add_dims(weight.columns);
  stored->add_dims(weight.rows);
  std::vector<float> turned(numbers.size());
  const auto rows = static_cast<std::size_t>(weight.rows);
  const auto columns = static_cast<std::size_t>(weight.columns);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      turned[column * rows + row] = numbers[row * columns + column];
  store(turned, *stored);
  const bool has_bias = node.input_size() > bias && !node.input(bias).empty();
  const std::string product = has_bias ? node.output(0) + "/product" : node.output(0);
  add_node(graph, "MatMul", {node.input(0), name}, {product}).set_name(node.name());
  if (has_bias) add_node(graph, "Add", {product, node.input(bias)}, {node.output(0)});
}

bool is_in_few_bits(const onnx::NodeProto& node) {
  return contains(
      {"MatMulNBits", "GatherBlockQuantized", "MatMulBnb4", "DequantizeLinear", "MatMulFpQ4"},
      node.op_type());
}

} // namespace

RestoredFile write_restored_onnx(const std::filesystem::path& model,
                                 const std::filesystem::path& folder,
                                 const FindOwnWeights& find_own) {
  auto proto = read_whole_onnx(model);
  auto& graph = *proto.mutable_graph();
  const onnx::GraphProto before = graph;
  Stored stored;
  for (const auto& tensor : before.initializer()) stored[tensor.name()] = &tensor;
  std::vector<FewBitWeight> weights;
  std::vector<int> places; // among the nodes
  for (int i = 0; i < before.node_size(); ++i)
    if (auto weight = before.node(i).op_type() == "MatMulNBits"
                          ? BlockedWeight(before.node(i), stored).read()
                          : std::nullopt) {
      weights.push_back(std::move(*weight));
      places.push_back(i);
    }
  const auto own = find_own(weights);
  RestoredFile restored{folder / "restored.onnx", true};
  graph.clear_node();
  std::size_t next = 0;
  for (int i = 0; i < before.node_size(); ++i) {
    const bool is_read = next < places.size() && places[next] == i;
    const std::size_t at = is_read ? next++ : 0;
    if (is_read && own.at(at).size() == weights[at].numbers.size()) {
      restore(before.node(i), weights[at], own[at], graph);
      continue;
    }
    restored.is_complete = restored.is_complete && !is_in_few_bits(before.node(i));
    *graph.add_node() = before.node(i);
  }
  write_onnx_copy(proto, restored.path);
  return restored;
}

} // namespace model_validator::verify
