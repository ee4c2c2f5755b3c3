#pragma once

#include <memory>

namespace model_validator {

/// A value that is moved by its address, and copied as a value. For types without a move
/// constructor, such as boost::adjacency_list, which would be copied instead. What was moved from
/// may only be assigned to or destroyed.
template <class T> class OnHeap {
public:
  OnHeap() : value_(std::make_unique<T>()) {}
  OnHeap(const OnHeap& other) : value_(std::make_unique<T>(*other)) {}
  OnHeap(OnHeap&&) noexcept = default;
  OnHeap& operator=(const OnHeap& other) { return *this = OnHeap(other); }
  OnHeap& operator=(OnHeap&&) noexcept = default;
  ~OnHeap() = default;

  T& operator*() noexcept { return *value_; }
  const T& operator*() const noexcept { return *value_; }

private:
  std::unique_ptr<T> value_;
};

} // namespace model_validator
