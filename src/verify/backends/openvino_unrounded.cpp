#include "verify/backends/openvino_unrounded.h"

#include "files/input_file.h"
#include "introspection/openvino_ir.h"
#include "verify/backends/openvino_moved.h"
#include "verify/backends/openvino_stored.h"

#include <model_validator/error.h>

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

namespace model_validator::verify {
namespace {

/// As a value of an attribute.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

std::string spelled(at::IntArrayRef sizes) {
  std::string text;
  for (const std::int64_t size : sizes) text += (text.empty() ? "" : ",") + std::to_string(size);
  return text;
}

template <class Number> std::vector<Number> listed(const at::Tensor& tensor) {
  const auto dense = tensor.contiguous();
  return {dense.const_data_ptr<Number>(), dense.const_data_ptr<Number>() + dense.numel()};
}

/// Where the reference has what OpenVINO has at each place of the gates of a recurrent layer.
struct Gates {
  std::string_view layer;
  std::vector<std::size_t> in_pytorch, in_onnx;
};
const std::vector<std::size_t>* gates_of(const std::string& type, const at::Tensor& weight,
                                         GateOrder order) {
  static const std::array<Gates, 2> all{{{"LSTM", {1, 0, 2, 3}, {1, 3, 0, 2}}, // from f, i, c, o
                                         {"GRU", {1, 0, 2}, {0, 1, 2}}}};      // from z, r, h
  const auto found =
      std::ranges::find_if(all, [&](const Gates& each) { return type.starts_with(each.layer); });
  if (found == all.end() || weight.dim() < 2) return nullptr;
  const auto& places = order == GateOrder::of_pytorch ? found->in_pytorch : found->in_onnx;
  // A state has one row.
  return weight.size(-2) % static_cast<std::int64_t>(places.size()) == 0 ? &places : nullptr;
}

/// The parts of a tensor along its last axis but one, in another order.
at::Tensor reordered(const at::Tensor& tensor, const std::vector<std::size_t>& order) {
  const auto parts = tensor.chunk(static_cast<std::int64_t>(order.size()), -2);
  std::vector<at::Tensor> placed;
  for (const std::size_t place : order) placed.push_back(parts.at(place));
  return at::cat(placed, -2);
}

std::vector<std::size_t> inverse_of(const std::vector<std::size_t>& order) {
  std::vector<std::size_t> inverse(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) inverse[order[i]] = i;
  return inverse;
}

/// As PyTorch has it: without the sizes of a vector that say nothing, and a kernel of a grouped
/// convolution without the axis of its groups.
std::vector<std::int64_t> sizes_in(const at::Tensor& weight, const std::string& reader) {
  std::vector<std::int64_t> sizes = weight.sizes().vec();
  if (std::ranges::count_if(sizes, [](std::int64_t size) { return size != 1; }) < 2)
    return {weight.numel()};
  if (reader.starts_with("GroupConvolution")) {
    sizes[1] *= sizes[0];
    sizes.erase(sizes.begin());
  }
  return sizes;
}

class FloatIr {
public:
  FloatIr(const std::filesystem::path& model, std::filesystem::path to,
          const FindOwnWeight& find_own, GateOrder order)
      : text_(read_ir_text(model)), ir_(read_openvino_ir(model, text_)), numbers_(ir_),
        readers_(ir_.readers()), is_stored_(ir_.stored()),
        moved_(ir_, numbers_, readers_, is_stored_), to_(std::move(to)), find_own_(find_own),
        order_(order) {}

  UnroundedFile write() {
    copy_weights();
    for (std::size_t i = 0; i < ir_.layers.size(); ++i) {
      if (ir_.layers[i].type == "FakeQuantize")
        pass_on(i);
      else if (is_used_in_few_bits(i))
        store(i);
    }
    write_text();
    weights_.close();
    if (weights_.fail())
      throw Error(ErrorKind::cannot_write, to_.string(), "the model made float is not written");
    return {to_, is_complete_};
  }

private:
  struct Edit {
    IrText place;
    std::string words;
  };

  void copy_weights() {
    auto path = to_;
    path.replace_extension(".bin");
    std::filesystem::remove(path); // a model before may have it in its memory
    weights_.open(path, std::ios::binary);
    if (ir_.weights.empty()) return;
    weights_ << std::ifstream(ir_.weights, std::ios::binary).rdbuf();
    size_ = InputFile(ir_.weights).size();
  }

  /// What something else than other stored numbers reads, and is made of numbers in few bits.
  bool is_used_in_few_bits(std::size_t layer) const {
    const auto is_use = [&](std::size_t reader) { return !is_stored_[reader]; };
    const auto& outputs = ir_.layers[layer].outputs;
    return is_stored_[layer] && numbers_.are_in_few_bits(layer) && outputs.size() == 1 &&
           outputs.front().dtype.starts_with("float") &&
           std::ranges::any_of(readers_[layer], is_use);
  }

  std::string element(const IrLayer& layer, const std::string& type,
                      const std::string& data) const {
    const IrText& outputs = layer.outputs_text;
    return "<layer id=\"" + escaped(layer.id) + "\" name=\"" + escaped(layer.name) + "\" type=\"" +
           type + "\" version=\"opset1\">" + data +
           text_.substr(outputs.begin, outputs.end - outputs.begin) + "</layer>";
  }

