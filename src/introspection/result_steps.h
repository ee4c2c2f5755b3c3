#pragma once

#include <model_validator/connected_graph.h>

#include <string>

namespace model_validator {

/// Whether the steps to which a quantised model rounds what an op yields fit its values, in words:
/// `its result is cut off at 1.2, where the reference's reaches 6.3`. Empty where they do, or where
/// none are known.
/// @param graph  of an ONNX or `.pt2` file
/// @param greatest  magnitude of the reference's values there
std::string misfit_of_steps(const ConnectedGraph& graph, OpId op, double greatest);

} // namespace model_validator
