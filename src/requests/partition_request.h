#pragma once

#include "report/style.h"
#include "requests/reading.h"

#include <model_validator/partition/partitionable_model.h>

#include <memory>
#include <string>
#include <vector>

namespace model_validator {

/// The fallback that takes nothing: an op that no target takes is a finding.
inline constexpr const char* no_fallback = "none";

/// How a model is divided among targets, as text.
struct PartitionRequest {
  std::vector<std::string> targets;            ///< the preferred one first
  std::vector<std::filesystem::path> profiles; ///< files, which come after those
  partition::Options plan;
  std::string format = "table"; ///< table, json, html
  Style style;
  std::filesystem::path folder; ///< where the user wants the subgraphs; empty: nowhere
  partition::OpenOptions open;
};

/// The options of the plan, with the targets read.
/// @throws Error (`usage`) where there is none, or one twice; that of reading a profile
partition::Options plan_options_of(const PartitionRequest& request);

/// @param options  of the plan, complete
/// @param subgraphs  where the partitions are written temporarily; empty: nowhere
/// @throws Error
void describe_partition(const std::filesystem::path& file, const PartitionRequest& request,
                        const partition::Options& options, const std::filesystem::path& subgraphs,
                        Findings& found);

} // namespace model_validator
