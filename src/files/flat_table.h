#pragma once

#include "files/input_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// A table of a FlatBuffer in a file, whose fields are read by their numbers in the schema, as they
/// are asked for. Whatever offsets a file holds, only its own bytes are read, and each of them but
/// a few times in all: tables that share what is large cost no more than the file is large.
/// (google/flatbuffers, docs/source/internals.md)
class FlatTable {
public:
  /// @param base  where the FlatBuffer begins in the file
  static FlatTable root(const InputFile& file, std::uint64_t base = 0);

  /// The default where the field is left out. @throws Error (`damaged-file`), as all others
  template <class Number> Number number(int field, Number otherwise = {}) const {
    if (const auto at = place(field)) read(*at, &otherwise, sizeof otherwise);
    return otherwise;
  }
  std::string text(int field) const;
  std::optional<FlatTable> table(int field) const;
  std::vector<FlatTable> tables(int field) const;
  /// How many elements a vector has; 0 where it is left out.
  std::uint32_t count(int field) const;
  template <class Number> std::vector<Number> numbers(int field) const {
    std::vector<Number> all(checked_count(field, sizeof(Number)));
    if (!all.empty())
      read(follow(*place(field)) + length_bytes, all.data(), all.size() * sizeof(Number));
    return all;
  }

  /// Where the field itself lies in the file; none where it is left out.
  std::optional<std::uint64_t> place(int field) const;
  /// Where the length of a vector lies, before its elements.
  std::optional<std::uint64_t> vector_place(int field) const;

private:
  static constexpr std::uint64_t length_bytes = 4; ///< before the elements of a vector

  using Budget = std::shared_ptr<std::uint64_t>; ///< bytes that all tables may still read

  FlatTable(const InputFile& file, std::uint64_t at, Budget left);
  [[noreturn]] void refuse() const;
  std::uint64_t follow(std::uint64_t at) const;
  std::uint32_t checked_count(int field, std::size_t element_bytes) const;
  void read(std::uint64_t at, void* to, std::size_t bytes) const;

  const InputFile* file_;
  Budget left_;
  std::uint64_t at_;
  std::vector<std::uint16_t> fields_; ///< from the table's start; 0 where one is left out
};

} // namespace model_validator
