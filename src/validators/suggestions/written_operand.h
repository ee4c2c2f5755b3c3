#pragma once

#include <model_validator/connected_graph.h>

#include <vector>

namespace model_validator {

/// Whether an op returns, always or sometimes, the memory of its first operand.
bool may_pass_memory_on(const ConnectedGraph& graph, const Op& op);

/// The tensor that an op would write into if it wrote into its first operand.
struct WrittenOperand {
  std::vector<SourceLocation> made; ///< where its memory is made, and the calls around that;
                                    ///< empty where it is an input, stored, or not known
  bool read_later = false;          ///< through a value other than the op's own
};

WrittenOperand written_operand(const ConnectedGraph& graph, OpId op);

} // namespace model_validator
