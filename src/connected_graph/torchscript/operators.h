#pragma once

#include "connected_graph/torchscript/op_writer.h"

namespace model_validator::torchscript {

/// Walks the nodes that compute: each becomes an op, or a constant if its value is known.
class Operators {
public:
  Operators(WalkContext& context, Values& values, OpWriter& writer, NodeNotes& notes)
      : context_(context), scope_(context.scope), values_(values), writer_(writer), notes_(notes) {}

  void walk(const Node& node, const Inputs& inputs, Environment& environment);
  /// A constant of the code; a tensor constant is its own op.
  Abstract constant(const Node& node);

private:
  void enter(const Node& node, const Inputs& inputs, Environment& environment);
  void collect(const Node& node, const Inputs& inputs);
  Op describe(const Node& node, const Inputs& inputs);
  OpKind kind_of(const Node& node, const Inputs& inputs) const;
  bool is_scalar_constant(const Operand& operand) const;
  void bind_outputs(const Node& node, const Inputs& inputs, OpId op, bool query,
                    Environment& environment);
  bool begin_expanded(const Node& node, const Inputs& inputs, Environment& environment);
  void finish_expanded(const Node& node, const Inputs& inputs, Op& op);
  void negate(const Node& node, const Inputs& inputs, AbstractValue& result);

  WalkContext& context_;
  Scope& scope_;
  Values& values_;
  OpWriter& writer_;
  NodeNotes& notes_;
};

} // namespace model_validator::torchscript
