#pragma once

#include "files/input_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct zip;
struct zip_source;

namespace model_validator {

/// One file inside a zip, as the zip's directory describes it.
struct ZipEntry {
  std::string name; ///< as stored, with the archive's top folder
  std::uint64_t size = 0;
  std::uint64_t stored_size = 0; ///< bytes it takes in the file
  bool compressed = false;
  bool unchecked = false; ///< nobody computed its checksum
  std::uint64_t index = 0;
};

/// The directory of a zip, and its files on demand. Reading the directory costs the same whatever
/// the size of the file.
class ZipArchive {
public:
  /// @throws Error (`truncated-file`, `damaged-zip`, `zip-bomb`)
  explicit ZipArchive(const InputFile& file);
  /// A zip within another, which must outlive it. It is read in place.
  /// @param entry  must not be compressed
  /// @throws Error (`damaged-zip`, `zip-bomb`)
  ZipArchive(const ZipArchive& around, const ZipEntry& entry);
  /// The same of any entry, whose bytes were read and must outlive it.
  ZipArchive(const ZipArchive& around, const ZipEntry& entry, std::string_view bytes);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  /// Of the file that it is, or lies in.
  const std::string& path() const noexcept { return path_; }
  const std::vector<ZipEntry>& entries() const noexcept { return entries_; }
  /// The folder that PyTorch puts around everything, with its slash; empty where there is none.
  const std::string& top_folder() const noexcept { return top_folder_; }
  /// An entry by its name inside the top folder; null where there is none.
  const ZipEntry* find(std::string_view name) const;
  /// The name of an entry inside the top folder.
  std::string_view name_inside(const ZipEntry& entry) const;

  /// The bytes of an entry.
  /// @param limit  refuse to unpack more than that
  /// @throws Error (`too-large`, `damaged-zip`)
  std::string read(const ZipEntry& entry, std::uint64_t limit) const;
  /// Only the first bytes of an entry, at most `count`.
  std::string read_start(const ZipEntry& entry, std::size_t count) const;
  /// Bytes of an entry that is not compressed; fewer at its end.
  std::string read_at(const ZipEntry& entry, std::uint64_t offset, std::size_t count) const;

private:
  struct Close {
    void operator()(zip* archive) const noexcept;
  };
  void open_within(zip_source* source, const ZipEntry& entry);
  void list_entries();
  void require_file(std::uint64_t index, const std::string& name, std::uint64_t size) const;
  void require_plausible(std::uint64_t file_size) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  std::unique_ptr<zip, Close> archive_;
  std::vector<ZipEntry> entries_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  std::string top_folder_;
};

} // namespace model_validator
