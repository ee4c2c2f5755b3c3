#pragma once

#include "connected_graph/op_type.h"

#include <model_validator/graph_builder.h>

#include <string>
#include <utility>
#include <vector>

namespace model_validator::test {

/// Writes a ConnectedGraph line by line, as a test needs it.
class SampleGraph {
public:
  SampleGraph() {
    Module root;
    root.class_name = "net.Net";
    root.calls = 1;
    graph.add_module(std::move(root));
  }

  GraphBuilder graph;

  /// A module at a path, below the module at the path before its last dot.
  ModuleId module(const std::string& path, const std::string& class_name, bool leaf = true) {
    Module module;
    module.path = path;
    module.class_name = class_name;
    module.leaf = leaf;
    module.torch_nn = class_name.starts_with("torch.nn.");
    const auto dot = path.rfind('.');
    module.parent = dot == std::string::npos ? 0 : find(path.substr(0, dot));
    return graph.add_module(std::move(module));
  }
  ModuleId find(const std::string& path) const {
    for (ModuleId id = 0; id < graph.modules().size(); ++id)
      if (graph.module(id).path == path) return id;
    return none;
  }
  SampleGraph& attribute(ModuleId id, std::string name, AttributeValue value) {
    graph.modules().at(id).attributes.push_back({std::move(name), std::move(value)});
    return *this;
  }
  SampleGraph& parameter(ModuleId id, const std::string& name, std::vector<std::int64_t> shape,
                         std::uint64_t storage = 0, bool buffer = false) {
    Parameter parameter;
    parameter.buffer = buffer;
    parameter.name = name;
    parameter.path = graph.module(id).path + '.' + name;
    parameter.bytes = sizeof(float);
    for (const std::int64_t size : shape) parameter.bytes *= static_cast<std::uint64_t>(size);
    parameter.type = {std::move(shape), "float32"};
    parameter.storage = storage ? storage : graph.parameters().size() + 1;
    graph.modules().at(id).parameters.push_back(graph.add_parameter(std::move(parameter)));
    return *this;
  }

  /// A place in net.py, in the code of a module.
  FrameId frame(int line, int column = 8, ModuleId module = 0, FrameId caller = none) {
    return graph.add_frame({{"net.py", line, column, 0}, module, caller});
  }

  /// A call of a module: a call site, and an op where the module is a leaf of torch.
  OpId call(ModuleId id, FrameId frame, std::size_t times = 1, RegionId region = none,
            std::vector<Operator> body = {}) {
    const Module& module = graph.module(id);
    CallSite site;
    site.frame = frame;
    site.region = region;
    site.times = times;
    if (module.leaf && module.torch_nn) {
      Op op;
      op.type = type_of_class(module.class_name);
      op.name = op.type + '_' + std::to_string(graph.op_count());
      op.kind = OpKind::module;
      op.module = id;
      op.parent = module.parent;
      op.frame = frame;
      op.region = region;
      op.body = std::make_shared<const std::vector<Operator>>(std::move(body));
      site.op = graph.add_op(std::move(op));
    }
    graph.modules().at(id).calls += times;
    graph.modules().at(id).call_sites.push_back(site);
    return site.op;
  }
  /// An operation outside every leaf module.
  OpId functional(const std::string& type, const std::string& schema, FrameId frame = none,
                  ModuleId parent = 0) {
    Op op;
    op.type = type;
    op.name = type + '_' + std::to_string(graph.op_count());
    op.schema = schema;
    op.parent = parent;
    op.frame = frame;
    return graph.add_op(std::move(op));
  }
  OpId op(const std::string& name, OpKind kind, const std::string& schema = {}) {
    Op op;
    op.name = name;
    op.type = name.substr(0, name.rfind('_'));
    op.kind = kind;
    op.schema = schema;
    return graph.add_op(std::move(op));
  }
  SampleGraph& edge(OpId from, OpId to, std::size_t input = 0, TensorType type = {}) {
    graph.add_product(from, to, {graph.op(from).name, 0, input, std::move(type)});
    return *this;
  }
  RegionId region(Region::Kind kind, std::size_t number, OpId op, RegionId parent = none) {
    return graph.add_region({kind, number, parent, op});
  }
};

} // namespace model_validator::test
