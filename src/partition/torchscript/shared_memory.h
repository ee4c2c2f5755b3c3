#pragma once

#include "partition/torchscript/flat_module.h"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace model_validator::partition {

/// Which values of a flat graph may share memory: tensors and what they are views of, lists and
/// what is in them, attributes that hold one tensor.
///
/// Nodes are examined one by one, by the aliases that their schemas annotate. This takes time
/// proportional to the size of the graph, but makes classes coarse.
class SharedMemory {
public:
  using Class = std::size_t;

  explicit SharedMemory(const FlatModule& flat);

  /// Values that may share memory have the same class. `none` for numbers and other plain values.
  Class of(const Value* value) const;
  /// One more than the last class.
  std::size_t size() const noexcept { return size_; }

private:
  std::unordered_map<const Value*, Class> classes_;
  std::size_t size_ = 0;
};

} // namespace model_validator::partition
