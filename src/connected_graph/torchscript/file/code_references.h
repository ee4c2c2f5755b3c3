#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
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
  /// @param qualifier  the prefix of the names of the file's definitions: `__torch__.torch.nn`
  void add(const std::string& qualifier, std::string_view code);

  /// The largest number of definitions that can be under way at once, cycles counted whole.
  std::size_t max_chain_length() const;
  /// The same for all functions, including methods: all methods of a class under way may be under
  /// way.
  std::size_t max_compilation_depth() const;

  /// How many classes the largest one holds, through its declared attributes and fields, counting a
  /// class as often as it is reached. Classes that hold each other in turn are counted once.
  std::uint64_t max_type_size() const;

  /// Whether the code names something that contains definitions, rather than a definition: what it
  /// takes from there cannot be determined from its text.
  bool names_namespaces() const;

private:
  using Edges = std::vector<std::pair<std::size_t, std::size_t>>;

  std::size_t number_of(const std::string& name);
  void define(const std::string& name, bool class_begins);
  void add_reference(const std::string& name);
  Edges resolved_edges() const;

  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<std::size_t> functions_; ///< per definition, itself included
  std::set<std::string> definitions_;
  std::set<std::string> qualifiers_;
  std::set<std::string> referred_;
  Edges edges_;
  Edges held_; ///< from what a class declares
  std::size_t current_ = 0;
  bool declares_ = false; ///< between the head of a class and its first method
};

} // namespace model_validator::torchscript
