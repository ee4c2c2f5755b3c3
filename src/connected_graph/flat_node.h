#pragma once

#include <model_validator/connected_graph.h>

#include <string>
#include <vector>

namespace model_validator {

/// A tensor in a flat list of nodes.
using ValueId = std::size_t;

struct FlatValue {
  std::string name;
  TensorType type;
};

/// One module that was being called when a node ran.
struct ModuleCall {
  ModuleId module = none;
  std::size_t call = none; ///< tells the calls of one module apart; `none` where the file does not
  friend bool operator==(const ModuleCall&, const ModuleCall&) = default;
};

/// One operator of a format that keeps its operators in a flat list and says of each in which
/// modules it ran.
struct FlatNode {
  std::string schema;
  std::string type;
  OpKind kind = OpKind::functional; ///< outside of every torch.nn leaf
  std::vector<Attribute> attributes;
  std::vector<ValueId> inputs; ///< tensor operands; `none` for one that is absent or a parameter
  std::vector<ParameterId> parameters;
  std::vector<ValueId> outputs;
  std::vector<ModuleCall> stack; ///< outermost first
  FrameId frame = none;          ///< the innermost frame
  std::string origin;            ///< adjacent nodes with the same one come from one operator
  std::string origin_schema;     ///< what that operator was
  std::string origin_type;
  RegionId region = none;
  std::vector<RegionId> owned_regions; ///< of a control-flow op
};

} // namespace model_validator
