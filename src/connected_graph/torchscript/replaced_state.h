#pragma once

#include "connected_graph/torchscript/state_facts.h"

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace model_validator::torchscript {

/// Which of the previous call's attribute values have been replaced at this point of the walk.
class ReplacedState {
public:
  /// An attribute that was reassigned (true), or overwritten in place.
  using What = std::pair<StateFacts::Key, bool>;

  void add(const What& what) {
    if (replaced_.insert(what).second) in_order_.push_back(what);
  }
  bool contains(const What& what) const { return replaced_.contains(what); }

  /// Begins a part of the model that not every call runs. @return what to give `close`
  std::size_t open() const { return in_order_.size(); }
  /// Ends it: what was replaced there may still be there. @return what was replaced
  std::set<What> close(std::size_t opened) {
    const auto begin = in_order_.begin() + static_cast<std::ptrdiff_t>(opened);
    std::set<What> here(begin, in_order_.end());
    in_order_.erase(begin, in_order_.end());
    for (const What& what : here) replaced_.erase(what);
    return here;
  }
  /// What both arms of an `if` replace is replaced after it.
  void add_common(const std::set<What>& in_one_arm, const std::set<What>& in_the_other) {
    for (const What& what : in_one_arm)
      if (in_the_other.contains(what)) add(what);
  }

private:
  std::set<What> replaced_;
  std::vector<What> in_order_;
};

} // namespace model_validator::torchscript
