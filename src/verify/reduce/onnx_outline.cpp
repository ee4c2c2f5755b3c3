#include "verify/reduce/onnx_outline.h"

#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/names_read.h"
#include "connected_graph/onnx/onnx_file.h"
#include "connected_graph/onnx/stored_tensors.h"
#include "connected_graph/onnx/tensor.h"
#include "introspection/digest.h"
#include "text/lists.h"
#include "verify/reduce/node_words.h"
#include "verify/reduce/onnx_cut.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>

namespace model_validator::verify {
namespace {

bool leaves_sizes_free(const onnx::ValueInfoProto& value) {
  const auto& dims = value.type().tensor_type().shape().dim();
  return value.type().has_tensor_type() &&
         std::any_of(dims.begin(), dims.end(),
                     [](const auto& dim) { return !dim.has_dim_value() || dim.dim_value() < 0; });
}

std::vector<std::string> named(const google::protobuf::RepeatedPtrField<std::string>& names) {
  std::vector<std::string> kept;
  for (const std::string& name : names)
    if (!name.empty()) kept.push_back(name);
  return kept;
}

using onnx_format::OnnxFile;

std::string digest_of(const std::string& bytes) {
  Digest digest;
  digest.add(bytes);
  return digest.text();
}

class OutlineReader {
public:
  explicit OutlineReader(const OnnxFile& file) : file_(file), graph_(file.model.graph()) {
    for (const auto& tensor : graph_.initializer()) weights_[tensor.name()] = &tensor;
    for (const auto& node : graph_.node())
      if (is_constant_node(node)) constants_[node.output(0)] = &node;
    for (const auto& opset : file.model.opset_import())
      opsets_[onnx_format::is_default_domain(opset.domain()) ? "" : opset.domain()] =
          opset.version();
  }

  OnnxOutline read() {
    for (const auto& [name, tensor] : weights_) outline_.stored.push_back(name);
    for (const auto& [name, node] : constants_) outline_.stored.push_back(name);
    for (const auto& sparse : graph_.sparse_initializer())
      outline_.stored.push_back(sparse.values().name());
    for (const auto& node : graph_.node())
      if (!is_constant_node(node)) outline_.nodes.push_back(outlined(node));
    read_ports();
    for (const auto& [domain, version] : opsets_)
      outline_.opsets.push_back((domain.empty() ? "ai.onnx" : domain) + " " +
                                std::to_string(version));
    std::set<std::string> beside;
    for (const auto& tensor : graph_.initializer())
      for (const auto& entry : tensor.external_data())
        if (entry.key() == "location") beside.insert(entry.value());
    outline_.beside.assign(beside.begin(), beside.end());
    return std::move(outline_);
  }

private:
  OnnxNode outlined(const onnx::NodeProto& node) {
    OnnxNode known;
    known.type = onnx_format::schema_of(node);
    known.name = node.name();
    known.reads = onnx_format::names_read(node);
    known.yields = named(node.output());
    known.attributes = attributes_in_words(node);
    known.identity = identity_of(node);
    for (const std::string& name : node.input())
      known.operands.push_back({name, stored_in_words(name)});
    for (const std::string& name : known.reads)
      if (std::ranges::find(node.input(), name) == node.input().end())
        known.operands.push_back({name, stored_in_words(name)});
    for (const auto* graph : onnx_format::graphs_of(node)) known.bodies.push_back(outlined(*graph));
    computed_.insert(known.yields.begin(), known.yields.end());
    return known;
  }

  static OnnxBody outlined(const onnx::GraphProto& graph) {
    OnnxBody body;
    for (const auto& input : graph.input()) body.inputs.push_back(input.name());
    onnx::NodeProto alone; // reads from outside what the graph does
    *alone.add_attribute()->mutable_g() = graph;
    body.reads = onnx_format::names_read(alone);
    return body;
  }

  /// All that matters of a node besides what it is given.
  std::string identity_of(const onnx::NodeProto& node) const {
    const std::string domain = onnx_format::is_default_domain(node.domain()) ? "" : node.domain();
    const auto opset = opsets_.find(domain);
    std::string which;
    for (const std::string& name : node.output()) which += name.empty() ? '-' : '+';
    onnx::NodeProto bare;
    *bare.mutable_attribute() = node.attribute();
    onnx_format::restore_tensors(bare, file_);
    std::vector<std::string> attributes;
    for (auto& attribute : *bare.mutable_attribute()) {
      attribute.clear_doc_string();
      attributes.push_back(attribute.SerializeAsString());
    }
    std::ranges::sort(attributes);
    return onnx_format::schema_of(node) + " " +
           (opset == opsets_.end() ? "" : std::to_string(opset->second)) + " " + which + " " +
           digest_of(joined(attributes, std::string(1, '\0'))) + body_of_function(node);
  }

