#include "partition/piece_contents.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace model_validator::partition {
namespace {

class Contents {
public:
  Contents(const DataFlow& flow, const Plan& plan)
      : flow_(flow), pieces_(plan.partitions.size()), home_(flow.reads.size(), none) {
    std::unordered_map<OpId, std::size_t> home_of;
    for (std::size_t piece = 0; piece < plan.partitions.size(); ++piece)
      for (const OpId op : plan.partitions[piece].ops) home_of[op] = piece;
    for (UnitNumber unit = 0; unit < flow.ops.size(); ++unit)
      if (const auto home = home_of.find(flow.ops[unit]); home != home_of.end())
        place(unit, home->second);
    // A query that the caller is given has a place of its own: the first where it can be computed.
    for (const ValueNumber value : flow.results)
      if (const UnitNumber unit = flow.makers[value]; unit != none && home_[unit] == none)
        place(unit, first_place(unit));
  }

  std::vector<PieceContents> make() {
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece) complete(piece);
    for (const ValueNumber value : flow_.results) give(value);
    for (const PieceContents& piece : pieces_)
      for (const ValueNumber value : piece.inputs) give(value);
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece)
      pieces_[piece].outputs.assign(given_[piece].begin(), given_[piece].end());
    return std::move(pieces_);
  }

private:
  void place(UnitNumber unit, std::size_t piece) {
    home_[unit] = piece;
    pieces_[piece].units.push_back(unit);
  }

  /// The last of the pieces that what it needs is computed in.
  std::size_t first_place(UnitNumber first) const {
    std::size_t place = 0;
    std::unordered_set<UnitNumber> seen{first};
    std::vector<UnitNumber> pending{first};
    while (!pending.empty()) {
      const UnitNumber unit = pending.back();
      pending.pop_back();
      if (home_[unit] != none) {
        place = std::max(place, home_[unit]);
        continue;
      }
      for (const ValueNumber value : flow_.reads[unit])
        if (const UnitNumber maker = flow_.makers[value];
            maker != none && seen.insert(maker).second)
          pending.push_back(maker);
    }
    return place;
  }

  /// Adds the queries that are carried along, and finds what comes from outside.
  void complete(std::size_t number) {
    PieceContents& piece = pieces_[number];
    std::unordered_set<UnitNumber> carried;
    std::set<ValueNumber> taken;
    std::vector<UnitNumber> pending = piece.units;
    while (!pending.empty()) {
      const UnitNumber unit = pending.back();
      pending.pop_back();
      for (const ValueNumber value : flow_.reads[unit]) {
        const UnitNumber maker = flow_.makers[value];
        if (maker == none) {
          if (value < flow_.input_count) taken.insert(value);
        } else if (home_[maker] == none) {
          if (!carried.insert(maker).second) continue;
          piece.units.push_back(maker);
          pending.push_back(maker);
        } else if (home_[maker] != number) {
          taken.insert(value);
        }
      }
    }
    std::sort(piece.units.begin(), piece.units.end());
    piece.inputs.assign(taken.begin(), taken.end());
  }

  void give(ValueNumber value) {
    if (value < flow_.input_count) return;
    const UnitNumber maker = flow_.makers[value];
    given_[maker == none ? pieces_.size() - 1 : home_[maker]].insert(value);
  }

  const DataFlow& flow_;
  std::vector<PieceContents> pieces_;
  std::vector<std::size_t> home_; ///< of each unit; `none` for queries that are carried along
  std::unordered_map<std::size_t, std::set<ValueNumber>> given_;
};

} // namespace

std::vector<PieceContents> contents_of_pieces(const DataFlow& flow, const Plan& plan) {
  return Contents(flow, plan).make();
}

} // namespace model_validator::partition
