#pragma once

#include "files/input_file.h"
#include "files/zip_archive.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::exported_program {

using Json = nlohmann::json;

/// Where the bytes of a tensor are inside the zip.
struct StoredTensor {
  std::string entry; ///< name inside the top folder; empty if the file does not say
  std::uint64_t offset = 0;
  bool pickled = false; ///< not plain bytes
  Json meta;            ///< the `TensorMeta`; null if the file has none
  Json rest;            ///< what else the file says of it
};

/// A torch.export program: its JSON and the directory of its tensors.
struct ProgramFile {
  /// @throws Error (`damaged-exported-program`, `unsupported-version`, and those of ZipArchive)
  explicit ProgramFile(const std::filesystem::path& path);

  InputFile file;
  ZipArchive zip;
  Json program;
  std::map<std::string, StoredTensor> tensors; ///< by name in the signature

  /// The numbers of a tensor that is small, dense and of a usual dtype; nothing of any other, and
  /// nothing once enough is read: many tensors may lie in one entry of the zip.
  /// @param bytes_left  that may still be read and kept; less what this takes
  std::optional<std::vector<double>> numbers_of(const std::string& tensor,
                                                std::uint64_t& bytes_left) const;

private:
  Json json_of(const ZipEntry& entry) const;
  void require_known_version() const;
  void read_directory(const std::string& config, const std::string& folder);
};

} // namespace model_validator::exported_program
