#pragma once

#include "choices.h"

#include <string>

namespace fuzz {

/// An ONNX model as the choices decide: graphs within graphs, functions that call functions, the
/// metadata of exporters, tensors inside and outside of the file.
std::string write_onnx(Choices& choices);

} // namespace fuzz
