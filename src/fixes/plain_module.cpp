#include "fixes/plain_module.h"

#include "fixes/constructor_site.h"
#include "fixes/python/scope.h"
#include "validators/suggestions/torch_classes.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

namespace model_validator::fixes {
namespace {

/// Modules without weights that others import from installed packages, whose source is not read.
constexpr auto& plain_of_packages =
    word_array<"einops.layers.torch.Rearrange einops.layers.torch.Reduce "
               "timm.layers.DropPath timm.layers.drop.DropPath timm.models.layers.DropPath "
               "timm.models.layers.drop.DropPath torchvision.ops.StochasticDepth "
               "torchvision.ops.stochastic_depth.StochasticDepth">;

/// `nn.Linear(2, 2)`, `Block()`
bool makes_object(const Node& call, const Imports& imports) {
  const std::string_view name = called_name(call);
  return imports.resolve(call.field("function").text()).starts_with("torch.nn.") ||
         (!name.empty() && std::isupper(static_cast<unsigned char>(name.front())) != 0);
}

/// Reads whether what expressions make has no weights, by the text of the classes.
class PlainModules {
public:
  explicit PlainModules(SourceIndex& index) : index_(index) {}

  bool makes(const Node& value, const Imports& imports) {
    if (value.is("none") || makes_plain_torch_module(value, imports)) return true;
    if (value.is("conditional_expression"))
      return makes(value.children().front(), imports) && makes(value.children().back(), imports);
    if (!value.is("call")) return false;
    const auto& types = index_.classes_named(class_behind(value.field("function"), imports));
    if (types.empty())
      return contains(plain_of_packages, imports.resolve(value.field("function").text()));
    return std::ranges::all_of(types, [this](const Node& type) { return is_plain(type); });
  }

private:
  /// A class that is being read is taken for plain: what has weights in a circle has them in
  /// another place, too.
  bool is_plain(const Node& type) {
    constexpr std::array weights = {"Parameter", "register_parameter", "register_buffer",
                                    "add_module", "register_module"};
    if (!read_.insert(key_of(type)).second) return true;
    const Imports& imports = index_.imports_of(type);
    const auto bases = type.field("superclasses").children();
    if (bases.size() != 1 || imports.resolve(bases.front().text()) != "torch.nn.Module")
      return false;
    for (const char* word : weights)
      if (!type.identifiers(word).empty()) return false;
    return makes_only_plain_ones(type, imports) && calls_only_plain_ones(type, imports);
  }

  bool makes_only_plain_ones(const Node& type, const Imports& imports) {
    const Node init = find_method(type, "__init__");
    return !init || std::ranges::none_of(init.all("call"), [&](const Node& call) {
      return makes_object(call, imports) && !makes(call, imports);
    });
  }

  /// Whether what its methods call of what an instance holds is what the class itself made.
  bool calls_only_plain_ones(const Node& type, const Imports& imports) {
    return std::ranges::none_of(type.all("call"), [&](const Node& call) {
      const Node callee = call.field("function");
      if (!callee.is("attribute") || !owner_of(callee.field("object"))) return false;
      const std::string_view name = callee.field("attribute").text();
      return !find_method(type, name) && !holds_plain_one(type, name, imports);
    });
  }

  bool holds_plain_one(const Node& type, std::string_view name, const Imports& imports) {
    const auto given = assignments_of(type, name);
    return !given.empty() && std::ranges::all_of(given, [&](const Node& each) {
      return makes(each.field("right"), imports);
    });
  }

  SourceIndex& index_;
  std::set<ClassKey> read_;
};

} // namespace

bool makes_plain_torch_module(const Node& value, const Imports& imports) {
  const std::string full = imports.resolve(value.field("function").text());
  const std::string name = last_part(full);
  return value.is("call") && full.starts_with("torch.nn.") && find_torch_class(name) &&
         !has_state(name);
}

bool makes_plain_module(const Node& value, const Imports& imports, SourceIndex& index) {
  return PlainModules(index).makes(value, imports);
}

} // namespace model_validator::fixes
