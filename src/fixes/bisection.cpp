#include "fixes/bisection.h"

#include <utility>

namespace model_validator::fixes {
namespace {

class Search {
public:
  explicit Search(const Trial& trial) : trial_(trial) {}

  void add(std::size_t begin, std::size_t end) {
    if (begin == end) return;
    auto chosen = result.kept;
    for (std::size_t i = begin; i < end; ++i) chosen.push_back(i);
    const auto reason = trial_(chosen);
    if (!reason) {
      result.kept = std::move(chosen);
    } else if (end - begin == 1) {
      result.rejected.push_back({begin, *reason});
    } else {
      const std::size_t middle = begin + (end - begin) / 2;
      add(begin, middle);
      add(middle, end);
    }
  }

  Bisection result;

private:
  const Trial& trial_;
};

} // namespace

Bisection keep_valid(std::size_t count, const Trial& trial) {
  Search search(trial);
  search.add(0, count);
  return std::move(search.result);
}

} // namespace model_validator::fixes
