#include "connected_graph/torchscript/file/bytecode.h"

#include "files/pickle.h"

#include <model_validator/error.h>

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>

#include <set>

namespace model_validator::torchscript {
namespace {

/// What a program is made of.
struct Parts {
  std::set<std::string, std::less<>> operators;
  std::set<double> numbers;
};

void note_number(const torch::jit::Node& node, Parts& parts) {
  if (const auto value = torch::jit::toIValue(node.output()); value && value->isDouble())
    parts.numbers.insert(value->toDouble());
}

void note_block(const torch::jit::Block& block, Parts& parts) {
  for (const torch::jit::Node* node : block.nodes()) {
    parts.operators.emplace(node->kind().toQualString());
    if (node->kind() == torch::jit::prim::Constant) note_number(*node, parts);
    for (const torch::jit::Block* inner : node->blocks()) note_block(*inner, parts);
  }
}

Parts parts_of(const torch::jit::CompilationUnit& code) {
  Parts parts;
  for (torch::jit::Function* function : code.get_functions())
    if (const auto* written = torch::jit::tryToGraphFunction(*function))
      note_block(*written->graph()->block(), parts);
  return parts;
}

/// The tuple behind a word in a pair; empty for anything else.
std::span<const pickle::Index> listed(const pickle::Document& document, const pickle::Value& pair,
                                      std::string_view word) {
  if (pair.kind != pickle::Kind::tuple || pair.count != 2) return {};
  const auto items = document.items(pair);
  const pickle::Value& list = document[items[1]];
  const bool is_it =
      pickle::Document::text(document[items[0]]) == word && list.kind == pickle::Kind::tuple;
  return is_it ? document.items(list) : std::span<const pickle::Index>();
}

std::string name_of(const pickle::Document& document, const pickle::Value& called) {
  if (called.kind != pickle::Kind::tuple || called.count == 0) return {};
  return std::string(pickle::Document::text(document[document.items(called)[0]]));
}

} // namespace

void require_bytecode_of(const torch::jit::CompilationUnit& code, std::string_view bytecode,
                         const std::string& file) {
  const auto fail = [&file](const std::string& what) {
    throw Error(ErrorKind::damaged_file, file, "its bytecode " + what,
                "save the model for mobile again; do not trust this file if it is not yours");
  };
  const pickle::Document document = pickle::parse(bytecode);
  if (!document.complete) fail("cannot be read: " + document.failure);
  const Parts parts = parts_of(code);
  for (const pickle::Value& value : document.values()) {
    for (const pickle::Index called : listed(document, value, "operators"))
      if (const std::string name = name_of(document, document[called]);
          !parts.operators.contains(name))
        fail("calls `" + name + "`, which its code does not call");
    for (const pickle::Index held : listed(document, value, "constants"))
      if (const pickle::Value& number = document[held];
          number.kind == pickle::Kind::real && !parts.numbers.contains(number.real))
        fail("holds " + std::to_string(number.real) + ", which its code does not hold");
  }
}

} // namespace model_validator::torchscript
