#pragma once

#include "fixes/python/mention.h"
#include "fixes/python/source_index.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace model_validator::fixes {

/// Searches the project for the names that edits touch: its Python, and the lines of its notebooks
/// and configurations.
class Mentions {
public:
  explicit Mentions(SourceIndex& index) : index_(index) {}

  /// In the order of their places.
  const std::vector<Mention>& of(const Touched& touched);

private:
  using Key = std::tuple<Touched::Kind, std::string, ClassKey>;

  SourceIndex& index_;
  std::map<Key, std::vector<Mention>> known_;
};

} // namespace model_validator::fixes
