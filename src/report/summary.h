#pragma once

#include <model_validator/lint.h>

#include <cstddef>
#include <map>
#include <string>

namespace model_validator {

/// What a whole run found.
struct RunSummary {
  struct Rule {
    std::string name;
    std::size_t findings = 0;
    bool fixable = false;
  };
  std::size_t models = 0;     ///< that could be read
  std::size_t unreadable = 0; ///< files that could not
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t infos = 0;
  std::size_t fixable = 0;            ///< for which there are edits that `fix` makes at once
  std::size_t fixable_with_proof = 0; ///< further ones, with edits that `fix --rebuild` tries
  std::size_t suppressed = 0;
  std::size_t skipped = 0;           ///< files that an interrupted run left out
  std::size_t baseline_gone = 0;     ///< findings of the baseline that no model has any more
  std::size_t for_quantisers = 0;    ///< findings that the preset `deploy` would leave out
  std::string preset;                ///< that the run was asked for; empty: the standard one
  std::map<std::string, Rule> rules; ///< by code

  void add(const ModelReport& report);
};

/// `Found 8 warnings in 1 model (5 fixable, 2 with a proof); 0 suppressed.`
std::string sentence(const RunSummary& summary);

/// A line for each rule that found something, the most frequent first.
std::string statistics(const RunSummary& summary);

} // namespace model_validator
