#pragma once

#include <model_validator/connected_graph.h>

#include <memory>
#include <string>
#include <vector>

namespace model_validator {

/// A tensor in a flat list of nodes.
using ValueId = std::size_t;

struct FlatValue {
  std::string name;
  TensorType type;
  std::shared_ptr<const Quantisation> quantisation = {};
};

/// One module that was being called when a node ran.
struct ModuleCall {
  ModuleId module = none;
  std::size_t call = none; ///< distinguishes calls of one module; `none` if the file does not
  friend bool operator==(const ModuleCall&, const ModuleCall&) = default;
};

/// One operator of a format that keeps its operators in a flat list, each with the modules it ran
/// in.
struct FlatNode {
  std::string schema;
  std::string type;
  OpKind kind = OpKind::functional; ///< outside of every torch.nn leaf
  std::vector<Attribute> attributes;
  std::vector<ValueId> inputs; ///< tensor operands; `none` for an absent one or a parameter
  std::vector<ParameterId> parameters;
  std::vector<ValueId> outputs;
  std::vector<ModuleCall> stack; ///< outermost first
  FrameId frame = none;          ///< the innermost frame
  std::string origin;            ///< adjacent nodes with the same origin come from one operator
  std::string origin_schema;     ///< the schema of that operator
  std::string origin_type;
  RegionId region = none;
  std::vector<RegionId> owned_regions; ///< for a control-flow op
};

} // namespace model_validator
