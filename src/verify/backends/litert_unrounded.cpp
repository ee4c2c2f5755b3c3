#include "verify/backends/litert_unrounded.h"

#include "files/flat_table.h"
#include "introspection/litert_schema.h"
#include "verify/backends/litert_numbers.h"

#include <model_validator/error.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <set>

namespace model_validator::verify {
namespace {

using namespace litert;

/// Numbers of `BuiltinOperator`.
enum Builtin : std::int32_t {
  conv_2d = 3,
  depthwise_conv_2d = 4,
  dequantise = 6,
  fully_connected_layer = 9,
  custom_operator = 32,
  cast = 53,
  transpose_conv = 67,
  quantise = 114,
  conv_3d = 132
};

/// Where a layer has its operands, and how PyTorch orders the axes of its weight.
struct LayerKind {
  std::int32_t builtin;
  std::size_t value, weight, bias;
  std::vector<std::size_t> order;
};
const std::vector<LayerKind>& layer_kinds() {
  static const std::vector<LayerKind> kinds{{conv_2d, 0, 1, 2, {0, 3, 1, 2}},
                                            {depthwise_conv_2d, 0, 1, 2, {3, 0, 1, 2}},
                                            {fully_connected_layer, 0, 1, 2, {}},
                                            {transpose_conv, 2, 1, 3, {3, 0, 1, 2}},
                                            {conv_3d, 0, 1, 2, {4, 3, 0, 1, 2}}};
  return kinds;
}

constexpr std::size_t max_numbers = std::size_t{1} << 29; ///< of one tensor: its size is 32 bits
/// Two bits become 32. A file that would grow by more has buffers that share their bytes.
constexpr std::uint64_t max_growth = 16;

struct SteppedTensor {
  FlatTable table;
  std::string name;
  std::uint32_t buffer = 0;
  StoredSteps steps;
  bool is_stored = false, is_rewritten = false;
  std::string layer = {};              ///< that reads it
  std::vector<std::size_t> order = {}; ///< of its axes in PyTorch; none: as they are
};

struct EdgeOperator {
  FlatTable table;
  std::int32_t builtin;
  std::vector<std::int32_t> inputs, outputs;
};

struct EdgeGraph {
  std::vector<SteppedTensor> tensors;
  std::vector<EdgeOperator> operators;

  SteppedTensor* tensor(const std::vector<std::int32_t>& values, std::size_t place) {
    const std::int64_t value = place < values.size() ? values[place] : -1;
    return value < 0 || value >= std::ssize(tensors) ? nullptr
                                                     : &tensors[static_cast<std::size_t>(value)];
  }
};

/// The file as it is, in which single fields are written over; what is larger comes behind it.
class PatchedCopy {
public:
  PatchedCopy(const InputFile& from, std::filesystem::path to)
      : path_(std::move(to)), stream_(path_, std::ios::binary), size_(from.size()) {
    constexpr std::size_t at_a_time = 1 << 20;
    for (std::uint64_t at = 0; at < size_; at += at_a_time) stream_ << from.read_at(at, at_a_time);
  }

  template <class Number> void write(std::optional<std::uint64_t> at, Number value) {
    if (!at) return;
    stream_.seekp(static_cast<std::streamoff>(*at));
    stream_.write(reinterpret_cast<const char*>(&value), sizeof value);
  }

  /// Behind all else, after their size in bytes. @returns where the numbers begin
  std::uint64_t append(const std::vector<float>& numbers) {
    constexpr std::uint64_t alignment = 16;
    const std::uint64_t bytes = numbers.size() * sizeof(float);
    const auto size = static_cast<std::uint32_t>(bytes);
    const std::uint64_t at = (size_ + sizeof size + alignment - 1) / alignment * alignment;
    write<std::uint32_t>(at - sizeof size, size);
    stream_.write(reinterpret_cast<const char*>(numbers.data()),
                  static_cast<std::streamsize>(bytes));
    size_ = at + bytes;
    return at;
  }

  const std::filesystem::path& close() {
    stream_.close();
    if (stream_.fail())
      throw Error(ErrorKind::cannot_write, path_.string(), "the model made float is not written");
    return path_;
  }

private:
  std::filesystem::path path_;
  std::ofstream stream_;
  std::uint64_t size_;
};

class FloatModel {
public:
  FloatModel(const std::filesystem::path& path, const FindOwnWeight& find_own)
      : file_(path), root_(FlatTable::root(file_)), codes_(root_.tables(model::operator_codes)),
        buffers_(root_.tables(model::buffers)), find_own_(find_own) {
    for (const FlatTable& each : root_.tables(model::subgraphs)) graphs_.push_back(graph_of(each));
  }

