#include "rules/project_requirements.h"

#include "rules/toml_reader.h"

#include <string_view>

namespace model_validator {
namespace {

/// Nobody writes as much.
constexpr std::uint64_t max_project_size = 1U << 20U;

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

/// `dependencies`, `dev-dependencies`, `dependency-groups`, `optional-dependencies`
bool speaks_of_dependencies(std::string_view key) { return key.find("dependenc") != key.npos; }

/// Everything beneath a key that speaks of dependencies: texts of lists are requirements, and so
/// are the keys of tables whose values are versions.
class Collector {
public:
  std::vector<Requirement> take() { return std::move(found_); }

  void look(const toml::table& table, bool inside) {
    for (const auto& [key, node] : table) {
      const bool here = inside || speaks_of_dependencies(key.str());
      if (const toml::table* child = node.as_table())
        look_into(std::string(key.str()), *child, inside, here);
      else if (const toml::array* array = node.as_array())
        add_texts(*array, here);
      else if (inside && node.is_string())
        found_.push_back({std::string(key.str()), line_of(node)});
    }
  }

private:
  /// `openvino = {version = "2026.1", optional = true}` is a requirement, too.
  void look_into(const std::string& key, const toml::table& child, bool inside, bool here) {
    if (inside && (child.contains("version") || child.contains("git") || child.contains("path")))
      found_.push_back({key, line_of(child)});
    else
      look(child, here);
  }

  void add_texts(const toml::array& array, bool here) {
    if (!here) return;
    for (const toml::node& item : array)
      if (const auto text = item.value_exact<std::string>())
        found_.push_back({*text, line_of(item)});
  }

  std::vector<Requirement> found_;
};

} // namespace

std::vector<Requirement> requirements_of(const std::filesystem::path& pyproject) {
  Collector collector;
  collector.look(rules::parse_toml(pyproject, ErrorKind::bad_config, max_project_size), false);
  return collector.take();
}

} // namespace model_validator