  /// A function of the file is asked by what it does.
  std::string body_of_function(const onnx::NodeProto& node) const {
    for (const auto& function : file_.model.functions())
      if (function.domain() == node.domain() && function.name() == node.op_type())
        return " " + digest_of(function.SerializeAsString());
    return "";
  }

  std::string stored_in_words(const std::string& name) const {
    if (const auto found = weights_.find(name); found != weights_.end())
      return in_words(*found->second);
    const auto found = constants_.find(name);
    if (found == constants_.end()) return "";
    const auto& attribute = found->second->attribute(0);
    return attribute.has_t() ? in_words(attribute.t()) : digest_of(attribute.SerializeAsString());
  }

  /// Of whole numbers the values, too: sizes, axes and the like.
  std::string in_words(const onnx::TensorProto& tensor) const {
    constexpr std::uint64_t max_bytes = 512;
    std::string words =
        onnx_format::dtype_name(tensor.data_type()) + " [" + joined(sizes_of(tensor), ", ") + "]";
    using T = onnx::TensorProto;
    const bool counts = tensor.data_type() == T::INT64 || tensor.data_type() == T::INT32;
    if (!counts || onnx_format::byte_count(tensor, file_.file.path().string()) > max_bytes)
      return words;
    onnx::GraphProto alone;
    *alone.add_initializer() = tensor;
    onnx_format::restore_tensors(alone, file_);
    alone.mutable_initializer(0)->clear_name();
    return words + " " + digest_of(alone.SerializeAsString());
  }

  static std::vector<std::string> sizes_of(const onnx::TensorProto& tensor) {
    std::vector<std::string> sizes;
    for (const std::int64_t size : tensor.dims()) sizes.push_back(std::to_string(size));
    return sizes;
  }

  void read_ports() {
    for (const auto& input : graph_.input())
      if (!weights_.contains(input.name())) outline_.inputs.push_back(input.name());
    for (const auto& output : graph_.output())
      if (computed_.contains(output.name())) outline_.outputs.push_back(output.name());
    for (const auto* list : {&graph_.input(), &graph_.value_info()})
      for (const auto& value : *list)
        if (leaves_sizes_free(value)) outline_.free.push_back(value.name());
  }

  const OnnxFile& file_;
  const onnx::GraphProto& graph_;
  std::map<std::string, const onnx::TensorProto*> weights_;
  std::map<std::string, const onnx::NodeProto*> constants_;
  std::map<std::string, std::int64_t> opsets_;
  std::set<std::string> computed_;
  OnnxOutline outline_;
};

} // namespace

OnnxOutline outline_onnx(const std::filesystem::path& file) {
  const OnnxFile whole(file);
  return OutlineReader(whole).read();
}

OnnxFlow::OnnxFlow(OnnxOutline outline)
    : outline_(std::move(outline)), stored_(outline_.stored.begin(), outline_.stored.end()),
      free_(outline_.free.begin(), outline_.free.end()) {}

std::vector<std::size_t> OnnxFlow::makers(const std::vector<std::string>& values,
                                          const std::vector<std::size_t>& nodes,
                                          const std::set<std::string>& given) const {
  std::set<std::string> wanted(values.begin(), values.end());
  std::vector<std::size_t> kept;
  for (const std::size_t number : std::views::reverse(nodes)) {
    const OnnxNode& node = outline_.nodes[number];
    const auto is_wanted = [&](const std::string& name) { return wanted.contains(name); };
    if (std::ranges::none_of(node.yields, is_wanted)) continue;
    kept.push_back(number);
    for (const std::string& name : node.reads)
      if (!given.contains(name)) wanted.insert(name);
  }
  std::ranges::reverse(kept);
  return kept;
}

std::set<std::string> OnnxFlow::yielded(const std::vector<std::size_t>& nodes) const {
  std::set<std::string> names;
  for (const std::size_t number : nodes)
    names.insert(outline_.nodes[number].yields.begin(), outline_.nodes[number].yields.end());
  return names;
}

std::vector<std::string> OnnxFlow::read_from_outside(const std::vector<std::size_t>& nodes) const {
  std::set<std::string> known = yielded(nodes);
  std::vector<std::string> names;
  for (const std::size_t number : nodes)
    for (const std::string& name : outline_.nodes[number].reads)
      if (!is_stored(name) && known.insert(name).second) names.push_back(name);
  return names;
}

std::vector<std::string> OnnxFlow::ends(const std::vector<std::size_t>& nodes) const {
  std::set<std::string> read;
  for (const std::size_t number : nodes)
    read.insert(outline_.nodes[number].reads.begin(), outline_.nodes[number].reads.end());
  std::vector<std::string> names;
  for (const std::size_t number : nodes)
    for (const std::string& name : outline_.nodes[number].yields)
      if (!read.contains(name)) names.push_back(name);
  return names;
}

std::vector<std::size_t> OnnxFlow::all() const {
  std::vector<std::size_t> numbers(outline_.nodes.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

} // namespace model_validator::verify
