#pragma once

#include "choices.h"

#include <string>

namespace fuzz {

/// A model of ONNX as a decider wants it: graphs within graphs, functions that call functions, the
/// metadata of exporters, tensors inside and outside of the file.
std::string write_onnx(Choices& choices);

} // namespace fuzz
