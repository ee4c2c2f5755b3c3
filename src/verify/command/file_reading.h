#pragma once

#include "files/process/error_bytes.h"
#include "verify/command/graph_noise.h"
#include "verify/command/model_file.h"
#include "verify/command/quantised_copy.h"

#include <model_validator/verify/request.h>
#include <model_validator/weights.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// What one look at a file says, before anything of it runs.
struct FileReading {
  ModelFile model; ///< as far as it is declared
  Precision precision;
  GraphNoise noise;
  std::vector<NonFiniteTensor> with_nan; ///< weights; of a candidate alone
  std::string lint;                      ///< what `VerifyRequest::lint` gave; of a reference alone
  process::ErrorFields fault;            ///< why nothing else was read
};

enum class ReadAs : bool { reference, candidate };

/// Reads a file once, in a process that can only compute.
/// @throws Error where it cannot be read; none where what lint found forbids to go on
std::optional<FileReading> read_file(const std::filesystem::path& file, const ReadOptions& options,
                                     const VerifyRequest& request, ReadAs as);

} // namespace model_validator::verify