  std::filesystem::path write(const std::filesystem::path& to) {
    for (EdgeGraph& graph : graphs_) prepare(graph);
    require_one_meaning();
    PatchedCopy copy(file_, to);
    for (EdgeGraph& graph : graphs_)
      for (SteppedTensor& tensor : graph.tensors)
        if (tensor.is_rewritten) rewrite(tensor, copy);
    for (const FlatTable& code : codes_) rewrite_code(code, copy);
    return copy.close();
  }

private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorKind::backend_refused, file_.path().string(),
                "the file cannot be computed in float32: " + why);
  }

  /// Files of before 2020 have it in eight bits alone.
  static std::int32_t builtin_of(const FlatTable& code) {
    return std::max<std::int32_t>(code.number<std::int32_t>(operator_code::builtin),
                                  code.number<std::int8_t>(operator_code::old_builtin));
  }

  EdgeOperator operator_of(const FlatTable& from) const {
    const auto code = from.number<std::uint32_t>(op::code);
    if (code >= codes_.size()) refuse("an operator has no kind");
    return {from, builtin_of(codes_[code]), from.numbers<std::int32_t>(op::inputs),
            from.numbers<std::int32_t>(op::outputs)};
  }

  EdgeGraph graph_of(const FlatTable& from) const {
    EdgeGraph graph;
    for (const FlatTable& each : from.tables(graph::tensors))
      graph.tensors.push_back(tensor_of(each));
    for (const FlatTable& each : from.tables(graph::operators))
      graph.operators.push_back(operator_of(each));
    return graph;
  }

  SteppedTensor tensor_of(const FlatTable& from) const {
    SteppedTensor tensor{
        from, from.text(tensor::name), from.number<std::uint32_t>(tensor::buffer), {}};
    if (tensor.buffer >= buffers_.size()) refuse("a tensor has no buffer");
    const FlatTable& buffer = buffers_[tensor.buffer];
    tensor.is_stored = buffer.count(buffer::data) > 0 || is_behind(buffer);
    const auto type = from.number<std::uint8_t>(tensor::type);
    tensor.steps.dtype = type < dtypes.size() ? dtypes.at(type) : std::string_view();
    const auto sizes = from.numbers<std::int32_t>(tensor::shape);
    tensor.steps.shape.assign(sizes.begin(), sizes.end());
    if (const auto steps = from.table(tensor::quantisation)) {
      if (steps->number<std::uint8_t>(quantisation::details_type) == quantisation::in_blocks)
        refuse("`" + tensor.name + "` has scales for blocks of its numbers");
      tensor.steps.scales = steps->numbers<float>(quantisation::scales);
      tensor.steps.zero_points = steps->numbers<std::int64_t>(quantisation::zero_points);
      tensor.steps.axis = steps->number<std::int32_t>(quantisation::axis);
    }
    return tensor;
  }

  /// Its numbers lie behind the tables.
  static bool is_behind(const FlatTable& buffer) {
    return buffer.number<std::uint64_t>(buffer::offset) > 1;
  }

  static void prepare_layer(EdgeGraph& graph, const EdgeOperator& layer, const LayerKind& kind) {
    const SteppedTensor* value = graph.tensor(layer.inputs, kind.value);
    SteppedTensor* weight = graph.tensor(layer.inputs, kind.weight);
    SteppedTensor* bias = graph.tensor(layer.inputs, kind.bias);
    if (weight != nullptr) weight->order = kind.order;
    if (value == nullptr || weight == nullptr || bias == nullptr) return;
    if (!bias->is_stored || !bias->steps.scales.empty() || value->steps.scales.size() != 1) return;
    for (const float scale : weight->steps.scales) // which runtimes take where the file has none
      bias->steps.scales.push_back(scale * value->steps.scales.front());
  }

  void prepare(EdgeGraph& graph) const {
    for (const EdgeOperator& each : graph.operators)
      for (const LayerKind& kind : layer_kinds())
        if (kind.builtin == each.builtin) prepare_layer(graph, each, kind);
    for (SteppedTensor& tensor : graph.tensors)
      tensor.is_rewritten =
          !tensor.steps.scales.empty() && is_in_steps(tensor.steps.dtype, tensor.is_stored);
    for (const EdgeOperator& each : graph.operators) look_at(graph, each);
  }

  void look_at(EdgeGraph& graph, const EdgeOperator& reader) const {
    const SteppedTensor* made = graph.tensor(reader.outputs, 0);
    for (std::size_t i = 0; i < reader.inputs.size(); ++i) {
      SteppedTensor* read = graph.tensor(reader.inputs, i);
      if (read == nullptr || !read->is_rewritten) continue;
      if (made != nullptr && read->layer.empty()) read->layer = made->name;
      if (reader.builtin == custom_operator)
        refuse("an operator that is not LiteRT's own reads `" + read->name + "`");
    }
    const auto options =
        reader.builtin == fully_connected_layer ? reader.table.table(op::options) : std::nullopt;
    if (options && options->number<std::uint8_t>(fully_connected::weights_format) != 0)
      refuse("the weight of a layer lies in an order of its own");
  }

