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
  std::size_t fixable = 0;
  std::size_t suppressed = 0;
  std::size_t skipped = 0;           ///< files that an interrupted run left out
  std::map<std::string, Rule> rules; ///< by code

  void add(const ModelReport& report);
};

/// `Found 8 warnings in 1 model (8 fixable); 0 suppressed.`
std::string sentence(const RunSummary& summary);

/// A line for each rule that found something, the most frequent first.
std::string statistics(const RunSummary& summary);

} // namespace model_validator
