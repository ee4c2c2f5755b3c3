#include "verify/reduce/onnx_cut.h"

#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/names_read.h"
#include "connected_graph/onnx/onnx_file.h"
#include "connected_graph/onnx/stored_tensors.h"
#include "files/plain_file.h"
#include "verify/backends/onnx_copy.h"
#include "verify/backends/onnx_types.h"
#include "verify/inputs/strided_copy.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <set>

namespace model_validator::verify {
namespace {

using onnx_format::OnnxFile;

/// One ONNX file holds less than 2 GiB; what is around the weights is small.
constexpr std::uint64_t max_bytes_in_file = std::uint64_t{3} << 29;
/// Smaller ones are numbers that say what is to be computed.
constexpr std::size_t max_numbers_kept = 8;

onnx::ValueInfoProto info_of(const std::string& name, const TensorView& view) {
  onnx::ValueInfoProto info;
  info.set_name(name);
  auto& type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx_type_of(view.dtype));
  type.mutable_shape();
  for (const std::int64_t size : view.shape) type.mutable_shape()->add_dim()->set_dim_value(size);
  return info;
}

onnx::TensorProto stored(const NamedTensor& value) {
  const Tensor dense = row_major(value.tensor);
  onnx::TensorProto tensor;
  tensor.set_name(value.name);
  tensor.set_data_type(onnx_type_of(dense.view.dtype));
  for (const std::int64_t size : dense.view.shape) tensor.add_dims(size);
  const auto count = static_cast<std::size_t>(element_count(dense.view));
  tensor.set_raw_data(static_cast<const char*>(dense.view.data),
                      count * element_size(dense.view.dtype));
  return tensor;
}

/// Random ones about as large; none is negative where none was, as of variances and scales.
class RandomWeights {
public:
  void replace(onnx::TensorProto& tensor) {
    std::vector<float> numbers = floats_in(tensor);
    if (numbers.size() <= max_numbers_kept) return;
    double sum = 0, squares = 0;
    for (const float number : numbers) {
      sum += number;
      squares += double{number} * number;
    }
    const auto count = static_cast<double>(numbers.size());
    const double mean = sum / count,
                 spread = std::sqrt(std::max(0., squares / count - mean * mean));
    if (!std::isfinite(spread) || spread == 0) return;
    const bool signless = *std::ranges::min_element(numbers) >= 0;
    // Not `normal_distribution`, which gives other numbers in each standard library.
    for (float& number : numbers) {
      const double drawn =
          mean + spread * (uniform() + uniform() + uniform() + uniform() - 2) * 1.7;
      number = static_cast<float>(signless ? std::abs(drawn) : drawn);
    }
    store(numbers, tensor);
  }

private:
  double uniform() { return static_cast<double>(random_()) / 4294967296.; }
  std::mt19937 random_{0};
};

onnx::ModelProto begun(const onnx::ModelProto& whole) {
  onnx::ModelProto model;
  model.set_ir_version(whole.ir_version());
  *model.mutable_opset_import() = whole.opset_import();
  model.set_producer_name(whole.producer_name());
  model.set_producer_version(whole.producer_version());
  model.mutable_graph()->set_name("reduced");
  return model;
}

void note_calls(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes,
                std::set<std::string>& called) {
  for (const auto& node : nodes) {
    called.insert(node.domain() + "::" + node.op_type());
    for (const auto* graph : onnx_format::graphs_of(node)) note_calls(graph->node(), called);
  }
}

/// Those that are called, also by others.
void add_functions(const OnnxFile& file, onnx::ModelProto& model) {
  std::set<std::string> called;
  note_calls(model.graph().node(), called);
  std::set<const onnx::FunctionProto*> added;
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& function : file.model.functions())
      if (called.contains(function.domain() + "::" + function.name()) &&
          added.insert(&function).second) {
        note_calls(function.node(), called);
        grows = true;
      }
  }
  for (const auto& function : file.model.functions())
    if (added.contains(&function)) *model.add_functions() = function;
  for (auto& function : *model.mutable_functions())
    for (auto& node : *function.mutable_node()) onnx_format::restore_tensors(node, file);
}

class CutWriter {
public:
  CutWriter(const OnnxFile& file, const OnnxCut& cut) : file_(file), cut_(cut) {
    const onnx::GraphProto& graph = file.model.graph();
    for (const auto* list : {&graph.value_info(), &graph.output(), &graph.input()})
      for (const auto& value : *list) types_[value.name()] = &value;
    for (const auto& node : graph.node())
      if (is_constant_node(node))
        constants_[node.output(0)] = &node;
      else
        nodes_.push_back(&node);
  }

  onnx::ModelProto make() {
    onnx::ModelProto model = begun(file_.model);
    onnx::GraphProto& graph = *model.mutable_graph();
    add_values(graph);
    for (const std::size_t number : cut_.nodes) *graph.add_node() = *nodes_.at(number);
    add_types(graph);
    add_functions(file_, model);
    restore_tensors(graph, file_);
    if (cut_.random_weights) randomise(graph);
    for (const NamedTensor& value : cut_.constants) *graph.add_initializer() = stored(value);
    return model;
  }

private:
  void add_values(onnx::GraphProto& graph) {
    for (const NamedTensor& input : cut_.inputs) *graph.add_input() = type_of_input(input);
    std::set<std::string> read(cut_.outputs.begin(), cut_.outputs.end());
    for (const std::size_t number : cut_.nodes)
      for (std::string& name : onnx_format::names_read(*nodes_.at(number)))
        read.insert(std::move(name));
    const onnx::GraphProto& whole = file_.model.graph();
    for (const auto& tensor : whole.initializer())
      if (read.contains(tensor.name())) {
        *graph.add_initializer() = tensor;
        for (const auto& input : whole.input()) // as files of before IR version 4 have them
          if (input.name() == tensor.name()) *graph.add_input() = input;
      }
    for (const auto& sparse : whole.sparse_initializer())
      if (read.contains(sparse.values().name())) *graph.add_sparse_initializer() = sparse;
    for (const auto& [name, node] : constants_)
      if (read.contains(name)) *graph.add_node() = *node;
  }

