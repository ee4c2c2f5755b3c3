#pragma once

#include "verify/command/compared_pair.h"

#include <string>

namespace model_validator::verify {

/// For people: what each input of the reference is taken for and why, and the samples that it is
/// run with.
std::string list_inputs(const ComparedPair& pair);

/// The tensors of a sample, named as files of inputs name them.
NamedTensors tensors_of_sample(const Sample& sample, const std::vector<std::string>& names);

/// Writes the samples as `.npz`: the first into a file of that name, or all into a folder, which is
/// made if the name does not end in `.npz`. `--inputs` reads them. @returns what was written
std::string write_inputs(const ComparedPair& pair);

} // namespace model_validator::verify
