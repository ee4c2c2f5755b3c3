#pragma once

#include "partition/torchscript/flat_module.h"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace model_validator::partition {

/// Which values of a flat graph may share memory: tensors and what they are views of, lists and
/// what is in them, attributes that hold one list or tensor.
///
/// Nodes are looked at one by one, as their schemas annotate what they pass on, which takes time by
/// the size of the graph; classes are therefore coarse.
class SharedMemory {
public:
  using Class = std::size_t;

  explicit SharedMemory(const FlatModule& flat);

  /// Values that may share memory have one class. `none` for numbers and other plain values.
  Class of(const torch::jit::Value* value) const;
  /// One more than the last class.
  std::size_t size() const noexcept { return size_; }

private:
  std::unordered_map<const torch::jit::Value*, Class> classes_;
  std::size_t size_ = 0;
};

} // namespace model_validator::partition