  onnx::ValueInfoProto type_of_input(const NamedTensor& input) const {
    const auto declared = types_.find(input.name);
    if (cut_.as_declared && declared != types_.end() && declared->second->has_type())
      return *declared->second;
    return info_of(input.name, input.tensor.view);
  }

  void add_types(onnx::GraphProto& graph) const {
    std::set<std::string> listed;
    for (const std::string& name : cut_.outputs) {
      auto& output = *graph.add_output();
      listed.insert(name);
      const auto declared = types_.find(name);
      const auto example = std::ranges::find(cut_.examples, name, &NamedTensor::name);
      if (declared != types_.end())
        output = *declared->second;
      else if (example != cut_.examples.end())
        output = info_of(name, example->tensor.view);
      else // which the runtime infers
        output.set_name(name);
    }
    for (const std::size_t number : cut_.nodes)
      for (const std::string& name : nodes_.at(number)->output())
        if (const auto type = types_.find(name); type != types_.end() && listed.insert(name).second)
          *graph.add_value_info() = *type->second;
  }

  static void randomise(onnx::GraphProto& graph) {
    RandomWeights random;
    for (auto& tensor : *graph.mutable_initializer()) random.replace(tensor);
    for (auto& node : *graph.mutable_node())
      if (is_constant_node(node) && node.attribute(0).has_t())
        random.replace(*node.mutable_attribute(0)->mutable_t());
  }

  const OnnxFile& file_;
  const OnnxCut& cut_;
  std::map<std::string, const onnx::ValueInfoProto*> types_;
  std::map<std::string, const onnx::NodeProto*> constants_;
  std::vector<const onnx::NodeProto*> nodes_;
};

void add_entry(onnx::TensorProto& tensor, const char* key, const std::string& value) {
  auto& entry = *tensor.add_external_data();
  entry.set_key(key);
  entry.set_value(value);
}

void move_weights(onnx::GraphProto& graph, const std::filesystem::path& file) {
  std::uint64_t offset = 0;
  write_plain_file(file, [&](std::ostream& out) {
    for (auto& tensor : *graph.mutable_initializer()) {
      const std::string bytes = std::move(*tensor.mutable_raw_data());
      if (bytes.empty()) continue;
      tensor.clear_raw_data();
      tensor.set_data_location(onnx::TensorProto::EXTERNAL);
      add_entry(tensor, "location", file.filename().string());
      add_entry(tensor, "offset", std::to_string(offset));
      add_entry(tensor, "length", std::to_string(bytes.size()));
      out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      offset += bytes.size();
    }
  });
}

} // namespace

bool is_constant_node(const onnx::NodeProto& node) {
  return onnx_format::is_default_domain(node.domain()) && node.op_type() == "Constant" &&
         node.output_size() == 1;
}

namespace {

void write(onnx::ModelProto& model, const std::filesystem::path& file) {
  std::uint64_t bytes = 0;
  for (const auto& tensor : model.graph().initializer()) bytes += tensor.raw_data().size();
  if (bytes > max_bytes_in_file) move_weights(*model.mutable_graph(), file.string() + ".data");
  write_onnx_copy(model, file);
}

/// What a body reads of the weights and constants around it.
void add_outer_values(const onnx::GraphProto& outer, const std::set<std::string>& read,
                      onnx::GraphProto& graph) {
  for (const auto& tensor : outer.initializer())
    if (read.contains(tensor.name())) *graph.add_initializer() = tensor;
  const auto nodes = graph.node();
  graph.clear_node();
  for (const auto& node : outer.node())
    if (is_constant_node(node) && read.contains(node.output(0))) *graph.add_node() = node;
  for (const auto& node : nodes) *graph.add_node() = node;
}

} // namespace

void write_onnx_cuts(const std::filesystem::path& model, const std::vector<OnnxCut>& cuts,
                     const std::vector<std::filesystem::path>& files) {
  const OnnxFile whole(model);
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    onnx::ModelProto made = CutWriter(whole, cuts[i]).make();
    write(made, files.at(i));
  }
}

void write_onnx_body(const std::filesystem::path& model, const OnnxOpenedBody& opened,
                     const std::filesystem::path& file) {
  const OnnxFile whole(model);
  std::vector<const onnx::NodeProto*> nodes;
  for (const auto& node : whole.model.graph().node())
    if (!is_constant_node(node)) nodes.push_back(&node);
  const onnx::NodeProto& node = *nodes.at(opened.node);
  const auto read = onnx_format::names_read(node);
  onnx::ModelProto made = begun(whole.model);
  onnx::GraphProto& graph = *made.mutable_graph();
  graph = *onnx_format::graphs_of(node).at(opened.body);
  graph.clear_input();
  for (const NamedTensor& input : opened.inputs)
    *graph.add_input() = info_of(input.name, input.tensor.view);
  add_outer_values(whole.model.graph(), {read.begin(), read.end()}, graph);
  add_functions(whole, made);
  onnx_format::restore_tensors(graph, whole);
  write(made, file);
}

} // namespace model_validator::verify
