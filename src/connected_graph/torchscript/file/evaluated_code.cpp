#include "connected_graph/torchscript/file/evaluated_code.h"

#include "connected_graph/torchscript/file/literal_checks.h"

#include <model_validator/error.h>

#include <torch/csrc/jit/frontend/parser.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace model_validator::torchscript {
namespace {

using namespace torch::jit;

const std::string before_forward = "__forward_pre_hooks__";
const std::string after_forward = "__forward_hooks__";

/// Skips the line that files of old versions begin with, and imports between definitions.
void skip_directives(Lexer& lexer) {
  while (lexer.cur().kind == TK_IMPORT ||
         (lexer.cur().kind == TK_IDENT && lexer.cur().text() == "op_version_set")) {
    while (lexer.cur().kind != TK_NEWLINE && lexer.cur().kind != TK_EOF) lexer.next();
    lexer.nextIf(TK_NEWLINE);
  }
}

/// Classes and functions of a record, as LibTorch's own parser reads them.
std::vector<TreeRef> parse(const std::string& record, const std::string& text) {
  Parser parser(std::make_shared<Source>(text, record, 1));
  std::vector<TreeRef> definitions;
  for (Lexer& lexer = parser.lexer(); lexer.cur().kind != TK_EOF;) {
    skip_directives(lexer);
    if (lexer.cur().kind == TK_EOF) break;
    definitions.push_back(lexer.cur().kind == TK_CLASS_DEF
                              ? parser.parseClass()
                              : parser.parseFunction(/*is_method=*/false));
  }
  return definitions;
}

DefinitionKind kind_of_class(const ClassDef& definition) {
  const auto superclass = definition.superclass();
  if (!superclass.present() || superclass.get().kind() != TK_VAR) return DefinitionKind::other;
  const std::string& name = Var(superclass.get()).name().name();
  if (name == "NamedTuple") return DefinitionKind::named_tuple;
  return name == "Enum" ? DefinitionKind::enumeration : DefinitionKind::other;
}

/// What the names in a file's code are defined as.
class Definitions {
public:
  explicit Definitions(const CodeTexts& texts) : texts_(texts) {}

  DefinitionKind kind_of(const std::string& name) {
    // LibTorch resolves a name by its shortest prefix that is defined.
    for (auto dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
      if (find(name.substr(0, dot)) != nullptr) return DefinitionKind::other;
    const DefinitionKind* kind = find(name);
    return kind == nullptr ? DefinitionKind::other : *kind;
  }

private:
  using Kinds = std::map<std::string, DefinitionKind>;

  const DefinitionKind* find(const std::string& name) {
    const auto dot = name.rfind('.');
    if (dot == std::string::npos) return nullptr;
    std::string record = "code/" + name.substr(0, dot) + ".py";
    std::replace(record.begin(), record.end() - 3, '.', '/');
    const auto text = texts_.find(record);
    if (text == texts_.end()) return nullptr;
    const auto [kinds, fresh] = records_.try_emplace(record);
    if (fresh) kinds->second = kinds_in(text->first, text->second);
    const auto kind = kinds->second.find(name.substr(dot + 1));
    return kind == kinds->second.end() ? nullptr : &kind->second;
  }

  /// Among several definitions of one name the last counts.
  static Kinds kinds_in(const std::string& record, const std::string& text) {
    Kinds kinds;
    for (const TreeRef& definition : parse(record, text))
      if (definition->kind() == TK_CLASS_DEF)
        kinds[ClassDef(definition).name().name()] = kind_of_class(ClassDef(definition));
      else
        kinds[Def(definition).name().name()] = DefinitionKind::other;
    return kinds;
  }

  const CodeTexts& texts_;
  std::map<std::string, Kinds> records_;
};

class Checker {
public:
  Checker(const CodeTexts& texts, const std::string& file) : definitions_(texts), file_(file) {}

