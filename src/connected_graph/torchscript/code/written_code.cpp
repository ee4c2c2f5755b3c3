#include "connected_graph/torchscript/code/written_code.h"

#include "connected_graph/torchscript/ir/names.h"

#include <torch/csrc/jit/passes/canonicalize.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

namespace model_validator::torchscript {
namespace {

/// Without the names of classes, which are the user's (those of leaf modules are in the graph).
std::string without_classes(const std::string& text) {
  const std::string_view start = "__torch__.";
  const auto ends_name = [](char c) {
    return c != '.' && c != '_' && std::isalnum(static_cast<unsigned char>(c)) == 0;
  };
  std::string result;
  std::size_t from = 0;
  for (auto at = text.find(start); at != text.npos; at = text.find(start, from)) {
    const auto end =
        std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), ends_name);
    result.append(text, from, at - from);
    from = static_cast<std::size_t>(end - text.begin());
  }
  return result.append(text, from);
}

class Writer {
public:
  void add_modules(const torch::jit::Module& module, const std::string& path) {
    if (!met_.insert(module._ivalue().get()).second) return;
    const auto known = classes_.try_emplace(module.type().get(), classes_.size());
    text_ += path + " " + std::to_string(known.first->second) + "\n";
    if (known.second) add_class(*module.type());
    for (const auto& [name, child] : module.named_children()) add_modules(child, path + "." + name);
  }

  /// Of classes that are no modules, and free functions.
  void add_others(const torch::jit::CompilationUnit& unit) {
    std::vector<std::string> others;
    for (torch::jit::Function* function : unit.get_functions())
      if (!written_.contains(function)) others.push_back(text_of(*function));
    std::sort(others.begin(), others.end());
    for (const std::string& other : others) text_ += other;
  }

  std::string text() { return std::move(text_); }

private:
  void add_class(const c10::ClassType& type) {
    for (std::size_t i = 0; i < type.numAttributes(); ++i)
      if (type.is_buffer(i)) text_ += "buffer " + type.getAttributeName(i) + "\n";
    for (const auto& functions :
         {type.methods(), type.getForwardHooks(), type.getForwardPreHooks()})
      for (torch::jit::Function* function : functions) {
        written_.insert(function);
        text_ += text_of(*function);
      }
  }

  static std::string text_of(torch::jit::Function& function) {
    std::ostringstream text;
    text.precision(std::numeric_limits<double>::max_digits10);
    text << function.name();
    for (const c10::Argument& argument : function.getSchema().arguments())
      text << " " << argument.name();
    text << "\n";
    if (const auto* code = torch::jit::tryToGraphFunction(function))
      torch::jit::Canonicalize(code->graph(), false)->print(text, false);
    return without_classes(text.str());
  }

  std::string text_;
  std::map<const c10::ClassType*, std::size_t> classes_;
  std::set<const void*> met_;
  std::set<const torch::jit::Function*> written_;
};

} // namespace

std::string written_code(const torch::jit::Module& root) {
  Writer writer;
  writer.add_modules(root, "");
  writer.add_others(*root._ivalue()->compilation_unit());
  return writer.text();
}

} // namespace model_validator::torchscript
