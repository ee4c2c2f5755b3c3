#pragma once

#include "connected_graph/torchscript/code/abstract_value.h"

#include <model_validator/connected_graph.h>

#include <optional>

namespace model_validator::torchscript {

/// A constant as the graph keeps it; nullopt if it is not a plain constant, or too long to keep.
std::optional<AttributeValue> attribute_of(const c10::IValue& value);
std::optional<AttributeValue> attribute_of(const Abstract& value);

} // namespace model_validator::torchscript
