#pragma once

#include <cstddef>

namespace model_validator::torchscript {

/// What may still be held of the values of a model, in bytes. Lists that hold each other twice, and
/// choices between choices, double with every line of a file; each step into them is charged.
class Allowance {
public:
  explicit Allowance(std::size_t bytes) : left_(bytes) {}

  /// @throws Error (`too-large`) when nothing is left
  void charge(std::size_t count, std::size_t bytes_each);

private:
  std::size_t left_;
};

} // namespace model_validator::torchscript
