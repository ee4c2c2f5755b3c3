#pragma once

#include "connected_graph/graph_assembler.h"
#include "connected_graph/graph_form.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <onnx-ml.pb.h>
#include <string>
#include <vector>

namespace model_validator::onnx_format {

/// Collects the forms of a file: of each kind the first, and how many more there are.
class FormList {
public:
  /// @param flat  number of the flat node that it is about; `none` where it is about none
  void add(const std::string& kind, std::string sentence, std::size_t flat = none);
  /// A node of a function, whose definition may differ from that in the opset of the model.
  void add_opset(const std::string& schema, int opset, int other_opset, std::string sentence);
  /// Those that are added from here on are at a node of the model's own graph, by its number.
  void at_node(std::size_t node) { node_ = node; }
  /// Hands them over, with the ops of each, after assembly.
  std::vector<GraphForm> finish(const GraphAssembler& assembler,
                                const std::vector<std::vector<OpId>>& ops_of_nodes);

private:
  void add(GraphForm form, const std::string& key, std::size_t flat);

  struct Place {
    std::size_t flat = none; ///< number of the flat node
    std::size_t node = none; ///< or of the node of the model's own graph
  };

  std::vector<GraphForm> forms_;
  std::vector<std::vector<Place>> places_; ///< per form
  std::size_t node_ = none;
  std::map<std::string, std::size_t> known_;
};

/// `1 result`, `2 results`
std::string counted(std::int64_t count, const std::string& noun);

/// `` `If` `branch` ``, or by what it yields where it has no name.
std::string spoken(const ::onnx::NodeProto& node);

/// Those that stand in a model: functions, names, imports, the bodies of operators and how many
/// values cross their border, tensors in the file and their bytes.
struct OnnxFile;
void add_declared_forms(const OnnxFile& source, FormList& forms);

} // namespace model_validator::onnx_format
