#pragma once

#include "connected_graph/onnx/tensor.h"

#include <unordered_map>

namespace model_validator::onnx_format {

/// Attributes that the caller of a model-local function gives to it.
using FunctionAttributes = std::unordered_map<std::string, const ::onnx::AttributeProto*>;

/// Null where the node has none of that name.
const ::onnx::AttributeProto* attribute_named(const ::onnx::NodeProto& node, std::string_view name);
/// A number, or the usual one where it is not written.
std::int64_t integer_named(const ::onnx::NodeProto& node, std::string_view name,
                           std::int64_t usual);

/// The attribute, or what it refers to in the enclosing function; null if that was not given.
const ::onnx::AttributeProto* resolve(const ::onnx::AttributeProto& attribute,
                                      const FunctionAttributes& given);

/// The kind of an attribute's value. Files of IR version 1 and some producers leave it out; it then
/// follows from the field that is set.
::onnx::AttributeProto::AttributeType type_of(const ::onnx::AttributeProto& attribute);

/// The value of an attribute; nothing for a graph or a large tensor.
std::optional<AttributeValue> value_of(const ::onnx::AttributeProto& attribute,
                                       const FilteredModel& model, const InputFile& file);

/// The ONNX standard's name for input `index` of an operator, if a constant there configures it:
/// `shape` of `Reshape`. `input1` if the name is unknown.
std::string constant_input_name(std::string_view op_type, std::size_t index);

} // namespace model_validator::onnx_format
