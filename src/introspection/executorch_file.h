#pragma once

#include "files/flat_table.h"
#include "files/input_file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

struct FilePart {
  std::uint64_t offset, size;
};

/// What a program left to XNNPACK, as a graph of its own.
struct XnnGraph {
  FlatTable table;
  std::uint64_t constants; ///< where they begin in the file, but for those with a name
};

/// The tables of a `.pte` file.
class ExecuTorchFile {
public:
  /// @throws Error (`damaged-file`), as all others
  explicit ExecuTorchFile(const std::filesystem::path& path);

  const InputFile& bytes() const { return file_; }
  /// Of all methods.
  const std::vector<std::string>& names() const { return names_; }
  /// Which of them is run: `forward`, or the first one.
  std::size_t chosen() const { return chosen_; }
  const FlatTable& method() const { return methods_[chosen_]; }
  std::vector<XnnGraph> xnn_graphs() const;
  /// Whether a part lies in it.
  bool holds(const FilePart& part) const;
  /// Data that delegates share.
  std::optional<FilePart> named(const std::string& key) const;
  [[noreturn]] void damaged() const;

private:
  std::optional<FilePart> segment(std::uint32_t index) const;
  std::optional<XnnGraph> xnn_graph(const FlatTable& delegate) const;

  InputFile file_;
  FlatTable root_;
  std::vector<FlatTable> methods_;
  std::vector<std::string> names_;
  std::size_t chosen_ = 0;
  std::vector<FilePart> segments_;
  std::map<std::string, std::uint32_t> named_;
};

} // namespace model_validator
