#pragma once

#include "connected_graph/stored_weights.h"
#include "files/input_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

struct zip;
struct zip_file;

namespace model_validator {

/// Reads the bytes of tensors, one after the other. For one thread: each has its own.
class ByteSource {
public:
  ByteSource();
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Goes to a place in a tensor's file or entry. @throws Error
  void seek(const StoredWeights& weights, std::uint64_t offset);
  /// Reads exactly `count` bytes. @throws Error (`truncated-file`)
  void read(void* to, std::size_t count);

private:
  struct CloseArchive {
    void operator()(zip* archive) const noexcept;
  };
  struct CloseEntry {
    void operator()(zip_file* entry) const noexcept;
  };
  void open_entry(const StoredWeights& weights, std::uint64_t offset);
  void skip_to(std::uint64_t offset);
  [[noreturn]] void fail() const;

  std::optional<InputFile> file_;
  std::filesystem::path archive_path_;
  std::unique_ptr<zip, CloseArchive> archive_;
  std::unique_ptr<zip_file, CloseEntry> entry_;
  std::string entry_name_;
  std::uint64_t position_ = 0;
};

} // namespace model_validator
