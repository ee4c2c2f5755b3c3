#include "connected_graph/shapes/functions.h"

#include <array>

namespace model_validator::shapes::functions {
namespace {

Size part(Inference& at, Size whole, std::int64_t parts) {
  return parts > 0 ? at.sizes.quotient(whole, Size::of(parts)) : Size{};
}

/// `[batch, heads, past + steps, size of a head]`
Shape kept(Inference& at, std::size_t past, Size batch, Size heads, Size steps, Size head) {
  Size before = Size::of(0);
  if (at.given(past)) before = at.has_rank(past, 4) ? at.shape(past)->at(2) : Size{};
  return {batch, heads, at.sizes.sum(before, steps), head};
}

} // namespace

/// Queries and keys are compared, each key has a value, and heads of queries share one of keys.
static void heads_fit(Inference& at, const std::array<Shape, 3>& by_head) {
  constexpr std::size_t heads = 1, steps = 2, head = 3;
  const auto& [query, key, value] = by_head;
  at.same({query[head], 0, head, "the size of a head of the query"},
          {key[head], 1, head, "that of the key"}, Fails::when_run);
  at.same({key[steps], 1, steps, "the length of the key"},
          {value[steps], 2, steps, "that of the value"}, Fails::when_run);
  const auto asking = query[heads].number(), asked = key[heads].number();
  if (asking && asked && *asked > 0 && *asking % *asked != 0)
    at.cannot_fit("heads",
                  "the " + std::to_string(*asking) + " heads of the query cannot be shared among " +
                      std::to_string(*asked) + " of the key",
                  {0, 1}, Fails::when_run);
}

/// Of ONNX: queries, keys and values, in three axes or, by head, in four.
void attention(Inference& at) {
  const Shape* query = at.shape(0);
  const Shape* key = at.shape(1);
  const Shape* value = at.shape(2);
  if (query == nullptr || key == nullptr || value == nullptr) return;
  if (query->size() != key->size() || query->size() != value->size()) return;
  const Size heads = Size::of(at.integer("q_num_heads", 0));
  const std::int64_t kept_heads = at.integer("kv_num_heads", 0);
  if (query->size() == 4) {
    heads_fit(at, {*query, *key, *value});
    at.set(0, Shape{query->at(0), query->at(1), query->at(2), value->at(3)});
    at.set(1, kept(at, 4, key->at(0), key->at(1), key->at(2), key->at(3)));
    at.set(2, kept(at, 5, key->at(0), key->at(1), value->at(2), value->at(3)));
  } else if (query->size() == 3 && kept_heads > 0) {
    const Size head = part(at, value->at(2), kept_heads);
    at.set(0, Shape{query->at(0), query->at(1), at.sizes.product(head, heads)});
    at.set(1, kept(at, 4, key->at(0), Size::of(kept_heads), key->at(1),
                   part(at, key->at(2), kept_heads)));
    at.set(2, kept(at, 5, key->at(0), Size::of(kept_heads), value->at(1), head));
  }
}

/// Cosines and sines are tables of one shape.
void rotary_embedding(Inference& at) {
  same_as_first(at);
  const std::size_t cosines = at.node.domain.empty() ? 1 : 2;
  const std::size_t sines = cosines + 1;
  if (at.shape(cosines) == nullptr || at.shape(sines) == nullptr) return;
  if (!at.must_have_rank(sines, at.shape(cosines)->size(), Fails::when_run)) return;
  for (std::size_t i = 0; i < at.shape(sines)->size(); ++i)
    at.same(at.axis(sines, i), at.axis(cosines, i), Fails::when_run);
}

/// Of `com.microsoft`: one weight makes queries, keys and values of the input.
void packed_attention(Inference& at) {
  const Shape* data = at.shape(0);
  const Shape* weight = at.shape(1);
  if (data == nullptr || data->size() != 3 || weight == nullptr || weight->size() != 2) return;
  at.same(at.axis(0, 2), at.axis(1, 0), Fails::when_run);
  const auto sizes = at.integers("qkv_hidden_sizes");
  const Size columns =
      sizes && sizes->size() == 3 ? Size::of(sizes->back()) : part(at, weight->at(1), 3);
  if (at.has_rank(2, 1)) at.same(at.axis(2, 0), at.axis(1, 1), Fails::when_run);
  at.set(0, Shape{data->at(0), data->at(1), columns});
}

void multi_head_attention(Inference& at) {
  const Shape* query = at.shape(0);
  const Shape* value = at.shape(2);
  if (query == nullptr || query->size() != 3 || value == nullptr) return;
  const std::int64_t heads = at.integer("num_heads", 0);
  const bool by_head = value->size() == 4;
  if (!by_head && value->size() != 3) return;
  const Size columns = by_head ? at.sizes.product(value->at(1), value->at(3)) : value->at(2);
  at.set(0, Shape{query->at(0), query->at(1), columns});
  const Size steps = value->at(by_head ? 2 : 1);
  const Size head = part(at, columns, heads);
  if (at.given(6) && !by_head)
    for (const std::size_t output : {std::size_t{1}, std::size_t{2}})
      at.set(output, kept(at, 6, query->at(0), Size::of(heads), steps, head));
}

/// Of what `com.microsoft::GroupQueryAttention` keeps, the elements. A ring and a buffer of a size
/// of its own are as long as they were; else all elements are, which the seventh input counts.
static Size kept_elements(Inference& at) {
  constexpr std::size_t past = 3, total = 6, elements = 2;
  const bool by_head = at.has_rank(past, 4);
  if (by_head && at.shape(past)->at(elements).is_number() &&
      *at.shape(past)->at(elements).number() > 0)
    return at.flag("sliding_window_cache") ? at.shape(past)->at(elements) : Size{};
  const Shape* count = at.elements(total);
  const bool known = count != nullptr && count->size() == 1 && !at.flag("sliding_window_cache");
  return known ? count->front() : Size{};
}

/// Without keys and values, the first input holds them too.
void group_query_attention(Inference& at) {
  const Shape* query = at.shape(0);
  if (query == nullptr || query->size() != 3) return;
  const std::int64_t heads = at.integer("num_heads", 0);
  const std::int64_t kept_heads = at.integer("kv_num_heads", heads);
  Size columns = query->at(2);
  if (!at.given(1)) {
    const Size head = part(at, columns, heads + 2 * kept_heads);
    columns = at.sizes.product(head, Size::of(heads));
  }
  at.set(0, Shape{query->at(0), query->at(1), columns});
  const Shape rest{query->at(0), Size::of(kept_heads), kept_elements(at), part(at, columns, heads)};
  at.set(1, rest);
  at.set(2, rest);
}

/// Heads lie side by side in the last axis, and each keeps a matrix.
void linear_attention(Inference& at) {
  if (!at.has_rank(0, 3) || !at.has_rank(1, 3) || !at.has_rank(2, 3)) return;
  const Shape& query = *at.shape(0);
  const std::int64_t kept_heads = at.integer("kv_num_heads", 0);
  const Size of_key = part(at, at.shape(1)->at(2), kept_heads);
  const Size of_value = part(at, at.shape(2)->at(2), kept_heads);
  const Size heads = Size::of(at.integer("q_num_heads", 0));
  at.set(0, Shape{query[0], query[1], at.sizes.product(heads, of_value)});
  at.set(1, Shape{query[0], Size::of(kept_heads), of_key, of_value});
}

} // namespace model_validator::shapes::functions
