#pragma once

#include <model_validator/connected_graph.h>

#include <string>
#include <vector>

namespace model_validator {

/// A ConnectedGraph under construction: front ends add ops, products and modules to it. Code that
/// holds it as a ConnectedGraph can only read it.
class GraphBuilder : public ConnectedGraph {
public:
  /// Vertices are numbered in the order in which they are added, which is execution order.
  /// @throws Error (`too-large`) for a name that no exporter writes; so do modules and parameters
  OpId add_op(Op op);
  void add_product(OpId from, OpId to, Product product);
  ModuleId add_module(Module module);
  ParameterId add_parameter(Parameter parameter);
  RegionId add_region(Region region);
  FrameId add_frame(Frame frame);
  void add_source_line(const std::string& file, int line, std::string text);

  using ConnectedGraph::op;
  Op& op(OpId id) { return (*graph_)[id]; }
  Product& product(const Graph::edge_descriptor& edge) { return (*graph_)[edge]; }
  std::vector<Module>& modules() noexcept { return modules_; }
  std::vector<Parameter>& parameters() noexcept { return parameters_; }
  std::vector<Region>& regions() noexcept { return regions_; }
  std::vector<Frame>& frames() noexcept { return frames_; }
  using ConnectedGraph::frames;
  using ConnectedGraph::modules;
  using ConnectedGraph::parameters;
  using ConnectedGraph::regions;
};

} // namespace model_validator
