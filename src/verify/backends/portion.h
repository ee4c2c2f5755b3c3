#pragma once

#include "verify/inputs/npz.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace model_validator::verify {

/// How many intermediates to take at a time: all at once would keep every tensor of the model, and
/// one at a time would run it as often. Learns from their sizes so far.
class Portion {
public:
  /// @param given  the bytes that the model is given: what it computes may be as large
  explicit Portion(std::size_t given)
      : size_(std::clamp<std::size_t>(max_bytes / std::max<std::size_t>(1, given), 32, 128)) {}

  std::size_t size() const noexcept { return size_; }
  /// `count` of them were taken, with `bytes` bytes together.
  void learn(std::size_t count, std::size_t bytes) {
    const auto each = std::max<std::size_t>(1, bytes / std::max<std::size_t>(1, count));
    // Later ones may be larger.
    size_ = std::clamp<std::size_t>(max_bytes / each, 1, std::min(2 * size_, most));
  }

private:
  static constexpr std::size_t max_bytes = 64 << 20;
  static constexpr std::size_t most = 256;
  std::size_t size_;
};

inline std::size_t bytes_given(const NamedTensors& inputs) {
  std::size_t bytes = 0;
  for (const auto& [name, tensor] : inputs)
    bytes += static_cast<std::size_t>(element_count(tensor.view)) * element_size(tensor.view.dtype);
  return bytes;
}

/// Hands the items over a few at a time. `given` is that of `Portion`. `show` takes the next ones
/// and returns the size in bytes of what it showed.
template <class Item, class Show>
void show_in_portions(const std::vector<Item>& items, std::size_t given, const Show& show) {
  Portion portion(given);
  for (auto first = items.begin(); first != items.end();) {
    const auto left = static_cast<std::size_t>(items.end() - first);
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(portion.size(), left));
    const std::vector<Item> shown(first, last);
    portion.learn(shown.size(), show(shown));
    first = last;
  }
}

} // namespace model_validator::verify