  void check(const std::string& record, const std::string& text) {
    const std::string qualifier = qualifier_of(record);
    for (const TreeRef& definition : parse(record, text)) {
      owner_ = qualifier + "." + Ident(definition->tree(0)).name();
      if (definition->kind() == TK_CLASS_DEF) check_class(ClassDef(definition));
      check_parameters(definition);
    }
  }

private:
  void check_class(const ClassDef& definition) {
    check_hooks(definition);
    for (const Stmt& statement : definition.body()) {
      if (statement.kind() != TK_ASSIGN) continue;
      const Assign assign(statement);
      // `__annotations__["0"] = Tensor` declares an attribute: what it is set to is a type.
      if (!assign.rhs().present() || assign.lhs().kind() == TK_SUBSCRIPT) continue;
      require_literal(assign.rhs().get(), "a constant of `" + owner_ + "`");
    }
  }

  /// LibTorch looks for each hook among the functions that follow the list of them, those before
  /// `forward` first, and takes it for granted that it finds one.
  void check_hooks(const ClassDef& definition) {
    std::set<std::string> before;
    std::set<std::string> after;
    std::set<std::string> missing;
    for (const Stmt& statement : definition.body()) {
      if (statement.kind() == TK_ASSIGN) {
        const auto [name, hooks] = hooks_in(Assign(statement));
        if (name.empty()) continue;
        for (const std::string& hook : hooks) missing.insert(name + hook);
        (name == before_forward ? before : after).insert(hooks.begin(), hooks.end());
      } else if (statement.kind() == TK_DEF) {
        const std::string name = Def(statement).name().name();
        missing.erase((before.count(name) != 0 ? before_forward : after_forward) + name);
      }
    }
    if (!missing.empty())
      throw Error(ErrorKind::damaged_file, file_,
                  "`" + owner_ + "` names a hook that it does not define",
                  "copy or download it again, or export the model again");
  }

  /// The list of hooks that a statement sets, and their names; nothing for any other statement.
  static std::pair<std::string, std::vector<std::string>> hooks_in(const Assign& assign) {
    if (assign.lhs().kind() != TK_VAR || !assign.rhs().present() ||
        assign.rhs().get().kind() != TK_LIST_LITERAL)
      return {};
    const std::string name = Var(assign.lhs()).name().name();
    if (name != before_forward && name != after_forward) return {};
    std::vector<std::string> hooks;
    for (const Expr& hook : ListLiteral(assign.rhs().get()).inputs())
      if (hook.kind() == TK_STRINGLITERAL) hooks.push_back(StringLiteral(hook).text());
    return {name, hooks};
  }

  /// Checks all functions within a definition, however deep: LibTorch evaluates the defaults of a
  /// function where it is defined.
  void check_parameters(const TreeRef& definition) {
    std::vector<const Tree*> pending{definition.get()};
    while (!pending.empty()) {
      const Tree* const tree = pending.back();
      pending.pop_back();
      for (const TreeRef& each : tree->trees()) {
        if (each->kind() == TK_PARAM) check_parameter(Param(each));
        pending.push_back(each.get());
      }
    }
  }

  void check_parameter(const Param& parameter) {
    if (parameter.defaultValue().present())
      require_literal(parameter.defaultValue().get(),
                      "the default of `" + parameter.ident().name() + "` in `" + owner_ + "`");
  }

  void require_literal(const Expr& value, const std::string& what) {
    if (is_literal(value, [this](const std::string& name) { return definitions_.kind_of(name); }))
      return;
    std::string place;
    if (const auto where = value.range().file_line_col())
      place = " (" + std::get<0>(*where) + ", line " + std::to_string(std::get<1>(*where)) + ")";
    throw Error(ErrorKind::unsafe_op, file_,
                what + place + " is not a literal: LibTorch would run it to read the file",
                "do not trust this file; it was not made by an exporter");
  }

  Definitions definitions_;
  const std::string& file_;
  std::string owner_; ///< the class or function being checked
};

} // namespace

std::string qualifier_of(const std::string& record) {
  std::string name = record.substr(sizeof "code/" - 1);
  name.resize(name.size() - (sizeof ".py" - 1));
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

void require_literals(const CodeTexts& texts, const std::string& file) {
  Checker checker(texts, file);
  for (const auto& [record, text] : texts) checker.check(record, text);
}

} // namespace model_validator::torchscript
