#include "connected_graph/shapes/functions.h"

namespace model_validator::shapes::functions {
namespace {

/// Weights of all gates lie one below the other, and those of two directions one behind the other.
void weights_fit(Inference& at, std::int64_t gates, Size hidden, Size directions) {
  const Size rows = at.sizes.product(hidden, Size::of(gates));
  const Place of_direction{directions, 1, 0, "the number of directions"};
  const Place of_rows{rows, 1, 1, "the number of gates times the hidden size"};
  for (const std::size_t weight : {std::size_t{1}, std::size_t{2}})
    if (at.has_rank(weight, 3)) {
      at.same(at.axis(weight, 0), of_direction, Fails::when_run);
      at.same(at.axis(weight, 1), of_rows, Fails::when_run);
    }
  if (at.has_rank(0, 3) && at.has_rank(1, 3))
    at.same(at.axis(0, 2), at.axis(1, 2), Fails::when_run);
  if (at.has_rank(2, 3)) at.same(at.axis(2, 2), {hidden, 2, 2, "the hidden size"}, Fails::when_run);
  if (at.has_rank(3, 2)) {
    at.same(at.axis(3, 0), of_direction, Fails::when_run);
    at.same(at.axis(3, 1),
            {at.sizes.product(rows, Size::of(2)), 3, 1, "twice the number of rows of the weights"},
            Fails::when_run);
  }
}

/// The states that it starts from, and the lengths of its sequences.
void states_fit(Inference& at, Size hidden, Size directions, bool batch_first) {
  if (!at.has_rank(0, 3)) return;
  const std::size_t batch_axis = batch_first ? 0 : 1;
  const Place batch = at.axis(0, batch_axis);
  constexpr std::size_t lengths = 4, first_state = 5, last_state = 6;
  if (at.shape(lengths) != nullptr && at.must_have_rank(lengths, 1, Fails::when_run))
    at.same(at.axis(lengths, 0), batch, Fails::when_run);
  for (std::size_t state = first_state; state <= last_state; ++state) {
    if (at.shape(state) == nullptr || !at.must_have_rank(state, 3, Fails::when_run)) continue;
    at.same(at.axis(state, 1 - batch_axis), {directions, 1, 0, "the number of directions"},
            Fails::when_run);
    at.same(at.axis(state, batch_axis), batch, Fails::when_run);
    at.same(at.axis(state, 2), {hidden, 2, 2, "the hidden size"}, Fails::when_run);
  }
}

void recur(Inference& at, std::int64_t gates) {
  for (const std::size_t input : {std::size_t{0}, std::size_t{1}, std::size_t{2}})
    if (!at.must_have_rank(input, 3, Fails::when_run)) return;
  if (at.given(3) && !at.must_have_rank(3, 2, Fails::when_run)) return;
  Size hidden;
  if (const auto stated = at.node.attributes->integer("hidden_size"))
    hidden = Size::of(*stated);
  else if (at.has_rank(2, 3))
    hidden = at.shape(2)->at(2);
  const Size directions =
      Size::of(at.node.attributes->text("direction") == "bidirectional" ? 2 : 1);
  weights_fit(at, gates, hidden, directions);
  const Shape* data = at.shape(0);
  const bool batch_first = at.flag("layout");
  const Size steps = data == nullptr ? Size{} : data->at(batch_first ? 1 : 0);
  const Size batch = data == nullptr ? Size{} : data->at(batch_first ? 0 : 1);
  const Shape last =
      batch_first ? Shape{batch, directions, hidden} : Shape{directions, batch, hidden};
  states_fit(at, hidden, directions, batch_first);
  at.set(0, batch_first ? Shape{batch, steps, directions, hidden}
                        : Shape{steps, directions, batch, hidden});
  at.set(1, last);
  at.set(2, last);
}

} // namespace

void lstm(Inference& at) { recur(at, 4); }
void gru(Inference& at) { recur(at, 3); }
void rnn(Inference& at) { recur(at, 1); }

} // namespace model_validator::shapes::functions
