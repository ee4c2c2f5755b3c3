#include "files/flat_table.h"

#include <model_validator/error.h>

#include <utility>

namespace model_validator {
namespace {

/// A table that is read reads its offset, its index, and what it holds: less than thrice its size.
constexpr std::uint64_t max_times_read = 8, least_budget = 1U << 20U;

} // namespace

FlatTable FlatTable::root(const InputFile& file, std::uint64_t base) {
  std::uint32_t offset = 0;
  if (file.read_at(base, &offset, sizeof offset) != sizeof offset) offset = 0;
  const std::uint64_t budget = least_budget + max_times_read * file.size();
  return {file, base + offset, std::make_shared<std::uint64_t>(budget)};
}

FlatTable::FlatTable(const InputFile& file, std::uint64_t at, Budget left)
    : file_(&file), left_(std::move(left)), at_(at) {
  std::int32_t back = 0; // to the table of its fields, which several tables may share
  read(at, &back, sizeof back);
  const auto fields = at - static_cast<std::uint64_t>(static_cast<std::int64_t>(back));
  std::uint16_t bytes = 0;
  read(fields, &bytes, sizeof bytes);
  constexpr std::size_t head = 4;
  if (bytes < head) return;
  fields_.resize((bytes - head) / sizeof(std::uint16_t));
  if (!fields_.empty()) read(fields + head, fields_.data(), fields_.size() * sizeof(std::uint16_t));
}

std::string FlatTable::text(int field) const {
  const auto letters = numbers<char>(field);
  return {letters.begin(), letters.end()};
}

std::optional<FlatTable> FlatTable::table(int field) const {
  const auto at = place(field);
  return at ? std::optional(FlatTable(*file_, follow(*at), left_)) : std::nullopt;
}

std::vector<FlatTable> FlatTable::tables(int field) const {
  std::vector<FlatTable> all;
  const std::uint32_t count = checked_count(field, length_bytes);
  if (count == 0) return all;
  const std::uint64_t first = follow(*place(field)) + length_bytes;
  for (std::uint32_t i = 0; i < count; ++i)
    all.push_back({*file_, follow(first + i * length_bytes), left_});
  return all;
}

std::uint32_t FlatTable::count(int field) const { return checked_count(field, 1); }

std::optional<std::uint64_t> FlatTable::place(int field) const {
  const auto index = static_cast<std::size_t>(field);
  if (index >= fields_.size() || fields_[index] == 0) return std::nullopt;
  return at_ + fields_[index];
}

std::optional<std::uint64_t> FlatTable::vector_place(int field) const {
  const auto at = place(field);
  return at ? std::optional(follow(*at)) : std::nullopt;
}

std::uint64_t FlatTable::follow(std::uint64_t at) const {
  std::uint32_t offset = 0;
  read(at, &offset, sizeof offset);
  return at + offset;
}

/// No more than the file has bytes for.
std::uint32_t FlatTable::checked_count(int field, std::size_t element_bytes) const {
  const auto at = place(field);
  if (!at) return 0;
  std::uint32_t count = 0;
  const std::uint64_t vector = follow(*at);
  read(vector, &count, sizeof count);
  if (count > (file_->size() - vector) / element_bytes) refuse();
  return count;
}

void FlatTable::read(std::uint64_t at, void* to, std::size_t bytes) const {
  if (bytes > *left_ || at >= file_->size()) refuse();
  *left_ -= bytes;
  if (file_->read_at(at, to, bytes) != bytes) refuse();
}

void FlatTable::refuse() const {
  throw Error(ErrorKind::damaged_file, file_->path().string(), "the file is cut off or damaged",
              "copy or download it again, or convert the model again");
}

} // namespace model_validator