  /// One stored vector may be the numbers of several tensors.
  void require_one_meaning() {
    std::map<std::uint32_t, const SteppedTensor*> of_buffer;
    for (const EdgeGraph& graph : graphs_)
      for (const SteppedTensor& tensor : graph.tensors) {
        if (!tensor.is_stored) continue;
        const auto [first, is_new] = of_buffer.emplace(tensor.buffer, &tensor);
        const SteppedTensor& other = *first->second;
        if (!is_new && (tensor.is_rewritten || other.is_rewritten) && tensor.steps != other.steps)
          refuse("`" + tensor.name + "` and `" + other.name +
                 "` have the same bytes, which stand for other numbers");
      }
  }

  void rewrite(SteppedTensor& tensor, PatchedCopy& copy) {
    if (tensor.is_stored && written_.insert(tensor.buffer).second) store(tensor, copy);
    copy.write<std::uint8_t>(tensor.table.place(tensor::type), 0); // float32
    const auto steps = tensor.table.table(tensor::quantisation);
    if (!steps) return;
    for (const int list : {quantisation::scales, quantisation::zero_points})
      copy.write<std::uint32_t>(steps->vector_place(list), 0);
    copy.write<std::uint8_t>(steps->place(quantisation::details_type), 0);
  }

  void store(const SteppedTensor& tensor, PatchedCopy& copy) {
    const FlatTable& buffer = buffers_[tensor.buffer];
    auto numbers = numbers_of(tensor.steps, bytes_of(buffer), tensor.order);
    if (!numbers) refuse("`" + tensor.name + "` has more or fewer numbers than its sizes say");
    numbers->layer = tensor.layer;
    numbers->name = tensor.name;
    if (numbers->numbers.size() > max_numbers) refuse("it is too large");
    stored_bytes_ += numbers->numbers.size() * sizeof(float);
    if (stored_bytes_ > max_growth * file_.size()) refuse("its buffers share their bytes");
    const auto own = find_own_(*numbers);
    const std::uint64_t at = copy.append(
        as_stored(tensor.steps.shape, tensor.order,
                  own.size() == numbers->numbers.size() ? own : std::move(numbers->numbers)));
    if (is_behind(buffer)) {
      copy.write<std::uint64_t>(buffer.place(buffer::offset), at);
      copy.write<std::uint64_t>(buffer.place(buffer::size), numbers->steps.size() * sizeof(float));
      return;
    }
    const std::uint64_t from = buffer.place(buffer::data).value();
    const std::uint64_t forward = at - sizeof(std::uint32_t) - from;
    if (forward > std::numeric_limits<std::int32_t>::max()) refuse("it is too large");
    copy.write(std::optional(from), static_cast<std::uint32_t>(forward));
  }

  std::string bytes_of(const FlatTable& buffer) const {
    if (!is_behind(buffer)) {
      const auto bytes = buffer.numbers<char>(buffer::data);
      return {bytes.begin(), bytes.end()};
    }
    const auto offset = buffer.number<std::uint64_t>(buffer::offset),
               size = buffer.number<std::uint64_t>(buffer::size);
    if (offset > file_.size() || size > file_.size() - offset) refuse("it is cut off");
    return file_.read_at(offset, static_cast<std::size_t>(size));
  }

  /// What rounds, or takes what is rounded, hands its values on: a cast to float32 does.
  void rewrite_code(const FlatTable& code, PatchedCopy& copy) const {
    const std::int32_t builtin = builtin_of(code);
    if (builtin != quantise && builtin != dequantise) return;
    copy.write<std::int8_t>(code.place(operator_code::old_builtin), cast);
    copy.write<std::int32_t>(code.place(operator_code::builtin), cast);
    if (code.number<std::int32_t>(operator_code::version) > 1)
      copy.write<std::int32_t>(code.place(operator_code::version), 1);
  }

  InputFile file_;
  FlatTable root_;
  std::vector<FlatTable> codes_, buffers_;
  const FindOwnWeight& find_own_;
  std::vector<EdgeGraph> graphs_;
  std::set<std::uint32_t> written_; ///< buffers
  std::uint64_t stored_bytes_ = 0;  ///< behind the file, in float32
};

} // namespace

UnroundedFile write_unrounded_litert(const std::filesystem::path& model,
                                     const std::filesystem::path& to,
                                     const FindOwnWeight& find_own) {
  return {FloatModel(model, find_own).write(to), true};
}

} // namespace model_validator::verify
