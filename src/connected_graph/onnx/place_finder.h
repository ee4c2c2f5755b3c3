#pragma once

#include "connected_graph/module_hierarchy.h"
#include "connected_graph/onnx/node_reader.h"
#include "connected_graph/onnx/place.h"
#include "connected_graph/python_trace.h"

#include <model_validator/graph_builder.h>

#include <string>
#include <vector>

namespace model_validator::onnx_format {

/// Finds where nodes belong, from the exporter's metadata and from the enclosing functions.
class PlaceFinder {
public:
  PlaceFinder(GraphBuilder& graph, ModuleHierarchy& hierarchy, NodeReader& reader)
      : graph_(graph), hierarchy_(hierarchy), reader_(reader), frames_(graph) {}

  /// @param around  the place of the function or operator whose nodes these are
  /// @throws Error (`too-large`)
  Place place_of(const ::onnx::NodeProto& node, const Place& around);
  /// The place inside a function that the node calls. @throws Error (`damaged-onnx`, `too-large`)
  /// @param producer  of the file
  Place place_inside(const ::onnx::FunctionProto& function, const ::onnx::NodeProto& node,
                     const Place& place, const std::string& producer);

private:
  void enter_module(const ::onnx::FunctionProto& function, const ::onnx::NodeProto& node,
                    std::vector<ModuleCall>& stack);

  GraphBuilder& graph_;
  ModuleHierarchy& hierarchy_;
  NodeReader& reader_;
  FrameTable frames_;
  std::vector<ModuleCall> last_stack_;
  std::size_t calls_ = 0; ///< of functions
};

} // namespace model_validator::onnx_format
