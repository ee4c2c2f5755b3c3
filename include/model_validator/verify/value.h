#pragma once

#include <model_validator/verify/tensor_view.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace model_validator::verify {

struct Value;

/// `None`.
struct None {};

/// A list or a tuple; a named tuple has a name for each item.
struct Sequence {
  std::vector<Value> items;
  std::vector<std::string> names; ///< empty, or as many as items
};

/// A dict in its own order; keys that are not strings are written as Python prints them.
struct Dict {
  std::vector<std::pair<std::string, Value>> items;
};

/// What a model takes and returns: tensors, plain numbers, strings and `None`, nested in lists,
/// tuples and dicts.
struct Value {
  std::variant<None, bool, std::int64_t, double, std::string, Tensor, Sequence, Dict> data;
};

/// `tensor`, `list`, `dict`, `int`, … as in messages.
const char* kind_name(const Value& value);

/// One tensor, number or string of a nested value, with its path: `logits`, `past.0.1`; the root
/// itself has an empty path.
struct Leaf {
  std::string path;
  Value value; ///< never a sequence or dict; numbers become scalar tensors
};

/// The leaves in order. `None` is left out, as exporters do.
std::vector<Leaf> flatten(const Value& value);

/// The name of an item: its field name in a named tuple, else its index.
std::string step_name(const Sequence& sequence, std::size_t index);

/// `path` followed by one more step.
std::string join_path(const std::string& path, const std::string& step);

/// A number as a scalar tensor (float64, int64, bool); a tensor unchanged.
/// @throws Error (`unsupported-value`) for anything else
Tensor as_tensor(const Value& value);

} // namespace model_validator::verify
