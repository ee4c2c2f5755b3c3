#pragma once

#include <model_validator/validator.h>

#include <string>

namespace model_validator {

/// Whether a model has been quantised, so that nobody can do what quantisers ask for any more.
bool has_been_quantised(const ConnectedGraph& graph);

/// What a file does not hold of what a check needs, as a sentence without its subject's article:
/// `the file does not say which modules the model is made of`. Empty where it holds it.
std::string what_lacks(Need need, const GraphOrigin& origin, const Context& context);

} // namespace model_validator
