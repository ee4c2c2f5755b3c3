#include "program.h"

#include "../pickle_writer.h"
#include "expressions.h"
#include "statements.h"
#include "support/zip_file.h"
#include "values.h"

#include <algorithm>
#include <cctype>

namespace fuzz {
namespace {

using Kind = Type::Kind;
using namespace std::string_view_literals;
using namespace std::string_literals;

/// Exporters write no other defaults, and no others are imported.
bool has_literal(const Type& type) {
  return type.kind != Kind::tensor && type.kind != Kind::tuple && type.kind != Kind::list &&
         type.kind != Kind::dict && type.kind != Kind::object;
}

class Writer {
public:
  explicit Writer(Choices& choices)
      : choices_(choices), expressions_(choices), statements_(choices, expressions_),
        values_(choices) {}
  std::string file();

private:
  struct Method {
    std::string class_name;
    Callable callable;
  };

  std::string default_value(const Type& type);
  std::string signature(Scope& scope, Callable& callable, std::size_t least);
  void write_function(std::size_t number);
  void write_class(std::size_t number, bool root);
  void add_members(std::vector<Attribute>& attributes);
  std::string declare(const std::vector<Attribute>& attributes, Scope& scope);
  std::string constants();
  std::string method(const std::string& name, const std::string& class_name, Scope scope,
                     Callable& callable);
  std::string state_methods(const std::string& class_name);

