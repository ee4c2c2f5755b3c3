#pragma once

#include "verify/reduce/reduction.h"

#include <filesystem>
#include <map>
#include <string>

namespace model_validator::verify {

/// What a reduced model is reported with.
struct BugReport {
  const ReduceRequest& request;
  const Subject& subject; ///< the model, or a body of a node of it, that was cut
  const AskedRuntime& runner;
  const FailingPart& part;
  std::size_t nodes_of_whole = 0;
  std::size_t attempts = 0;
  bool random_inputs = false;
  NamedTensors expected = {};          ///< none where the reference does not run
  NamedTensors came = {};              ///< none where it did not end well
  std::string version = {};            ///< of what runs it
  std::string reference = {};          ///< what gives that
  std::vector<std::string> lines = {}; ///< the reduced model's nodes
  std::vector<std::string> lines_of_candidate = {};
};

/// Writes inputs, what was expected, `repro.py` and `report.md`, beside the model.
void write_bug_report(const BugReport& report, const std::filesystem::path& folder);

/// `A Conv fails`: what a person would call it in one line.
std::string headline(const BugReport& report);

} // namespace model_validator::verify
