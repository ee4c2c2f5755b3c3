#include "connected_graph/torchscript/code.h"

#include "connected_graph/torchscript/archive.h"
#include "connected_graph/torchscript/code_references.h"
#include "connected_graph/torchscript/code_scan.h"
#include "connected_graph/torchscript/evaluated_code.h"
#include "connected_graph/torchscript/tuple_growth.h"

#include <model_validator/error.h>

#include <algorithm>
#include <cstdint>

namespace model_validator::torchscript {
namespace {

constexpr std::size_t deepest_expression = 2000;
constexpr std::size_t deepest_block = 200;
constexpr std::size_t most_definitions = 100'000;
// What comes after an exit becomes a block of its own, in the one before.
constexpr std::size_t most_exits = 200;
// Compiling takes time with the square of it.
constexpr std::size_t longest_chain = 1000;
// A trace has a method for each call of a module.
constexpr std::size_t deepest_compilation = 10'000;
// LibTorch goes through whole types, those that they hold included.
constexpr std::uint64_t largest_type = 100'000;
constexpr std::uint64_t most_tuple_elements = 1'000'000;

void require_sensible(const CodeScan& scan, const CodeReferences& references,
                      std::uint64_t tuple_elements, const std::string& file) {
  const auto refuse = [&file](const std::string& cause) {
    throw Error(ErrorKind::too_deep, file, cause,
                "do not trust this file; it was not made by an exporter");
  };
  if (scan.expression_depth > deepest_expression)
    refuse("an expression in its code is nested beyond any sense");
  if (scan.block_depth > deepest_block) refuse("blocks in its code are nested beyond any sense");
  if (scan.exits > most_exits)
    refuse("a function of its code is left at " + std::to_string(scan.exits) + " places");
  // LibTorch compiles the body anew for each element of a tuple, loops in it included.
  if (scan.unrolls) refuse("a loop of its code goes over something other than a range");
  if (scan.definitions > most_definitions)
    refuse("its code defines " + std::to_string(scan.definitions) + " classes and functions");
  if (references.longest_chain() > longest_chain ||
      references.deepest_compilation() > deepest_compilation)
    refuse("classes and functions of its code name each other in a chain beyond any sense");
  if (references.names_namespaces()) refuse("its code names what no exporter names by itself");
  if (references.largest_type() > largest_type)
    refuse("classes of its code hold each other beyond any sense");
  if (tuple_elements > most_tuple_elements)
    refuse("tuples in its code hold each other beyond any sense");
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
    tuple_elements = std::min(most_tuple_elements + 1, tuple_elements + elements_of_tuples(text));
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
