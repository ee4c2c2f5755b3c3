#pragma once

#include "connected_graph/torchscript/code/abstract_value.h"
#include "connected_graph/torchscript/ir/names.h"

#include <model_validator/connected_graph.h>

#include <string>
#include <vector>

namespace model_validator::torchscript {

/// `aten::add_.Tensor`; the node's kind if it has no schema.
std::string schema_of(const Node& node);

/// The constant arguments of a node, by the names of its schema.
std::vector<Attribute> attributes_of(const Node& node, const std::vector<Abstract>& inputs);

/// The type of an op. A trace writes every convolution as `_convolution`: its stride gives the
/// number of dimensions.
std::string type_of_operator(const std::string& schema, const std::vector<Attribute>& attributes);

/// Whether a node is part of a trace's computation on sizes: arithmetic on plain Python numbers
/// that the tracer turned into tensor operators, or a node that only passes a number on. `sqrt`,
/// `exp` and the like do not count: Python numbers have no such methods, so a trace that has them
/// computed on a tensor. Nor does arithmetic on a number that the model put into a tensor.
bool keeps_numbers(const Node& node);

} // namespace model_validator::torchscript