  Choices& choices_;
  Expressions expressions_;
  Statements statements_;
  Values values_;
  std::map<std::string, std::string> code_; ///< by module
  std::vector<Method> methods_;
  std::vector<std::string> classes_;
};

/// Mostly a literal. LibTorch evaluates anything else while it imports the code.
std::string Writer::default_value(const Type& type) {
  if (!choices_.one_in(48)) return expressions_.literal(type);
  if (choices_.one_in(3))
    return "(" + expressions_.hostile_call() + ", " + expressions_.literal(type) + ")[1]";
  return expressions_.of(type, {}, 3);
}

/// Parameters after the ones in scope, with defaults.
std::string Writer::signature(Scope& scope, Callable& callable, std::size_t least) {
  std::string text;
  for (std::size_t i = 0, count = least + choices_.below(3); i < count; ++i) {
    Type type = i < least ? Type{} : expressions_.type(1);
    if (i >= least && !has_literal(type)) type = {Kind::optional, {type}, {}};
    const std::string name = i == 0 ? "x" : "p" + std::to_string(i);
    text += ",\n    " + name + ": " + spelled(type);
    if (i >= least && choices_.one_in(2))
      text += "=" + default_value(type);
    else if (i >= least)
      text += "=" + expressions_.literal(type);
    callable.takes.push_back(type);
    scope.push_back({name, type});
  }
  return text;
}

void Writer::write_function(std::size_t number) {
  Callable callable{"f" + std::to_string(number), {}, expressions_.type(1)};
  Scope scope;
  std::string parameters = signature(scope, callable, 1);
  statements_.assignable.clear();
  code_["__torch__"] += "def " + callable.name + "(" +
                        parameters.substr(std::min<std::size_t>(parameters.size(), 1)) + ") -> " +
                        spelled(callable.gives) + ":\n" + statements_.body(scope, callable.gives);
  callable.name = "__torch__." + callable.name;
  expressions_.callables.push_back(std::move(callable));
}

void Writer::add_members(std::vector<Attribute>& attributes) {
  attributes.push_back({"training", {Kind::boolean, {}, {}}});
  for (std::size_t i = 0, count = choices_.below(4); i < count; ++i)
    attributes.push_back({"a" + std::to_string(i), expressions_.type(2)});
  for (std::size_t i = 0, count = choices_.below(4); i < count && !classes_.empty(); ++i)
    attributes.push_back({choices_.one_in(8) ? choices_.odd_name() : "m" + std::to_string(i),
                          {Kind::object, {}, choices_.among(classes_)}});
}

std::string Writer::declare(const std::vector<Attribute>& attributes, Scope& scope) {
  std::string text;
  std::string parameters;
  bool annotated = false;
  for (const Attribute& attribute : attributes) {
    const bool plain =
        attribute.name.size() > 1 &&
        std::all_of(attribute.name.begin(), attribute.name.end(),
                    [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }) &&
        std::isalpha(static_cast<unsigned char>(attribute.name[0])) != 0;
    if (!plain && !annotated) text += "  __annotations__ = []\n";
    annotated |= !plain;
    const std::string reached =
        plain ? "self." + attribute.name : "getattr(self, " + python_text(attribute.name) + ")";
    text += plain ? "  " + attribute.name + " : "
                  : "  __annotations__[" + python_text(attribute.name) + "] = ";
    text += spelled(attribute.type) + "\n";
    if (attribute.type.kind == Kind::tensor && choices_.one_in(2))
      parameters += python_text(attribute.name) + ", ";
    scope.push_back({reached, attribute.type});
  }
  return "  __parameters__ = [" + parameters + "]\n  __buffers__ = []\n" + text;
}

std::string Writer::constants() {
  std::string text;
  for (std::size_t i = 0, count = choices_.times(2000, 24) / 2; i < count; ++i) {
    const Type type = expressions_.type(0);
    if (!has_literal(type)) continue;
    const std::string name = "k" + std::to_string(i);
    text += "  " + name + " : Final[" + spelled(type) + "] = " + default_value(type) + "\n";
  }
  return text;
}

std::string Writer::method(const std::string& name, const std::string& class_name, Scope scope,
                           Callable& callable) {
  const std::string parameters = signature(scope, callable, 1);
  return "  def " + name + "(self: " + class_name + parameters + ") -> " + spelled(callable.gives) +
         ":\n" + statements_.body(scope, callable.gives);
}

/// A class that saves itself in its own way runs code when it is loaded.
std::string Writer::state_methods(const std::string& class_name) {
  return "  def __getstate__(self: " + class_name + ") -> Tuple[int, int]:\n    return (1, 2)\n" +
         "  def __setstate__(self: " + class_name +
         ",\n    state: Tuple[int, int]) -> NoneType:\n" + "    self.training = False\n" +
         (choices_.one_in(2) ? "    _ = " + expressions_.hostile_call() + "\n" : "") +
         statements_.body({}, {Kind::none, {}, {}});
}

void Writer::write_class(std::size_t number, bool root) {
  const std::string module(
      choices_.of({"__torch__"sv, "__torch__"sv, "__torch__.torch.nn.modules.activation"sv,
                   "__torch__.___torch_mangle_3"sv, "__torch__.a.b"sv}));
  const std::string short_name =
      root ? "M" : choices_.of({"ReLU"s, "C"s, "Sequential"s}) + std::to_string(number);
  const std::string name = module + "." + short_name;
  std::vector<Attribute>& attributes = values_.classes[name];
  add_members(attributes);
  Scope scope;
  const std::string finals = constants();
  std::string text = "class " + short_name + "(Module):\n" + declare(attributes, scope) + finals;
  statements_.assignable.clear();
  for (const Variable& variable : scope)
    if (variable.name.starts_with("self.a")) statements_.assignable.push_back(variable);
  const std::size_t outside = expressions_.callables.size();
  for (const Variable& variable : scope)
    for (const Method& known : methods_)
      if (known.class_name == variable.type.name)
        expressions_.callables.push_back({"(" + variable.name + ")." + known.callable.name,
                                          known.callable.takes, known.callable.gives});
  const std::size_t methods = choices_.below(2);
  for (std::size_t i = 0; i <= methods; ++i) {
    Callable callable{i == methods ? "forward" : "g" + std::to_string(i), {}, {}};
    if (!choices_.one_in(2)) callable.gives = expressions_.type(root ? 2 : 1);
    text += method(callable.name, name, scope, callable);
    expressions_.callables.push_back({"(self)." + callable.name, callable.takes, callable.gives});
    methods_.push_back({name, std::move(callable)});
  }
  if (choices_.one_in(24)) text += state_methods(name);
  expressions_.callables.resize(outside);
  code_[module] += text;
  classes_.push_back(name);
}

std::string Writer::file() {
  for (std::size_t i = 0, count = choices_.below(4); i < count; ++i) write_function(i);
  const std::size_t inner = choices_.below(4);
  for (std::size_t i = 0; i <= inner; ++i) write_class(i, i == inner);
  model_validator::test::ZipFile zip;
  zip.add("m/version", choices_.of({"3\n"s, "3\n"s, "10\n"s, "2\n"s}));
  const bool odd_pickles = choices_.one_in(6);
  zip.add("m/data.pkl",
          odd_pickles ? write_pickle(choices_)
                      : pickled::document(values_.of({Kind::object, {}, classes_.back()}, 6)));
  zip.add("m/constants.pkl", choices_.one_in(24) ? write_pickle(choices_) : pickled::document(")"));
  zip.add("m/data/0", repeated("\1", 64));
  for (const auto& [module, text] : code_) {
    std::string record = "m/code/" + module + ".py";
    std::replace(record.begin(), record.end(), '.', '/');
    record.replace(record.size() - 3, 3, ".py");
    zip.add(record, text);
    if (choices_.one_in(4)) zip.add(record + ".debug_pkl", write_debug_table(choices_));
  }
  return zip.bytes();
}

} // namespace

std::string write_torchscript(Choices& choices) { return Writer(choices).file(); }

} // namespace fuzz
