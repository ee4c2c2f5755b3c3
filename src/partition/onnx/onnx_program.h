#pragma once

#include "connected_graph/onnx/onnx_file.h"
#include "partition/subgraph_contents.h"

#include <model_validator/graph_reader.h>

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace model_validator::partition {

/// An ONNX file prepared for division: every node of its graph except constants is a unit, with
/// everything in its subgraphs.
struct OnnxProgram {
  explicit OnnxProgram(const std::filesystem::path& path) : file(path) {}

  onnx_format::OnnxFile file;
  ConnectedGraph graph;
  Constraints constraints;
  DataFlow flow;
  std::vector<const ::onnx::NodeProto*> units;
  std::vector<std::string> values; ///< names, by number
  std::unordered_map<std::string, ValueNumber> numbers;
  std::unordered_map<std::string, const ::onnx::TensorProto*> initializers;
  std::unordered_map<std::string, const ::onnx::NodeProto*> constants;
  std::unordered_map<std::string, const ::onnx::ValueInfoProto*> types;
  std::deque<::onnx::ValueInfoProto> inferred; ///< entries of `types` for values that the file does
                                               ///< not declare: element types
};

/// @throws Error (`damaged-onnx`, `too-large`, …)
std::unique_ptr<OnnxProgram> read_onnx_program(const std::filesystem::path& file,
                                               const ReadOptions& options);

} // namespace model_validator::partition
