#include "connected_graph/torchscript/file/code.h"

#include "connected_graph/torchscript/file/archive.h"
#include "connected_graph/torchscript/file/code_references.h"
#include "connected_graph/torchscript/file/code_scan.h"
#include "connected_graph/torchscript/file/tuple_growth.h"

#include <model_validator/error.h>

#include <algorithm>
#include <cstdint>

namespace model_validator::torchscript {
namespace {

constexpr std::size_t max_expression_depth = 2000;
constexpr std::size_t max_block_depth = 200;
constexpr std::size_t max_definitions = 100'000;
// Code after an exit becomes a block nested in the previous one.
constexpr std::size_t max_exits = 200;
// Compile time is quadratic in it.
constexpr std::size_t max_chain_length = 1000;
// A trace has a method for each call of a module.
constexpr std::size_t max_compilation_depth = 10'000;
// LibTorch traverses whole types, including the types they hold.
constexpr std::uint64_t max_type_size = 100'000;
constexpr std::uint64_t max_tuple_elements = 1'000'000;

void require_sensible(const CodeScan& scan, const CodeReferences& references,
                      std::uint64_t tuple_elements, const std::string& file) {
  const auto refuse = [&file](const std::string& cause) {
    throw Error(ErrorKind::too_deep, file, cause,
                "do not trust this file; it was not made by an exporter");
  };
  if (scan.expression_depth > max_expression_depth)
    refuse("an expression in its code is nested more than " + std::to_string(max_expression_depth) +
           " levels deep");
  if (scan.block_depth > max_block_depth)
    refuse("blocks in its code are nested more than " + std::to_string(max_block_depth) +
           " levels deep");
  if (scan.exits > max_exits)
    refuse("a function in its code has " + std::to_string(scan.exits) + " exits");
  // LibTorch compiles the body again for each element of a tuple, including loops in it.
  if (scan.unrolls) refuse("a loop in its code iterates over something other than a range");
  if (scan.definitions > max_definitions)
    refuse("its code defines " + std::to_string(scan.definitions) + " classes and functions");
  if (references.max_chain_length() > max_chain_length ||
      references.max_compilation_depth() > max_compilation_depth)
    refuse("classes and functions of its code name each other in too long a chain");
  if (references.names_namespaces())
    refuse("its code uses the name of a namespace as a value, which no exporter does");
  if (references.max_type_size() > max_type_size)
    refuse("types in its code are too large: written out, one has more than " +
           std::to_string(max_type_size) + " parts");
  if (tuple_elements > max_tuple_elements)
    refuse("tuples in its code are too large: together they have more than " +
           std::to_string(max_tuple_elements) + " elements");
}

} // namespace

Code::Code(Archive& archive) {
  CodeScan scan;
  CodeReferences references;
  std::uint64_t tuple_elements = 0;
  for (const std::string& record : archive.records("code/")) {
    if (!record.ends_with(".py")) continue;
    std::string& text = texts_[record];
    text = archive.read(record);
    scan_code(text, scan);
    references.add(qualifier_of(record), text);
    tuple_elements = std::min(max_tuple_elements + 1, tuple_elements + elements_of_tuples(text));
  }
  const std::string file = archive.file().path().string();
  require_sensible(scan, references, tuple_elements, file);
  require_literals(texts_, file);
  operators_ = std::move(scan.operators);
  for (auto& [record, text] : texts_) constants_.take_from(text, qualifier_of(record));
}

std::string Code::take(const std::string& record) {
  const auto found = texts_.find(record);
  if (found == texts_.end()) return {};
  std::string text = std::move(found->second);
  texts_.erase(found);
  return text;
}

} // namespace model_validator::torchscript
