#pragma once

#include <model_validator/error.h>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace model_validator::exported_program {

/// Runs `work` on a file; JSON that torch.export would not write becomes an Error.
/// @throws Error (`damaged-exported-program`)
template <class Work> auto with_json_errors(const std::filesystem::path& file, Work&& work) {
  const auto damaged = [&](const char* cause) {
    return Error(ErrorKind::damaged_exported_program, file.string(), cause,
                 "export the model again");
  };
  try {
    return work();
  } catch (const nlohmann::json::parse_error&) {
    throw damaged("the description of the exported program is not JSON");
  } catch (const nlohmann::json::exception&) {
    throw damaged("the exported program does not have the structure that torch.export writes");
  }
}

} // namespace model_validator::exported_program
