#pragma once

#include "connected_graph/graph_assembler.h"
#include "connected_graph/shapes/symbolic_shapes.h"

#include <memory>
#include <vector>

namespace model_validator {

/// The shapes of the values of a graph that is being assembled.
class ValueShapes {
public:
  void note(ValueId value, std::shared_ptr<const shapes::Shape> shape);
  /// Null where it is not known.
  std::shared_ptr<const shapes::Shape> of(ValueId value) const;
  /// The same by op, after assembly: `SymbolicShapes::of_ops`.
  std::vector<std::vector<std::shared_ptr<const shapes::Shape>>>
  by_op(const GraphAssembler& assembler, const ConnectedGraph& graph) const;

private:
  std::vector<std::shared_ptr<const shapes::Shape>> of_values_;
};

} // namespace model_validator
