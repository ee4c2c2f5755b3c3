#include "files/pickle.h"

#include <algorithm>
#include <limits>

namespace model_validator::pickle {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / 2;

bool grows(Kind kind) { return kind == Kind::list || kind == Kind::dict || kind == Kind::call; }
bool has_items(Kind kind) {
  return grows(kind) || kind == Kind::tuple || kind == Kind::persistent || kind == Kind::global;
}

/// Visits values after their items, without recursion.
class NestingVisitor {
public:
  explicit NestingVisitor(const Document& document)
      : document_(document), state_(document.values().size()) {}

  Nesting run() {
    for (Index i = 0; i < state_.size() && !result_.cyclic; ++i) visit(i);
    return result_;
  }

private:
  enum class Mark : std::uint8_t { fresh, open, done };
  struct State {
    std::uint64_t expanded = 1;
    Index depth = 1;
    Mark mark = Mark::fresh;
  };
  struct Step {
    Index value;
    std::size_t next;
  };

  void visit(Index start) {
    if (state_[start].mark != Mark::fresh) return;
    enter(start);
    while (!path_.empty() && !result_.cyclic) advance(path_.back());
  }

  void enter(Index value) {
    state_[value].mark = Mark::open;
    path_.push_back(Step{value, 0});
  }

  void advance(Step& step) {
    const auto items = document_.items(document_[step.value]);
    if (step.next == items.size()) return leave(step.value);
    const Index item = items[step.next];
    switch (state_[item].mark) {
    case Mark::fresh: return enter(item);
    case Mark::open: result_.cyclic = true; return;
    case Mark::done: add(state_[step.value], state_[item]); ++step.next;
    }
  }

  static void add(State& to, const State& item) {
    to.depth = std::max(to.depth, item.depth + 1);
    to.expanded = std::min(most, to.expanded + item.expanded);
  }

  void leave(Index value) {
    State& state = state_[value];
    state.mark = Mark::done;
    result_.depth = std::max<std::size_t>(result_.depth, state.depth);
    result_.expanded = std::max(result_.expanded, state.expanded);
    path_.pop_back();
  }

  const Document& document_;
  std::vector<State> state_;
  std::vector<Step> path_;
  Nesting result_;
};

} // namespace

std::span<const Index> Document::items(const Value& value) const {
  if (grows(value.kind)) return lists_[value.first];
  if (has_items(value.kind)) return std::span(pool_).subspan(value.first, value.count);
  return {};
}

std::string Document::name(const Value& value) const {
  if (value.kind != Kind::global) return {};
  const auto parts = items(value);
  return std::string(text(values_[parts[0]])) + "." + std::string(text(values_[parts[1]]));
}

Nesting nesting_of(const Document& document) { return NestingVisitor(document).run(); }

} // namespace model_validator::pickle
