#include "files/zip_end.h"

#include <algorithm>
#include <string>

namespace model_validator {
namespace {

constexpr std::size_t record_size = 22;
constexpr std::size_t max_comment_size = 65535;
/// A record of 64-bit numbers and where it is, between the directory and the mark.
constexpr std::size_t long_record_size = 56 + 20;

/// Where a record says that the directory is, and where the records after it begin.
struct Statement {
  std::uint64_t size;
  std::uint64_t offset;
  std::uint64_t records;
};

Statement statement_at(const ZipBytes& bytes, std::uint64_t position, const std::string& record) {
  const Statement brief{zip_number<std::uint32_t>(record, 12),
                        zip_number<std::uint32_t>(record, 16), position};
  if (position < long_record_size) return brief;
  const std::string before = bytes.read_at(position - long_record_size, long_record_size);
  if (before.compare(56, 4, "PK\x06\x07") != 0 || !before.starts_with("PK\x06\x06")) return brief;
  return {zip_number<std::uint64_t>(before, 40), zip_number<std::uint64_t>(before, 48),
          position - long_record_size};
}

/// An empty one has no mark.
bool is_directory(const ZipBytes& bytes, std::uint64_t offset, std::uint64_t size) {
  return size == 0 || bytes.read_at(offset, 4) == "PK\x01\x02";
}

ZipEnd end_at(const ZipBytes& bytes, std::uint64_t position, const std::string& record) {
  const auto [size, offset, records] = statement_at(bytes, position, record);
  ZipEnd end;
  end.bytes_after = bytes.size - position - record_size;
  if (size > records) return end;
  end.directory_offset = records - size;
  end.directory_size = size;
  end.directory_is_right_before = is_directory(bytes, records - size, size);
  end.directory_is_at_offset = offset <= records - size && is_directory(bytes, offset, size);
  return end;
}

} // namespace

std::vector<ZipEnd> zip_ends(const ZipBytes& bytes) {
  const std::uint64_t start =
      bytes.size - std::min<std::uint64_t>(bytes.size, record_size + max_comment_size);
  const std::string tail = bytes.read_at(start, static_cast<std::size_t>(bytes.size - start));
  std::vector<ZipEnd> ends;
  for (auto at = tail.find("PK\x05\x06");
       at != std::string::npos && at + record_size <= tail.size();
       at = tail.find("PK\x05\x06", at + 1)) {
    const ZipEnd end = end_at(bytes, start + at, tail.substr(at, record_size));
    // Weights may hold the four bytes of the mark by chance.
    if (end.directory_is_right_before || end.directory_is_at_offset) ends.push_back(end);
  }
  return ends;
}

ZipBytes bytes_of(const InputFile& file) {
  return {file.size(),
          [&file](std::uint64_t offset, std::size_t count) { return file.read_at(offset, count); }};
}

} // namespace model_validator
