#include "files/pickle_stack.h"

namespace model_validator::pickle {
namespace {

Value described(Kind kind, std::size_t first, std::size_t count) {
  Value value;
  value.kind = kind;
  value.first = static_cast<Index>(first);
  value.count = static_cast<Index>(count);
  return value;
}

Value number(Kind kind, std::int64_t integer) {
  Value value;
  value.kind = kind;
  value.integer = integer;
  return value;
}

} // namespace

Index Stack::add(const Value& value) {
  document.values_.push_back(value);
  return static_cast<Index>(document.values_.size() - 1);
}

Index Stack::add_text(std::string_view text) {
  Value value = described(Kind::text, 0, text.size());
  value.text = text.data();
  return add(value);
}

void Stack::push_boolean(bool value) { push(number(Kind::boolean, value ? 1 : 0)); }

void Stack::push_integer(std::int64_t value) { push(number(Kind::integer, value)); }

void Stack::push_real(double value) {
  Value described_value = described(Kind::real, 0, 0);
  described_value.real = value;
  push(described_value);
}

void Stack::push_fixed(Kind kind, std::span<const Index> items) {
  const std::size_t first = document.pool_.size();
  document.pool_.insert(document.pool_.end(), items.begin(), items.end());
  push(described(kind, first, items.size()));
}

void Stack::push_growing(Kind kind, std::vector<Index> items) {
  document.lists_.push_back(std::move(items));
  push(described(kind, document.lists_.size() - 1, 0));
}

void Stack::push_tuple(std::size_t count) {
  Index items[3] = {};
  for (std::size_t i = count; i > 0; --i) items[i - 1] = pop();
  push_fixed(Kind::tuple, std::span(items, count));
}

void Stack::push_global(Index module, Index name) {
  const Index parts[] = {module, name};
  push_fixed(Kind::global, parts);
}

Index Stack::top() const {
  if (values_.size() <= floor())
    throw Malformed("the pickle takes more from its stack than is there");
  return values_.back();
}

Index Stack::pop() {
  const Index value = top();
  values_.pop_back();
  return value;
}

void Stack::pop_value_or_mark() {
  if (!marks_.empty() && marks_.back() == values_.size())
    marks_.pop_back();
  else
    pop();
}

std::vector<Index> Stack::pop_to_mark() {
  if (marks_.empty()) throw Malformed("the pickle looks for a mark that is not there");
  const auto from = values_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  std::vector<Index> items(from, values_.end());
  values_.erase(from, values_.end());
  marks_.pop_back();
  return items;
}

void Stack::grow(std::span<const Index> items) {
  const Value target = document[top()];
  if (target.kind != Kind::list && target.kind != Kind::dict && target.kind != Kind::call)
    throw Malformed("the pickle adds items to a value that holds none");
  auto& there = document.lists_[target.first];
  there.insert(there.end(), items.begin(), items.end());
}

void Stack::put(std::uint64_t id) {
  // Readers keep the memo in an array.
  if (id > largest_id_)
    throw Malformed("the pickle numbers its values beyond " + std::to_string(largest_id_) +
                    ", which no pickler does");
  memo_[id] = top();
}

void Stack::get(std::uint64_t id) {
  const auto found = memo_.find(id);
  if (found == memo_.end()) throw Malformed("the pickle refers to a value that is not there");
  push(found->second);
}

void Stack::finish() {
  document.root = pop();
  document.complete = true;
}

} // namespace model_validator::pickle
