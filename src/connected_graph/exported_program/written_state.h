#pragma once

#include "connected_graph/graph_assembler.h"

#include <vector>

namespace model_validator::exported_program {

/// A node that writes into a parameter or buffer, itself or through a view.
struct ParameterWrite {
  std::size_t node = 0;
  ParameterId parameter = none;
  bool read = false; ///< results of the next call depend on what is there now
};

/// Programs that were not decomposed write in their graph, and declare nothing.
std::vector<ParameterWrite> parameter_writes(const GraphAssembler& assembler);

} // namespace model_validator::exported_program
