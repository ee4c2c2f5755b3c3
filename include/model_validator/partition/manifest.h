#pragma once

#include <model_validator/connected_graph.h>

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator::partition {

/// A value passed from the caller to a subgraph, or from subgraph to subgraph.
struct SubgraphValue {
  std::string name;  ///< unique in the model
  std::string type;  ///< as the format spells it: `Tensor`, `int`, `List[Tensor]`
  TensorType tensor; ///< shape and dtype where known
  /// As text, what an input of a recorded program was that is no tensor: a constant of it.
  std::string constant = {};
};

/// One partition as a separate file.
struct Subgraph {
  std::string file; ///< next to the manifest
  std::string target;
  std::size_t ops = 0;
  std::vector<SubgraphValue> inputs; ///< in the order of the file's own inputs
  std::vector<SubgraphValue> outputs;
  /// XXH3 of the file's bytes, 32 hexadecimal digits; empty if the file is meant to change.
  std::string hash = {};
};

/// What the model returns: a tuple, list or dict of result trees, or one value.
struct ResultTree {
  enum class Kind : std::uint8_t { value, none, tuple, list, dict };
  Kind kind = Kind::value;
  std::string value;             ///< name of an input of the model, or of an output of a subgraph
  std::vector<std::string> keys; ///< of a dict, as Python writes them; or fields of a named tuple
  std::vector<ResultTree> items;
};

/// Subgraphs that, run in order, return what the model returns.
struct Manifest {
  std::string model;  ///< name of the file that was divided
  std::string format; ///< `torchscript`, `onnx`
  std::vector<SubgraphValue> inputs;
  std::vector<Subgraph> subgraphs;
  ResultTree result;
  /// The subgraphs are what one run did, and hold for the shapes of `inputs` alone.
  bool recorded = false;
};

} // namespace model_validator::partition
