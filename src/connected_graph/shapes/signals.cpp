#include "connected_graph/shapes/functions.h"

// Operators that take signals apart into frequencies, and windows for them.

namespace model_validator::shapes::functions {
namespace {

/// Of a real signal, the rest of the frequencies says nothing more.
Size frequencies(Sizes& sizes, Size length, bool one_sided) {
  if (!one_sided) return length;
  return sizes.sum(sizes.quotient(length, Size::of(2)), Size::of(1));
}

} // namespace

/// The last axis holds a real part, and an imaginary one if there are two.
void fourier_transform(Inference& at) {
  constexpr int first_with_axis_as_input = 20;
  const Shape* data = at.shape(0);
  if (data == nullptr) return;
  const bool as_input = at.node.opset >= first_with_axis_as_input;
  const auto nowhere = static_cast<std::int64_t>(data->size());
  const Size stated =
      as_input && at.given(2) ? at.element(2) : Size::of(as_input ? -2 : at.integer("axis", 1));
  const auto axis = axis_in(stated.number().value_or(nowhere), data->size());
  const bool back_to_real = at.flag("inverse") && at.flag("onesided");
  if (!axis || *axis + 1 == data->size() || back_to_real) return at.set(0, Shape(data->size()));
  Shape result = *data;
  const Size length = at.given(1) ? at.element(1) : data->at(*axis);
  result[*axis] = frequencies(at.sizes, length, at.flag("onesided"));
  result.back() = Size::of(2);
  at.set(0, std::move(result));
}

/// Frequencies of each frame of a signal.
void short_time_fourier_transform(Inference& at) {
  const Shape* signal = at.shape(0);
  if (signal == nullptr || signal->size() < 2) return;
  const Size step = at.element(1);
  Size length = at.given(3) ? at.element(3) : Size{};
  if (!length.known() && at.has_rank(2, 1)) length = at.shape(2)->front();
  Size frames;
  if (step.is_number() && *step.number() > 0) {
    const Size room = at.sizes.difference(signal->at(1), length);
    frames = at.sizes.sum(at.sizes.quotient(room, step), Size::of(1));
  }
  const bool one_sided = at.integer("onesided", 1) != 0;
  at.set(0, Shape{signal->at(0), frames, frequencies(at.sizes, length, one_sided), Size::of(2)});
}

void window_of_size(Inference& at) { at.set(0, Shape{at.element(0)}); }

/// From frequencies to bands.
void mel_weights(Inference& at) {
  at.set(0, Shape{frequencies(at.sizes, at.element(1), true), at.element(0)});
}

} // namespace model_validator::shapes::functions
