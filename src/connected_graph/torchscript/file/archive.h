#pragma once

#include "files/input_file.h"
#include "files/zip_archive.h"

#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/serialization/storage_context.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::torchscript {

class Mapping;

/// A TorchScript file: its zip as LibTorch reads it, checked against the zip's directory.
class Archive {
public:
  /// @throws Error if it is not a TorchScript archive that this LibTorch reads
  explicit Archive(const std::filesystem::path& path);
  ~Archive();

  const InputFile& file() const noexcept { return file_; }
  caffe2::serialize::PyTorchStreamReader& reader() noexcept { return *reader_; }
  std::uint64_t version() const { return reader_->version(); }

  bool has(const std::string& record) const { return zip_.find(record) != nullptr; }
  /// Size of a record in bytes; nothing if there is none.
  std::optional<std::uint64_t> size_of(const std::string& record) const;
  /// Records whose names start like this.
  std::vector<std::string> records(std::string_view start) const;
  /// The bytes of a record of text or pickle. @throws Error
  std::string read(const std::string& record);

  /// A storage for every record below `folder` (`data/`), by the record's name in it.
  std::shared_ptr<torch::jit::DeserializationStorageContext> storages(const std::string& folder,
                                                                      bool map_weights);

  /// Where the uncompressed storages begin in the file, by the address of their data.
  const std::map<const void*, std::uint64_t>& places() const noexcept { return places_; }

private:
  void require_bounded_text() const;
  void require_known_version();
  void require_same_view();
  c10::Storage storage_of(const ZipEntry& entry, bool map_weights);
  c10::DataPtr mapped(const ZipEntry& entry);

  InputFile file_;
  ZipArchive zip_;
  std::unique_ptr<caffe2::serialize::PyTorchStreamReader> reader_;
  std::shared_ptr<Mapping> mapping_;
  std::map<const void*, std::uint64_t> places_;
};

} // namespace model_validator::torchscript
