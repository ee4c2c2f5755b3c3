#include "verify/command/channel_layout.h"

#include <model_validator/data/contains.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

template <class Sizes> void put_last_second(Sizes& sizes) {
  std::rotate(sizes.begin() + 1, sizes.end() - 1, sizes.end());
}

} // namespace

bool may_be_equal(const Shape& one, const Shape& other) {
  return std::ranges::equal(one, other, [](std::int64_t size, std::int64_t same) {
    return size < 0 || same < 0 || size == same;
  });
}

Shape in_layout_of(const Shape& other, const Shape& shape) {
  constexpr std::size_t least_dimensions = 3;
  if (shape.size() < least_dimensions || may_be_equal(other, shape)) return shape;
  Shape moved = shape;
  put_last_second(moved);
  return may_be_equal(other, moved) ? moved : shape;
}

void put_channels_second(const RunResults& reference, RunResults& candidate,
                         std::vector<std::string>& notes) {
  for (std::size_t i = 0; i < candidate.samples.size() && i < reference.samples.size(); ++i)
    for (std::size_t k = 0; k < candidate.samples[i].size() && k < reference.samples[i].size();
         ++k) {
      NamedTensor& output = candidate.samples[i][k];
      TensorView& view = output.tensor.view;
      if (in_layout_of(reference.samples[i][k].tensor.view.shape, view.shape) == view.shape)
        continue;
      put_last_second(view.shape);
      put_last_second(view.strides);
      const std::string note = "the output `" + output.name +
                               "` has its channels last in the "
                               "candidate, and is compared as the reference has it";
      if (!contains(notes, note)) notes.push_back(note);
    }
}

} // namespace model_validator::verify
