#include "fixes/import_order.h"

#include "fixes/module_class.h"
#include "fixes/python/imports.h"

#include <model_validator/data/standard_modules.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <string_view>
#include <tuple>

namespace model_validator::fixes {
namespace {

/// In the order in which they follow each other, with a blank line between them.
enum class Section { future, standard, installed, own, relative };

/// Where a statement stands in its section.
using Order = std::tuple<bool, std::ptrdiff_t, std::string>;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

Order order_of(bool from, std::string_view module) {
  const std::size_t dots = std::min(module.find_first_not_of('.'), module.size());
  return {from, -static_cast<std::ptrdiff_t>(dots), lower_case(module.substr(dots))};
}

std::string_view first_name(std::string_view module) { return module.substr(0, module.find('.')); }

/// Whether everybody installs it, so that its section is that of installed packages.
bool is_well_known(std::string_view module) {
  return first_name(module) == "torch" || first_name(module) == "numpy";
}

/// A statement that imports, at the top level of a file.
struct Statement {
  Node node;
  std::string_view module;
  Section section; ///< of what may be the user's own, `installed`
  std::size_t group = 0;

  bool is_from() const { return node.is("import_from_statement"); }
  Order order() const { return order_of(is_from(), module); }
};

std::string_view imported_module(const Node& statement) {
  if (const Node module = statement.field("module_name")) return module.text();
  const auto children = statement.children();
  if (children.empty()) return {};
  const Node& first = children.front();
  return first.is("aliased_import") ? first.field("name").text() : first.text();
}

Section section_of(const Node& statement, std::string_view module) {
  if (statement.is("future_import_statement")) return Section::future;
  if (module.starts_with('.')) return Section::relative;
  return is_standard_module(first_name(module)) ? Section::standard : Section::installed;
}

bool is_import(const Node& statement) {
  return statement.is("import_statement") || statement.is("import_from_statement") ||
         statement.is("future_import_statement");
}

bool is_definition(const Node& statement) {
  return statement.is("class_definition") || statement.is("function_definition") ||
         statement.is("decorated_definition");
}

/// Those that the file begins with; a blank line, or anything else between them, begins a group.
std::vector<Statement> statements_of(const Node& root) {
  std::vector<Statement> found;
  bool joined = false;
  for (const Node& statement : root.children()) {
    if (is_definition(statement)) break;
    if (!is_import(statement)) {
      joined = false;
      continue;
    }
    std::size_t group = 0;
    if (!found.empty()) {
      const std::size_t end = found.back().node.end();
      const auto between = std::string_view(root.source()).substr(end, statement.begin() - end);
      const bool apart = !joined || between.find("\n\n") != std::string_view::npos ||
                         between.find("\n\r\n") != std::string_view::npos;
      group = found.back().group + (apart ? 1 : 0);
    }
    const std::string_view module = imported_module(statement);
    found.push_back({statement, module, section_of(statement, module), group});
    joined = true;
  }
  return found;
}

std::string text_of(const std::pair<const std::string, std::string>& name) {
  return name.first == name.second ? name.first : name.first + " as " + name.second;
}

std::string text_of(const ImportLine& line) {
  std::string names;
  for (const auto& name : line.names) names += (names.empty() ? "" : ", ") + text_of(name);
  return line.package.empty() ? "import " + names : "from " + line.package + " import " + names;
}

/// Constants, classes, and all other names.
std::pair<int, std::string> order_of_name(const std::string& name) {
  const auto upper = [](unsigned char c) { return std::isupper(c) != 0; };
  const auto lower = [](unsigned char c) { return std::islower(c) != 0; };
  const std::string bare = name.substr(0, name.find(' '));
  if (bare.size() > 1 && std::ranges::none_of(bare, lower)) return {0, bare};
  return {!bare.empty() && upper(static_cast<unsigned char>(bare.front())) ? 1 : 2, bare};
}

/// Adds lines to the imports of one file.
class ImportWriter {
public:
  explicit ImportWriter(const Node& root) : root_(root), statements_(statements_of(root)) {}

  void add(const ImportLine& line) {
    if (join(line)) return;
    const Section section = section_of_line(line);
    if (const auto group = group_for(section))
      insert_into(*group, line, section);
    else
      insert_section(line, section);
  }

  std::vector<TextEdit> edits() const {
    std::vector<TextEdit> edits = joined_;
    for (const auto& [offset, insertion] : insertions_)
      edits.push_back({offset, offset, insertion.text, 0});
    return edits;
  }

private:
  struct Insertion {
    std::string text;
    Section last;
  };

  static Section section_of_line(const ImportLine& line) {
    const std::string& module = line.package.empty() ? line.names.begin()->first : line.package;
    if (module.starts_with('.')) return Section::relative;
    if (is_standard_module(first_name(module))) return Section::standard;
    return module + ".py" == module_file_name ? Section::own : Section::installed;
  }

