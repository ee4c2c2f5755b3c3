#pragma once

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/compilation_unit.h>

#include <string>
#include <utility>
#include <vector>

namespace model_validator::torchscript {

/// Ensures, before it is run, that the code of a file, with all its methods and functions, does
/// nothing but compute. Every operator must be one that is known to compute, and to check what it
/// is given (`computing_operators.inc`), one that an operator library brought, or one that is only
/// described and does not run. Of torch's own classes, code may use those of quantized modules.
/// In a worker, other operators of ATen may stand in code that is not reached: from now on they
/// throw an Error (`unsafe-op`) in place of running, and numbers of dtypes are checked. A process
/// that belongs to others, such as Python with the user's own torch, keeps its operators as they
/// are; there, code must not contain any other.
/// @param unset  the objects of the file whose `__setstate__` is still to run
/// @param file   for the Error
/// @throws Error (`unsafe-op`) naming the operator and its place
void require_computing_only(
    const torch::jit::CompilationUnit& unit,
    const std::vector<std::pair<c10::intrusive_ptr<c10::ivalue::Object>, c10::IValue>>& unset,
    const std::string& file);

/// Ensures that a file that is to be run holds no sparse tensor: operators take the indices of one
/// as they are, and reach whatever memory they name.
/// @throws Error (`unsafe-op`)
void require_dense(bool has_sparse_tensors, const std::string& file);

} // namespace model_validator::torchscript
