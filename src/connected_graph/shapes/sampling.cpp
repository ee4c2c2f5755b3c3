#include "connected_graph/shapes/functions.h"

// Operators that read an image at positions of their own, and that make those positions.

namespace model_validator::shapes::functions {

/// An image, seen through a grid of positions, which have a number for each axis of the image.
void grid_sample(Inference& at) {
  const Shape* image = at.shape(0);
  const Shape* grid = at.shape(1);
  if (image == nullptr || grid == nullptr || image->size() < 3) return;
  const std::size_t rank = image->size();
  if (!at.must_have_rank(1, rank, Fails::at_load)) return;
  const Size axes = Size::of(static_cast<std::int64_t>(rank) - 2);
  at.same(at.axis(1, rank - 1), {axes, 0, 0, "the number of axes of the image"}, Fails::at_load);
  at.same(at.axis(1, 0), at.axis(0, 0), Fails::when_run);
  Shape result(image->begin(), image->begin() + 2);
  result.insert(result.end(), grid->begin() + 1, grid->end() - 1);
  at.set(0, std::move(result));
}

/// A grid of positions, of two or three axes, for each matrix of a batch.
void affine_grid(Inference& at) {
  const auto wanted = at.listed(1);
  at.must_be_list(1, Fails::at_load);
  if (!wanted) return;
  if (wanted->size() != 4 && wanted->size() != 5)
    return at.cannot_fit("size-count",
                         at.name_of(1) + " has " + std::to_string(wanted->size()) +
                             " numbers instead of 4 or 5",
                         {1}, at.noticed(1));
  const auto axes = static_cast<std::int64_t>(wanted->size()) - 2;
  if (!at.must_have_rank(0, 3, Fails::when_run)) return;
  if (at.shape(0) != nullptr) {
    at.same(at.axis(0, 0), {wanted->front(), 1, 0, "the batch that is wanted"}, Fails::when_run);
    at.same(at.axis(0, 1), {Size::of(axes), 1, 0, "the number of axes of the image"},
            Fails::when_run);
    at.same(at.axis(0, 2), {Size::of(axes + 1), 1, 0, "one more than the axes of the image"},
            Fails::when_run);
  }
  Shape result{wanted->front()};
  result.insert(result.end(), wanted->begin() + 2, wanted->end());
  result.push_back(Size::of(axes));
  at.set(0, std::move(result));
}

} // namespace model_validator::shapes::functions
