#pragma once

#include "connected_graph/torchscript/code/abstract_value.h"

#include <cstddef>
#include <optional>

namespace model_validator::torchscript {

/// Forgets what the collection holds.
void forget(Items& items);
/// A write to the value may be one to any list or dict that it may be: forgets them all.
void invalidate_aliases(const Abstract& value);
/// The value is held where unknown code may write into it, or into what it holds.
void mark_escaped(const Abstract& value);

/// Where a dict has a key's entry; nullopt if the key is unknown or new.
std::optional<std::size_t> entry_of(const Items& items, const AbstractValue& key);

/// The position of a key of a dict; nullopt if it is unknown, or may not be there.
std::optional<std::size_t> position_of(const Items& items, const AbstractValue& key);

/// The position that an index of a list or a key of a dict stands for, Python's negative indices
/// included; nullopt if unknown.
std::optional<std::size_t> index_in(const Items& items, const AbstractValue& index);

/// Whether a value is in a collection; nullopt if unknown.
std::optional<bool> contains(const Items& items, const AbstractValue& value);

} // namespace model_validator::torchscript
