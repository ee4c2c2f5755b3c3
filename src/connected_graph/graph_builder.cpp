#include "connected_graph/name_limit.h"

#include <model_validator/graph_builder.h>

#include <utility>

namespace model_validator {

OpId GraphBuilder::add_op(Op op) {
  require_short_name(op.name);
  const OpKind kind = op.kind;
  const OpId id = boost::add_vertex(std::move(op), *graph_);
  if (kind == OpKind::input) inputs_.push_back(id);
  if (kind == OpKind::output) outputs_.push_back(id);
  return id;
}

void GraphBuilder::add_product(OpId from, OpId to, Product product) {
  boost::add_edge(from, to, std::move(product), *graph_);
}

ModuleId GraphBuilder::add_module(Module module) {
  require_short_name(module.path);
  require_short_name(module.class_name);
  modules_.push_back(std::move(module));
  return modules_.size() - 1;
}

ParameterId GraphBuilder::add_parameter(Parameter parameter) {
  require_short_name(parameter.path);
  parameters_.push_back(std::move(parameter));
  return parameters_.size() - 1;
}

RegionId GraphBuilder::add_region(Region region) {
  regions_.push_back(region);
  return regions_.size() - 1;
}

FrameId GraphBuilder::add_frame(Frame frame) {
  frames_.push_back(std::move(frame));
  return frames_.size() - 1;
}

void GraphBuilder::add_source_line(const std::string& file, int line, std::string text) {
  source_lines_.try_emplace({file, line}, std::move(text));
}

} // namespace model_validator
