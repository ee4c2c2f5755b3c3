#pragma once

#include <model_validator/connected_graph.h>

#include <cstdint>

namespace model_validator {

/// What wrote a model's file: help speaks its language, or says nothing.
enum class Exporter : std::uint8_t { torch, tensorflow, paddle, scikit_learn, other };

/// By the format, and by the producer that an ONNX file names.
Exporter exporter_of(const GraphOrigin& origin);

/// Whether the model is a Python class of torch's, of which help may speak.
bool is_of_torch(const GraphOrigin& origin);

} // namespace model_validator