  void replace(std::size_t layer, std::string element) {
    edits_.push_back({ir_.layers[layer].text, std::move(element)});
  }
  void cut_inputs(std::size_t layer, int from) {
    for (const auto& [input, source] : ir_.sources[layer])
      if (input >= from) edits_.push_back({source.edge, ""});
  }

  /// A conversion to what a value is hands it on.
  void pass_on(std::size_t layer) {
    replace(layer, element(ir_.layers[layer], "Convert",
                           "<data destination_type=\"f32\"/><input><port id=\"0\"/></input>"));
    cut_inputs(layer, 1);
  }

  void store(std::size_t layer) {
    const auto stored = numbers_.of(layer);
    if (!stored || !ir_.layers[layer].gives("float32")) {
      is_complete_ = false;
      return;
    }
    put(layer, own_numbers(*stored, layer));
    for (const std::size_t reader : readers_[layer])
      if (!is_stored_[reader]) put_bias(*stored, reader);
  }

  /// Makes a layer a constant.
  void put(std::size_t layer, const at::Tensor& numbers) {
    if (!is_put_.insert(layer).second) return;
    const at::Tensor dense = numbers.contiguous();
    constexpr std::uint64_t alignment = 64;
    for (; size_ % alignment != 0; ++size_) weights_.put('\0');
    const auto bytes = static_cast<std::uint64_t>(dense.nbytes());
    replace(layer, element(ir_.layers[layer], "Const",
                           "<data element_type=\"f32\" shape=\"" + spelled(dense.sizes()) +
                               "\" offset=\"" + std::to_string(size_) + "\" size=\"" +
                               std::to_string(bytes) + "\"/>"));
    cut_inputs(layer, 0);
    weights_.write(static_cast<const char*>(dense.const_data_ptr()),
                   static_cast<std::streamsize>(bytes));
    size_ += bytes;
  }

  at::Tensor own_numbers(const StoredIrNumbers& stored, std::size_t layer) const {
    const std::size_t reader =
        *std::ranges::find_if(readers_[layer], [&](std::size_t each) { return !is_stored_[each]; });
    const std::string& type = ir_.layers[reader].type;
    const auto* gates = gates_of(type, stored.numbers, order_);
    const auto ordered = [&](const at::Tensor& tensor) {
      return gates == nullptr ? tensor : reordered(tensor, *gates);
    };
    const at::Tensor factor = moved_.factor_at(reader);
    const auto found =
        find_own_({ir_.layers[reader].name, stored.name, sizes_in(stored.numbers, type),
                   listed<float>(ordered(stored.numbers * factor)),
                   listed<float>(ordered(stored.steps * factor.abs())),
                   listed<std::int8_t>(ordered((stored.ends * factor.sign()).to(at::kChar)))});
    if (static_cast<std::int64_t>(found.size()) != stored.numbers.numel()) return stored.numbers;
    const auto own = at::tensor(found).view(stored.numbers.sizes());
    return (gates == nullptr ? own : reordered(own, inverse_of(*gates))) / factor;
  }

  void put_bias(const StoredIrNumbers& weight, std::size_t layer) {
    const auto bias = moved_.bias_of(layer, weight);
    if (!bias) return;
    const auto steps = listed<float>(bias->steps);
    const auto own = find_own_({ir_.layers[layer].name, ir_.layers[bias->constant].name,
                                std::vector{bias->numbers.numel()}, listed<float>(bias->numbers),
                                steps, std::vector<std::int8_t>(steps.size(), 0), true});
    if (own.size() == steps.size())
      put(bias->constant, at::tensor(own).view(bias->numbers.sizes()));
  }

  void write_text() {
    std::ranges::sort(edits_, {}, [](const Edit& edit) { return edit.place.begin; });
    std::ofstream stream(to_, std::ios::binary);
    std::size_t at = 0;
    for (const Edit& edit : edits_) {
      stream << text_.substr(at, edit.place.begin - at) << edit.words;
      at = edit.place.end;
    }
    stream << text_.substr(at);
    if (!stream.flush())
      throw Error(ErrorKind::cannot_write, to_.string(), "the model made float is not written");
  }

  std::string text_;
  OpenVinoIr ir_;
  IrNumbers numbers_;
  std::vector<std::vector<std::size_t>> readers_;
  std::vector<bool> is_stored_;
  MovedLayers moved_;
  std::filesystem::path to_;
  const FindOwnWeight& find_own_;
  GateOrder order_;
  std::ofstream weights_;
  std::uint64_t size_ = 0; ///< of the weights
  std::vector<Edit> edits_;
  std::set<std::size_t> is_put_;
  bool is_complete_ = true;
};

} // namespace

UnroundedFile write_unrounded_openvino(const std::filesystem::path& model,
                                       const std::filesystem::path& to,
                                       const FindOwnWeight& find_own, GateOrder order) {
  return FloatIr(model, to, find_own, order).write();
}

} // namespace model_validator::verify
