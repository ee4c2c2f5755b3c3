#include "verify/command/padding.h"

#include "verify/command/generation.h"
#include "verify/compare/runs.h"
#include "verify/inputs/strided_copy.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>

namespace model_validator::verify {
namespace {

/// The dimension along which a result has elements, and how many of the past it holds.
struct Elements {
  std::size_t dimension = 0;
  std::int64_t first = 0; ///< the number of the first, counted from the beginning of the past
};

std::optional<Elements> elements_of(const Shape& shape, const Scene& scene) {
  for (std::size_t d = 1; d < shape.size(); ++d) {
    if (shape[d] == scene.sequence) return Elements{d, scene.past};
    if (shape[d] == scene.past + scene.sequence) return Elements{d, 0};
  }
  return std::nullopt;
}

std::int64_t product(const Shape& shape, std::size_t first, std::size_t last) {
  return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(first),
                         shape.begin() + static_cast<std::ptrdiff_t>(last), std::int64_t{1},
                         std::multiplies<>());
}

/// A tensor's own bytes, to be written into.
std::shared_ptr<std::vector<std::byte>> copied(const Tensor& dense) {
  const auto count = static_cast<std::size_t>(element_count(dense.view));
  auto bytes = std::make_shared<std::vector<std::byte>>(count * element_size(dense.view.dtype));
  if (count != 0) std::memcpy(bytes->data(), dense.view.data, bytes->size());
  return bytes;
}

/// Where the padding of a result begins and ends, in elements.
template <class Visit>
void for_each_padding(const Shape& shape, const Scene& scene, const Visit& visit) {
  const auto elements = elements_of(shape, scene);
  if (!elements || shape.front() < 1) return;
  const std::size_t at = elements->dimension;
  const std::int64_t outer = product(shape, 1, at), inner = product(shape, at + 1, shape.size());
  const std::int64_t start = (shape.front() - 1) * product(shape, 1, shape.size());
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t e = 0; e < shape[at]; ++e)
      if (is_padding(scene, elements->first + e, scene.past + scene.sequence)) {
        const auto first = static_cast<std::size_t>(start + (o * shape[at] + e) * inner);
        visit(first, first + static_cast<std::size_t>(inner));
      }
}

/// Zeroes padding where `which` (element) holds.
template <class Which> void blank(Tensor& tensor, const Scene& scene, const Which& which) {
  const Tensor dense = row_major(tensor);
  const std::size_t size = element_size(dense.view.dtype);
  const auto bytes = copied(dense);
  for_each_padding(tensor.view.shape, scene, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      if (which(i)) std::memset(bytes->data() + i * size, 0, size);
  });
  tensor = {contiguous_view(bytes->data(), dense.view.dtype, Shape(tensor.view.shape)), bytes};
}

/// @param filled  how many places of [batch, heads, places, size] count
void blank_from(Tensor& tensor, std::int64_t filled) {
  const Shape shape = tensor.view.shape;
  constexpr std::size_t rank = 4, places = 2;
  if (shape.size() != rank || filled >= shape[places]) return;
  const Tensor dense = row_major(tensor);
  const auto bytes = copied(dense);
  const auto place =
      static_cast<std::size_t>(shape.back()) * element_size(dense.view.dtype); // in bytes
  const auto kept = static_cast<std::size_t>(std::max<std::int64_t>(filled, 0));
  const auto all = static_cast<std::size_t>(shape[places]);
  for (std::size_t ring = 0; ring < bytes->size(); ring += all * place)
    std::memset(bytes->data() + ring + kept * place, 0, (all - kept) * place);
  tensor = {contiguous_view(bytes->data(), dense.view.dtype, shape), bytes};
}

/// Runtimes leave in places of rings that nothing was written to yet what was in their memory.
void blank_unfilled_rings(const std::vector<InputNeed>& needs,
                          const std::vector<SampleShape>& shapes, RunResults& results) {
  if (std::ranges::none_of(needs, [](const InputNeed& need) { return need.meaning.ring; })) return;
  for (std::size_t i = 0; i < results.samples.size(); ++i) {
    if (i / results.steps >= shapes.size() || results.samples[i].empty()) continue;
    const Scene& scene = shapes[i / results.steps].scene;
    const auto step = static_cast<std::int64_t>(i % results.steps);
    const Wires wires = wire_caches(needs, results.samples[i], {});
    for (std::size_t n = 0; n < needs.size(); ++n)
      if (needs[n].meaning.ring && wires[n])
        blank_from(results.samples[i][*wires[n]].tensor, scene.past + scene.sequence + step);
  }
}

/// Of each element, whether it is a number.
std::vector<bool> finite_elements(const TensorView& view) {
  const auto numbers = numbers_of(view);
  const std::size_t parts = is_complex(view.dtype) ? 2 : 1;
  std::vector<bool> finite(numbers.size() / parts, true);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i])) finite[i / parts] = false;
  return finite;
}

/// Calls `visit` with the results that hold padding, and its scene. It lies in the last of a batch
/// of results, along the first dimension that counts its elements.
template <class Visit>
void for_each_padded(const std::vector<SampleShape>& shapes, const RunResults& results,
                     const Visit& visit) {
  for (std::size_t i = 0; i < results.samples.size(); ++i) {
    const std::size_t sample = i / results.steps;
    if (sample < shapes.size() && shapes[sample].scene.padding != Padding::none)
      visit(i, shapes[sample].scene);
  }
}

} // namespace

void blank_what_means_nothing(const std::vector<InputNeed>& needs,
                              const std::vector<SampleShape>& shapes, RunResults& results) {
  for_each_padded(shapes, results, [&](std::size_t call, const Scene& scene) {
    for (NamedTensor& output : results.samples[call]) {
      const auto is_finite = finite_elements(output.tensor.view);
      blank(output.tensor, scene, [&](std::size_t i) { return is_finite[i]; });
    }
  });
  blank_unfilled_rings(needs, shapes, results);
}

void forgive_padding(const std::vector<SampleShape>& shapes, RunResults& reference,
                     RunResults& candidate) {
  for_each_padded(shapes, reference, [&](std::size_t call, const Scene& scene) {
    NamedTensors& outputs = reference.samples[call];
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      const auto is_finite = finite_elements(outputs[o].tensor.view);
      const auto is_lost = [&](std::size_t i) { return !is_finite[i]; };
      if (call < candidate.samples.size() && o < candidate.samples[call].size())
        if (Tensor& other = candidate.samples[call][o].tensor;
            other.view.shape == outputs[o].tensor.view.shape)
          blank(other, scene, is_lost);
      blank(outputs[o].tensor, scene, is_lost);
    }
  });
}

} // namespace model_validator::verify
