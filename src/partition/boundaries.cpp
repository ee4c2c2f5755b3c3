#include "partition/boundaries.h"

#include <map>
#include <set>

namespace model_validator::partition {
namespace {

/// Output `second` of op `first`.
using Source = std::pair<OpId, std::size_t>;

class Boundaries {
public:
  Boundaries(const ConnectedGraph& graph, Plan& plan) : graph_(graph), plan_(plan) {
    for (std::size_t i = 0; i < plan.partitions.size(); ++i)
      for (const OpId op : plan.partitions[i].ops) home_[op] = i;
  }

  void run() {
    for (std::size_t i = 0; i < plan_.partitions.size(); ++i) {
      seen_.clear();
      std::set<Source> crossing;
      for (const OpId op : plan_.partitions[i].ops) collect(op, i, crossing);
      for (const Source& source : crossing) plan_.partitions[i].inputs.push_back(name(source));
      taken_.insert(crossing.begin(), crossing.end());
    }
    for (const OpId output : graph_.outputs()) {
      seen_.clear();
      collect(output, none, taken_);
    }
    for (const Source& source : taken_)
      if (const auto home = home_.find(source.first); home != home_.end())
        plan_.partitions[home->second].outputs.push_back(name(source));
  }

private:
  /// What an op reads from outside the partition, through ops that are in no partition.
  void collect(OpId first, std::size_t partition, std::set<Source>& crossing) {
    std::vector<OpId> readers{first};
    while (!readers.empty()) {
      const OpId reader = readers.back();
      readers.pop_back();
      for (const auto edge : boost::make_iterator_range(boost::in_edges(reader, graph_.graph()))) {
        const OpId from = boost::source(edge, graph_.graph());
        const OpKind kind = graph_.op(from).kind;
        const auto home = home_.find(from);
        if (kind == OpKind::constant || (home != home_.end() && home->second == partition))
          continue;
        if (kind != OpKind::input && home == home_.end()) {
          if (seen_.insert(from).second) readers.push_back(from);
          continue;
        }
        crossing.emplace(from, graph_.graph()[edge].output);
      }
    }
  }

  std::string name(const Source& source) const {
    const std::string& op = graph_.op(source.first).name;
    return source.second == 0 ? op : op + ":" + std::to_string(source.second);
  }

  const ConnectedGraph& graph_;
  Plan& plan_;
  std::map<OpId, std::size_t> home_; ///< for ops that are not carried along
  std::set<OpId> seen_;
  std::set<Source> taken_;
};

} // namespace

void find_boundaries(const ConnectedGraph& graph, Plan& plan) { Boundaries(graph, plan).run(); }

} // namespace model_validator::partition
