#pragma once

#include "connected_graph/torchscript/code/abstract_value.h"
#include "connected_graph/torchscript/ir/names.h"

#include <optional>
#include <vector>

namespace model_validator::torchscript {

/// The result of a node on numbers, strings and None that are all known: comparisons, arithmetic,
/// conversions, `is`, `not`. Only such operators are evaluated; none of them touches a tensor or
/// yields more than a machine word.
std::optional<c10::IValue> evaluate(const Node& node, const std::vector<Abstract>& inputs);

/// Whether a node yields the same whenever its inputs are the same, so that two of them decide the
/// same way: sizes, dtypes, comparisons.
bool is_repeatable_query(const Node& node);

/// A number that two results share if they are certainly equal.
std::uint64_t number_of(c10::Symbol kind, const std::vector<Abstract>& inputs);

} // namespace model_validator::torchscript
