#pragma once

#include "report/style.h"

#include <model_validator/partition/manifest.h>
#include <model_validator/partition/plan.h>

#include <filesystem>
#include <iosfwd>
#include <optional>

namespace model_validator {

/// How a model is divided, for `partition`.
struct PartitionReport {
  const ConnectedGraph& graph;
  const partition::Options& options;
  const partition::Plan& plan;
  std::filesystem::path folder;               ///< where the subgraphs were written; empty: nowhere
  std::vector<partition::Subgraph> subgraphs; ///< what was written there
};

/// As tables for people.
void write_partition_text(std::ostream& out, const PartitionReport& report, const Style& style);
/// As one JSON object, `model_validator-partition/1`.
void write_partition_json(std::ostream& out, const PartitionReport& report);

} // namespace model_validator
