#pragma once

#include "connected_graph/module_aliases.h"
#include "connected_graph/module_hierarchy.h"
#include "connected_graph/onnx/onnx_file.h"

#include <model_validator/graph_builder.h>
#include <model_validator/program.h>

#include <onnx-ml.pb.h>
#include <vector>

// Which modules own the weights: a file names each once, after one of the modules that hold it.

namespace model_validator::onnx_format {

/// What the parameters of a graph are in the file.
struct StoredTensors {
  const OnnxFile& source;
  std::vector<const ::onnx::TensorProto*> of_parameters = {};
};

/// The weights that each leaf uses. A weight named after another module shows that the module's
/// path also leads to the leaf, unless that module is something else in the file.
/// @param hierarchy  of the graph; receives those other paths
std::vector<OwnedTensor> tensors_of_leaves(const ConnectedGraph& graph, const Program& program,
                                           const StoredTensors& stored, ModuleHierarchy& hierarchy);

/// Assigns parameters to the module that their name begins with, if the file shows that module.
void attach_parameters(GraphBuilder& graph);

} // namespace model_validator::onnx_format
