#pragma once

#include <model_validator/partition/divisible.h>

namespace model_validator::partition {

/// Opens a model of a format whose subgraphs cannot be written. @throws Error
std::unique_ptr<Divisible> open_graph_alone(const std::filesystem::path& file,
                                            const OpenOptions& options);

/// For a format whose shapes cannot be inferred. @throws Error (`usage`) if inputs are given
void refuse_inputs(const std::filesystem::path& file, const OpenOptions& options);

} // namespace model_validator::partition
