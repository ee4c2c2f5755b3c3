#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace model_validator::torchscript {

/// Which classes and functions of a file's code name which others. LibTorch compiles what a
/// definition names before the definition itself, one call inside the other.
class CodeReferences {
public:
  /// @param qualifier  what the file's definitions are named below: `__torch__.torch.nn`
  void add(const std::string& qualifier, std::string_view code);

  /// The largest number of definitions that can be under way at once, cycles counted whole.
  std::size_t longest_chain() const;

private:
  std::size_t number_of(const std::string& name);

  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<std::pair<std::size_t, std::size_t>> edges_;
};

} // namespace model_validator::torchscript
