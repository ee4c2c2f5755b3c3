#include "partition/onnx/onnx_program.h"

#include "connected_graph/onnx/converter.h"
#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/names_read.h"
#include "connected_graph/operators.h"
#include "partition/unit_ops.h"

#include <model_validator/data/dtype.h>
#include <model_validator/error.h>

#include <algorithm>

namespace model_validator::partition {
namespace {

using Graph = ::onnx::GraphProto;
using Node = ::onnx::NodeProto;

using onnx_format::is_default_domain;
using onnx_format::names_read;

bool is_constant(const Node& node) {
  return is_default_domain(node.domain()) && node.op_type() == "Constant" &&
         node.output_size() == 1;
}

bool draws_random_numbers(const Node& node) {
  if (!is_default_domain(node.domain())) return false;
  const bool told = node.input_size() > 2 && !node.input(2).empty(); // of Dropout, its mode
  return does(node.op_type(), Does::draws) || (told && does(node.op_type(), Does::drops_out));
}

class Reader {
public:
  Reader(OnnxProgram& program, const ReadOptions& options)
      : program_(program), model_(program.file.model) {
    program_.graph = onnx_format::Converter(program.file, options).convert(&own_);
    read_names();
    for (const Node* node : program_.units) enter(*node);
    for (const auto& output : model_.graph().output())
      program_.flow.results.push_back(known(output.name(), "an output of the model"));
    infer_types();
    program_.constraints = match_units(records_, program_.graph, program_.flow);
  }

private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::damaged_onnx, program_.graph.origin.path, what,
                "export the model again");
  }

  void read_names() {
    const Graph& graph = model_.graph();
    for (const auto* list : {&graph.value_info(), &graph.output(), &graph.input()})
      for (const auto& value : *list) program_.types[value.name()] = &value;
    for (const auto& tensor : graph.initializer()) program_.initializers[tensor.name()] = &tensor;
    for (const Node& node : graph.node())
      if (is_constant(node)) program_.constants[node.output(0)] = &node;
    for (const auto& input : graph.input())
      if (!program_.initializers.contains(input.name())) number(input.name(), none);
    program_.flow.input_count = program_.values.size();
    read_units();
  }

  void read_units() {
    const Graph& graph = model_.graph();
    for (int i = 0; i < graph.node_size(); ++i) {
      const Node& node = graph.node(i);
      if (is_constant(node)) continue;
      for (const std::string& name : node.output())
        if (!name.empty() && !number(name, program_.units.size()).second)
          fail("value `" + name + "` is defined twice");
      program_.units.push_back(&node);
      records_.ops.push_back(std::move(own_.ops_of_nodes.at(static_cast<std::size_t>(i))));
    }
  }

  /// The number of a name, and whether it is new.
  std::pair<ValueNumber, bool> number(const std::string& name, UnitNumber maker) {
    const auto [entry, fresh] = program_.numbers.try_emplace(name, program_.values.size());
    if (fresh) {
      program_.values.push_back(name);
      program_.flow.makers.push_back(maker);
    }
    return {entry->second, fresh};
  }

  void infer_types() {
    for (const std::string& name : program_.values) {
      const auto declared = program_.types.find(name);
      if (declared != program_.types.end() && declared->second->has_type()) continue;
      const auto found = own_.dtypes.find(name);
      if (found == own_.dtypes.end() || program_.initializers.contains(name)) continue;
      const auto dtype = dtype_named(found->second);
      if (!dtype) continue;
      auto& info = program_.inferred.emplace_back();
      info.set_name(name);
      info.mutable_type()->mutable_tensor_type()->set_elem_type(facts_of(*dtype).onnx);
      program_.types[name] = &info;
    }
  }

  ValueNumber known(const std::string& name, const std::string& reader) {
    const bool constant =
        program_.initializers.contains(name) || program_.constants.contains(name) || sparse(name);
    if (!constant && !program_.numbers.contains(name))
      fail(reader + " is `" + name + "`, which nothing produces");
    return number(name, none).first;
  }

  bool sparse(const std::string& name) const {
    const auto& all = model_.graph().sparse_initializer();
    return std::any_of(all.begin(), all.end(),
                       [&](const auto& tensor) { return tensor.values().name() == name; });
  }

  void enter(const Node& node) {
    auto& reads = program_.flow.reads.emplace_back();
    for (const std::string& name : names_read(node))
      reads.push_back(known(name, "an input of a node of type `" + node.op_type() + "`"));
    const bool random = draws_random_numbers(node);
    records_.repeatable.push_back(!random);
    if (!random) return;
    const UnitNumber unit = program_.flow.reads.size() - 1;
    if (last_random_ != none) records_.order.emplace_back(last_random_, unit);
    last_random_ = unit;
  }

  OnnxProgram& program_;
  const ::onnx::ModelProto& model_;
  onnx_format::OwnGraph own_;
  UnitRecords records_;
  UnitNumber last_random_ = none;
};

} // namespace

std::unique_ptr<OnnxProgram> read_onnx_program(const std::filesystem::path& file,
                                               const ReadOptions& options) {
  auto program = std::make_unique<OnnxProgram>(file);
  const Reader reader(*program, options);
  return program;
}

} // namespace model_validator::partition
