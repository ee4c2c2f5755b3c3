#include "verify/command/padding.h"

#include "verify/inputs/strided_copy.h"

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

void blank(Tensor& tensor, const Scene& scene) {
  const Shape shape = tensor.view.shape;
  const auto elements = elements_of(shape, scene);
  if (!elements || shape.front() < 1) return;
  const Tensor dense = row_major(tensor);
  const auto count = static_cast<std::size_t>(element_count(dense.view));
  const std::size_t size = element_size(dense.view.dtype);
  auto bytes = std::make_shared<std::vector<std::byte>>(count * size);
  if (count != 0) std::memcpy(bytes->data(), dense.view.data, bytes->size());
  const std::size_t at = elements->dimension;
  const std::int64_t outer = product(shape, 1, at), inner = product(shape, at + 1, shape.size());
  const std::int64_t start = (shape.front() - 1) * product(shape, 1, shape.size());
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t e = 0; e < shape[at]; ++e)
      if (is_padding(scene, elements->first + e, scene.past + scene.sequence))
        std::memset(bytes->data() +
                        static_cast<std::size_t>(start + (o * shape[at] + e) * inner) * size,
                    0, static_cast<std::size_t>(inner) * size);
  tensor = {contiguous_view(bytes->data(), dense.view.dtype, shape), bytes};
}

} // namespace

void blank_padding(const std::vector<SampleShape>& shapes, RunResults& results) {
  for (std::size_t i = 0; i < results.samples.size(); ++i) {
    const std::size_t sample = i / results.steps;
    if (sample >= shapes.size() || shapes[sample].scene.padding == Padding::none) continue;
    for (NamedTensor& output : results.samples[i]) blank(output.tensor, shapes[sample].scene);
  }
}

} // namespace model_validator::verify
