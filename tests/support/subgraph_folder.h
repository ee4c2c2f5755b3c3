#pragma once

#include "partition/subgraph_folder.h"

namespace model_validator::test {

/// Divides a model into a folder, as `partition --emit` does.
inline void write_subgraph_folder(const partition::PartitionableModel& model,
                                  const partition::Plan& plan, const std::filesystem::path& place,
                                  bool replace) {
  partition::NewSubgraphFolder folder(place, replace);
  partition::write_subgraphs(model, plan, folder.path());
  folder.put_in_place();
}

} // namespace model_validator::test
