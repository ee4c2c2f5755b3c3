#pragma once

#include "values.h"

#include <model_validator/verify/config.h>

#include <algorithm>
#include <memory>

/// Compares two values with one checker.
template <class Checker>
model_validator::verify::VerifyReport checked(const values::Value& reference,
                                              const values::Value& candidate, Checker checker) {
  model_validator::verify::VerifyConfig config;
  config.value_checker = std::make_shared<Checker>(std::move(checker));
  return model_validator::verify::compare(reference, candidate, config);
}

/// Whether a check of the first output has failed.
inline bool failed(const model_validator::verify::VerifyReport& report, const std::string& check) {
  const auto& verdicts = report.outputs.at(0).verdicts;
  return std::any_of(verdicts.begin(), verdicts.end(), [&](const auto& verdict) {
    return verdict.check == check && !verdict.passed;
  });
}

/// Whether a note of the first output contains these words.
inline bool noted(const model_validator::verify::VerifyReport& report, const std::string& words) {
  const auto& notes = report.outputs.at(0).notes;
  return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
    return note.find(words) != std::string::npos;
  });
}
