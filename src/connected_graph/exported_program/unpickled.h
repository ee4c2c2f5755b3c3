#pragma once

#include "connected_graph/exported_program/program_file.h"

#include <model_validator/connected_graph.h>

#include <vector>

namespace model_validator::exported_program {

/// What `torch.export.load` unpickles of a file: example inputs, tensors of subclasses and custom
/// objects, and in files of torch before 2.8 all weights. Nothing is imported or called, and no
/// weights are read.
/// (Source: `torch/export/pt2_archive/_package.py` and `torch/export/__init__.py` of torch 2.13.)
std::vector<Unpickled> unpickled_when_loaded(const ProgramFile& program);

} // namespace model_validator::exported_program
