#include "files/strided_spans.h"

#include <algorithm>
#include <optional>

namespace model_validator {
namespace {

constexpr std::uint64_t max_runs = 4096;

struct Dimension {
  std::uint64_t stride = 0;
  std::uint64_t size = 0;
};

/// Dimensions that move through the storage, the innermost first; nothing for an empty tensor.
std::optional<std::vector<Dimension>> moving_dimensions(const StridedLayout& layout) {
  std::vector<Dimension> moving;
  for (std::size_t i = 0; i < layout.sizes.size(); ++i) {
    if (layout.sizes[i] == 0) return std::nullopt;
    if (layout.sizes[i] > 1 && layout.strides.at(i) > 0)
      moving.push_back({layout.strides[i], layout.sizes[i]});
  }
  std::ranges::sort(moving,
                    [](const Dimension& a, const Dimension& b) { return a.stride < b.stride; });
  return moving;
}

/// Elements from the first to the last; nothing beyond 64 bits.
std::optional<std::uint64_t> extent_of(const std::vector<Dimension>& dimensions) {
  std::uint64_t extent = 1;
  for (const Dimension& dimension : dimensions) {
    std::uint64_t reach = 0;
    if (__builtin_mul_overflow(dimension.stride, dimension.size - 1, &reach) ||
        __builtin_add_overflow(extent, reach, &extent))
      return std::nullopt;
  }
  return extent;
}

/// How many elements are contiguous; removes their dimensions from the list.
std::uint64_t take_run(std::vector<Dimension>& dimensions) {
  std::uint64_t run = 1;
  auto next = dimensions.begin();
  for (; next != dimensions.end() && next->stride == run; ++next) run *= next->size;
  dimensions.erase(dimensions.begin(), next);
  return run;
}

/// Where runs start; nothing where there are too many.
std::vector<std::uint64_t> run_starts(const std::vector<Dimension>& outer) {
  std::vector<std::uint64_t> starts{0};
  for (const Dimension& dimension : outer) {
    if (dimension.size > max_runs / starts.size()) return {};
    const std::size_t before = starts.size();
    for (std::uint64_t step = 1; step < dimension.size; ++step)
      for (std::size_t i = 0; i < before; ++i)
        starts.push_back(starts[i] + step * dimension.stride);
  }
  std::ranges::sort(starts);
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  return starts;
}

} // namespace

std::vector<ByteSpan> strided_spans(const StridedLayout& layout) {
  auto dimensions = moving_dimensions(layout);
  if (!dimensions) return {};
  const auto extent = extent_of(*dimensions);
  std::uint64_t end = 0;
  if (!extent || __builtin_add_overflow(layout.offset, *extent, &end) ||
      __builtin_mul_overflow(end, layout.element_bytes, &end))
    return {};
  const std::uint64_t run = take_run(*dimensions);
  std::vector<std::uint64_t> starts = run_starts(*dimensions);
  const bool whole = starts.empty();
  if (whole) starts = {0};
  std::vector<ByteSpan> spans;
  for (const std::uint64_t start : starts)
    spans.push_back({(layout.offset + start) * layout.element_bytes,
                     (whole ? *extent : run) * layout.element_bytes});
  return spans;
}

} // namespace model_validator
