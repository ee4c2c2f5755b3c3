#pragma once

#include "connected_graph/torchscript/code/node_map.h"
#include "verify/flat_program/program_module.h"

namespace model_validator::verify {

/// Which op each node of a program of torch.export is, or is a part of: nodes have the names of the
/// ops in its graph.
torchscript::NodeMap map_of(const ProgramModule& program);

} // namespace model_validator::verify