  /// Into a line that imports from the package already.
  bool join(const ImportLine& line) {
    for (const Statement& statement : statements_) {
      const std::string_view text = statement.node.text();
      if (line.package.empty() || !statement.is_from() || statement.module != line.package ||
          text.find_first_of("(*\\\n") != std::string_view::npos)
        continue;
      std::vector<Node> there = statement.node.children();
      there.erase(there.begin());
      std::vector<std::string> names;
      for (const Node& name : there) names.emplace_back(name.text());
      const auto before = [](const std::string& a, const std::string& b) {
        return order_of_name(a) < order_of_name(b);
      };
      const bool sorted = std::ranges::is_sorted(names, before);
      for (const auto& name : line.names) names.push_back(text_of(name));
      if (sorted) std::ranges::stable_sort(names, before);
      std::string all;
      for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
      joined_.push_back({there.front().begin(), there.back().end(), all, 0});
      return true;
    }
    return false;
  }

  bool holds(std::size_t group, const std::function<bool(const Statement&)>& what) const {
    return std::ranges::any_of(statements_, [&](const Statement& statement) {
      return statement.group == group && what(statement);
    });
  }

  bool is_group_of(std::size_t group, Section section) const {
    const bool installed =
        holds(group, [](const auto& each) { return is_well_known(each.module); });
    if (section == Section::installed && installed) return true;
    if (section == Section::own)
      return !installed &&
             holds(group, [](const auto& each) { return each.section == Section::installed; });
    return section != Section::installed &&
           holds(group, [&](const auto& each) { return each.section == section; });
  }

  std::optional<std::size_t> group_for(Section section) const {
    for (auto each = statements_.rbegin(); each != statements_.rend(); ++each)
      if (is_group_of(each->group, section)) return each->group;
    return std::nullopt;
  }

  void insert_into(std::size_t group, const ImportLine& line, Section section) {
    const std::string& module = line.package.empty() ? line.names.begin()->first : line.package;
    const Order order = order_of(!line.package.empty(), module);
    const Statement* before = nullptr;
    const Statement* first = nullptr;
    for (const Statement& each : statements_) {
      if (each.group != group) continue;
      if (first == nullptr) first = &each;
      if (each.order() < order) before = &each;
    }
    if (before != nullptr)
      append(end_of_line(before->node), "\n" + text_of(line), "\n", section);
    else
      append(first->node.begin(), text_of(line) + "\n", "", section);
  }

  /// After the sections that come before it.
  void insert_section(const ImportLine& line, Section section) {
    const Statement* before = nullptr;
    for (const Statement& each : statements_)
      if (each.section <= section) before = &each;
    if (before != nullptr)
      append(end_of_line(before->node), "\n\n" + text_of(line), "\n\n", section);
    else
      append(statements_.front().node.begin(), text_of(line) + "\n\n", "", section);
  }

  /// @param lead  what the text begins with; the second of a section needs no blank line
  void append(std::size_t offset, const std::string& text, const std::string& lead,
              Section section) {
    const auto [known, fresh] = insertions_.try_emplace(offset, Insertion{text, section});
    if (fresh) return;
    const bool same = known->second.last == section && lead == "\n\n";
    known->second.text += same ? text.substr(1) : text;
    known->second.last = section;
  }

  std::size_t end_of_line(const Node& statement) const {
    const std::string& text = root_.source();
    const std::size_t end = std::min(text.find('\n', statement.end()), text.size());
    return end > 0 && text[end - 1] == '\r' ? end - 1 : end;
  }

  Node root_;
  std::vector<Statement> statements_;
  std::vector<TextEdit> joined_;
  std::map<std::size_t, Insertion> insertions_;
};

/// Into a file that begins with no import.
TextEdit first_imports(const Node& root, const std::vector<ImportLine>& lines) {
  const ImportPlace place = import_place(root);
  const bool behind_text = place.behind == ImportPlace::Behind::text;
  std::string text = behind_text ? "\n" : "";
  for (const ImportLine& line : lines)
    text += behind_text ? "\n" + text_of(line) : text_of(line) + "\n";
  if (!behind_text) return {place.offset, place.offset, text, 0};
  const std::string& source = root.source();
  std::size_t at = std::min(source.find('\n', place.offset), source.size());
  if (at > 0 && source[at - 1] == '\r') --at;
  return {at, at, text, 0};
}

} // namespace

std::vector<TextEdit> ordered_imports(const Node& root, const std::vector<ImportLine>& lines) {
  if (lines.empty()) return {};
  if (statements_of(root).empty()) return {first_imports(root, lines)};
  ImportWriter writer(root);
  for (const ImportLine& line : lines) writer.add(line);
  return writer.edits();
}

} // namespace model_validator::fixes
