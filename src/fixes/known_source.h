#pragma once

#include "fixes/mentions.h"
#include "fixes/python/source_index.h"

#include <model_validator/diagnostic.h>

#include <map>
#include <optional>
#include <vector>

namespace model_validator::fixes {

/// The user's source as it is before any edit, and what plans have learned of it.
class KnownSource {
public:
  explicit KnownSource(SourceFiles& files);
  ~KnownSource();
  KnownSource(const KnownSource&) = delete;
  KnownSource& operator=(const KnownSource&) = delete;

  SourceFiles& files() { return files_; }
  SourceIndex& index() { return index_; }
  /// Whether any code sets the mode of modules one by one, so that a new child may be in another
  /// mode than its class.
  bool shares_mode(const Node& type);
  /// Where other code names what an edit touches.
  const std::vector<Mention>& mentions_of(const Touched& touched) { return mentions_.of(touched); }
  /// Code that looks at all modules of a network, or at their classes: it may see a new one.
  const std::vector<Mention>& looks_at_modules();

  /// The mentions of all that a finding's edits touch, by the last plan.
  const std::vector<Mention>& mentions_of(const Diagnostic& finding) const {
    return of_findings_.at(&finding);
  }
  void note(const Diagnostic& finding, std::vector<Mention> mentions) {
    of_findings_[&finding] = std::move(mentions);
  }

private:
  SourceFiles& files_;
  SourceIndex index_;
  Mentions mentions_;
  std::optional<bool> sets_modes_;
  std::optional<std::vector<Mention>> looks_;
  std::map<const Diagnostic*, std::vector<Mention>> of_findings_;
};

} // namespace model_validator::fixes
