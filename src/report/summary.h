#pragma once

#include <model_validator/lint.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace model_validator {

/// What a whole run found.
struct RunSummary {
  struct Rule {
    std::string name;
    std::size_t findings = 0;
    bool fixable = false;
  };
  /// Checks that lacked the same in the files of some models.
  struct NotJudged {
    std::set<std::string> rules;
    std::size_t models = 0;
  };
  std::size_t models = 0;     ///< that could be read
  std::size_t unreadable = 0; ///< files that could not
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t infos = 0;
  std::size_t fixable = 0;            ///< with edits that `fix --write` makes once proved
  std::size_t fixable_with_proof = 0; ///< further ones, whose edits wait for a word
  std::size_t suppressed = 0;
  std::size_t excused = 0;  ///< findings about code of installed packages, which do not count
  std::size_t no_model = 0; ///< files found in folders that hold something else
  std::size_t not_judged_checks = 0; ///< over all models
  std::size_t skipped = 0;           ///< files that an interrupted run left out
  std::size_t baseline_gone = 0;     ///< findings of the baseline that no model has any more
  std::size_t for_quantisers = 0;    ///< findings that the preset `deploy` would leave out
  std::size_t without_target = 0;    ///< models that are to be compiled, nobody said for what
  std::string preset;                ///< that the run was asked for; empty: the standard one
  std::map<std::string, Rule> rules; ///< by code
  std::map<std::string, NotJudged> not_judged; ///< by what was lacking

  void add(const ModelReport& report);

private:
  void add_not_judged(const ModelReport& report);
};

/// `Found 8 warnings in 1 model (5 fixable, 2 proposed); 0 suppressed.`
std::string sentence(const RunSummary& summary);

/// Which checks judged nothing, and why, in one line; empty where all did.
std::string not_judged(const RunSummary& summary);

/// A line for each rule that found something, the most frequent first.
std::string statistics(const RunSummary& summary);

} // namespace model_validator
