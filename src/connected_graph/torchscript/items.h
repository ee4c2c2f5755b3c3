#pragma once

#include "connected_graph/torchscript/abstract_value.h"

#include <cstddef>
#include <optional>

namespace model_validator::torchscript {

/// Whether two dict keys or list elements are equal: strings, numbers and booleans.
bool equal_keys(const c10::IValue& a, const c10::IValue& b);

/// Nothing is known of what the collection holds any longer.
void lose(Items& items);
/// A write to the value is one to a list or dict that it may be: none of them is known any longer.
void lose_other(const Abstract& value);
/// The value is held where nobody can tell who writes into it, or into what it holds.
void lose_with_contents(const Abstract& value);

/// Where a dict has an entry of a key; nullopt where the key is not known, or new.
std::optional<std::size_t> entry_of(const Items& items, const AbstractValue& key);

/// The position of a key of a dict; nullopt where it is not known, or is not sure to be there.
std::optional<std::size_t> position_of(const Items& items, const AbstractValue& key);

/// The position that an index of a list or a key of a dict stands for, Python's negative indices
/// included; nullopt where that is not known.
std::optional<std::size_t> index_in(const Items& items, const AbstractValue& index);

/// Whether a value is in a collection; nullopt where that is not known.
std::optional<bool> contains(const Items& items, const AbstractValue& value);

} // namespace model_validator::torchscript
