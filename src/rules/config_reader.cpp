#include "rules/config_reader.h"

#include "files/real_path.h"
#include "rules/config_options.h"

#include <algorithm>
#include <cctype>

namespace model_validator::rules {
namespace {

namespace fs = std::filesystem;

/// A list of strings, or one string that stands for a list of one.
std::optional<std::vector<std::string>> list_of(const TableReader& reader, std::string_view key) {
  const toml::node* node = reader.table().get(key);
  if (node == nullptr) return std::nullopt;
  if (node->is_string()) return std::vector<std::string>{reader.text(key)};
  return reader.texts(key);
}

std::vector<std::string> list_or_none(const TableReader& reader, std::string_view key) {
  return list_of(reader, key).value_or(std::vector<std::string>{});
}

/// A configuration file may come with the models, from an untrusted author: it may ask for more
/// protection, not for less.
process::SandboxMode sandbox_at(const TableReader& reader, std::string_view key) {
  const std::string name = reader.text(key);
  const auto mode = process::sandbox_mode_from(name);
  if (mode && *mode != process::SandboxMode::off) return *mode;
  reader.fail(*reader.table().get(key),
              "`" + name + "` is not a sandbox mode that a file may ask for",
              "choose from `auto` and `require`; `--sandbox off` is for the command line alone");
}

template <class T> std::optional<std::vector<T>> items_of(const toml::array& array) {
  std::vector<T> items;
  for (const toml::node& item : array) {
    const auto value = item.value_exact<T>();
    if (!value) return std::nullopt;
    items.push_back(*value);
  }
  return items;
}

AttributeValue option_value(const TableReader& reader, const toml::node& node) {
  if (const auto value = node.value_exact<bool>()) return *value;
  if (const auto value = node.value_exact<std::int64_t>()) return *value;
  if (const auto value = node.value_exact<double>()) return *value;
  if (const auto value = node.value_exact<std::string>()) return *value;
  if (const toml::array* array = node.as_array()) {
    if (auto items = items_of<std::string>(*array)) return std::move(*items);
    if (auto items = items_of<std::int64_t>(*array)) return std::move(*items);
    if (auto items = items_of<double>(*array)) return std::move(*items);
  }
  reader.fail(node, "an option must be true or false, a number, a string, or a list of these");
}

void read_rule_options(const TableReader& reader, Config& config) {
  const auto rules = reader.child("rule");
  if (!rules) return;
  for (const auto& [name, node] : rules->table()) {
    const auto options = rules->child(name.str());
    for (const auto& [option, value] : options->table()) {
      config.options[std::string(name.str())][std::string(option.str())] =
          option_value(*options, value);
      config.lines["rule." + std::string(name.str()) + "." + std::string(option.str())] =
          static_cast<int>(value.source().begin.line);
    }
  }
}

void read_aimet(const TableReader& reader, Config& config) {
  const auto aimet = reader.child("aimet");
  if (!aimet) return;
  aimet->read({{"functional-ops", config.functional_ops}, {"op-type-map", config.op_type_map}});
}

bool is_python_name(std::string_view text) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::ranges::all_of(text, fits);
}

bool is_package(std::string_view text) {
  for (auto dot = text.find('.'); dot != text.npos; dot = text.find('.')) {
    if (!is_python_name(text.substr(0, dot))) return false;
    text.remove_prefix(dot + 1);
  }
  return is_python_name(text);
}

/// The file that is read. Its paths start from its own folder.
struct Source {
  fs::path file;
  ConfigOrigin origin;

  /// What a setting names. A file that nobody vouches for names nothing outside its own folder,
  /// where it would be read, written or edited.
  fs::path path(const TableReader& reader, const toml::node& node, const std::string& setting,
                const std::string& name) const {
    const fs::path folder = file.parent_path();
    if (origin == ConfigOrigin::found && !lies_beneath(folder / name, folder))
      reader.fail(
          node, "`" + setting + "` names `" + name + "`, which is outside the folder of this file",
          "only a file that is named with `--config` may do so");
    return folder / name;
  }
};

void read_source_roots(const TableReader& reader, const Source& source, Config& config) {
  const auto roots = reader.child("source-root");
  if (!roots) return;
  for (const auto& [was, node] : roots->table())
    config.source_roots[std::string(was.str())] =
        source.path(*roots, node, "source-root", roots->required_text(was.str()));
}

void read_fix(const TableReader& reader, const Source& source, Config& config) {
  const auto fix = reader.child("fix");
  if (!fix) return;
  fix->expect_only({"modules", "source-root"});
  if (const toml::node* modules = fix->table().get("modules")) {
    config.fix_modules = fix->required_text("modules");
    if (!is_package(*config.fix_modules))
      fix->fail(*modules, "`" + *config.fix_modules + "` is not a package name");
    config.lines["fix.modules"] = static_cast<int>(modules->source().begin.line);
  }
  read_source_roots(*fix, source, config);
}

/// Reads settings as they are described to it.
class SettingReader final : public OptionVisitor {
public:
  SettingReader(const TableReader& reader, const Source& source, Config& config)
      : reader_(reader), source_(source), config_(config) {}

private:
  void visit(const Option& option, OptionKind kind, bool path, const std::string& /*default_text*/,
             Set set) override {
    const toml::node* node = reader_.table().get(option.key());
    if (node == nullptr) return;
    if (kind == OptionKind::table) return set(table(option));
    if (kind == OptionKind::flag) return set(reader_.flag(option.key()));
    if (kind == OptionKind::whole_number) return set(whole_number(option, *node));
    if (kind == OptionKind::texts) {
      std::vector<std::string> texts = *list_of(reader_, option.key());
      if (path)
        for (std::string& name : texts) name = source_.path(reader_, *node, option.name, name);
      return set(texts);
    }
    const std::string text = reader_.text(option.name);
    if (text.empty()) return;
    require_word(reader_, *node, option, text);
    set(path ? source_.path(reader_, *node, option.name, text).string() : text);
  }

  std::uint64_t whole_number(const Option& option, const toml::node& node) const {
    const int number = *reader_.integer(option.name);
    if (!option.takes(number))
      reader_.fail(node, "`" + option.name + "` must be from " +
                             std::to_string(static_cast<int>(option.bounds->least)) + " to " +
                             std::to_string(static_cast<int>(option.bounds->greatest)));
    return static_cast<std::uint64_t>(number);
  }

  std::map<std::string, std::string> table(const Option& option) const {
    const auto given = reader_.child(option.name);
    std::map<std::string, std::string> words;
    for (const auto& [key, node] : given->table()) {
      const std::string name(key.str());
      words[name] = given->text(name);
      require_word(*given, node, option, words[name]);
      config_.lines[option.name + "." + name] = static_cast<int>(node.source().begin.line);
    }
    return words;
  }

  /// Which preset there is, is said where layers are merged.
  static void require_word(const TableReader& reader, const toml::node& where, const Option& option,
                           const std::string& word) {
    if (option.takes(word) || option.name == "preset") return;
    std::string all;
    for (const std::string& each : option.words) all += (all.empty() ? "`" : ", `") + each + '`';
    reader.fail(
        where, "`" + word + "` is not a severity" + (option.name == "fail-on" ? " to fail on" : ""),
        "choose from " + all);
  }

  const TableReader& reader_;
  const Source& source_;
  Config& config_;
};

class OptionNames final : public OptionVisitor {
public:
  explicit OptionNames(std::vector<std::string> others) : names(std::move(others)) {}
  std::vector<std::string> names;

private:
  void visit(const Option& option, OptionKind, bool, const std::string&, Set) override {
    names.push_back(option.key());
  }
};

/// The names of settings, and the keys that stand among them.
template <class Describe>
std::vector<std::string> keys(const Describe& describe, std::vector<std::string> others) {
  OptionNames known(std::move(others));
  Config nothing;
  describe(known, nothing);
  return std::move(known.names);
}

/// The settings that a file and each `[[per-file]]` of it may hold.
Config read_layer(const TableReader& reader, const Source& source) {
  Config config;
  config.origin = source.file.string();
  for (const auto& [key, node] : reader.table())
    config.lines[std::string(key.str())] = static_cast<int>(node.source().begin.line);
  SettingReader settings(reader, source, config);
  describe_selection(settings, config);
  read_rule_options(reader, config);
  return config;
}

std::string expiry_at(const TableReader& reader) {
  const toml::node* node = reader.table().get("expires");
  if (node == nullptr) return {};
  if (!node->is_date()) reader.fail(*node, "`expires` must be a date: expires = 2027-01-31");
  const toml::date day = node->as_date()->get();
  std::string text = std::to_string(day.year);
  for (const int part : {int{day.month}, int{day.day}})
    text += (part < 10 ? "-0" : "-") + std::to_string(part);
  return text;
}

SuppressionEntry read_suppression(const TableReader& reader, const fs::path& file) {
  SuppressionEntry entry;
  reader.read({Member::required("rule", entry.rule),
               {"module", entry.module},
               {"op", entry.op},
               {"model", entry.model},
               {"reason", entry.reason},
               {"expires"}});
  if (entry.reason.find_first_not_of(" \t") == std::string::npos)
    reader.fail(reader.table(), "a [[suppress]] without a `reason`",
                "say why the finding is accepted: `reason = \"…\"`");
  entry.expires = expiry_at(reader);
  entry.where = {file.string(), static_cast<int>(reader.table().source().begin.line), 0, 0};
  return entry;
}

/// Each is held against every finding of every model.
std::vector<std::shared_ptr<const SuppressionEntry>> read_suppressions(const TableReader& reader,
                                                                       const fs::path& file) {
  constexpr std::size_t most = 1000;
  std::vector<std::shared_ptr<const SuppressionEntry>> all;
  for (const TableReader& entry : reader.children("suppress")) {
    if (all.size() == most)
      reader.fail(entry.table(), "more than " + std::to_string(most) + " [[suppress]] in one file",
                  "accept what is there in a baseline: `--baseline FILE --write-baseline`");
    all.push_back(std::make_shared<const SuppressionEntry>(read_suppression(entry, file)));
  }
  return all;
}

PerFileConfig read_per_file(const TableReader& reader, const Source& source) {
  reader.expect_only(
      keys([](auto& names, Config& c) { describe_selection(names, c); }, {"files", "rule"}));
  PerFileConfig part;
  part.files = list_or_none(reader, "files");
  if (part.files.empty())
    reader.fail(reader.table(), "a [[per-file]] without `files`",
                "say which models it is for: `files = [\"legacy/*.pt\"]`");
  part.config = read_layer(reader, source);
  return part;
}

} // namespace

ParsedConfig read_config(const toml::table& table, const fs::path& file, ConfigOrigin origin) {
  const Source source{file, origin};
  const TableReader reader(table, file, bad_config, "the configuration");
  const auto describe = [](auto& names, Config& all) {
    describe_selection(names, all);
    describe_files(names, all);
    describe_baseline(names, all);
  };
  reader.expect_only(
      keys(describe, {"extend", "sandbox", "rule", "aimet", "fix", "per-file", "suppress"}));
  ParsedConfig parsed;
  parsed.file.path = file;
  if (const std::string base = reader.text("extend"); !base.empty())
    parsed.extends = source.path(reader, *table.get("extend"), "extend", base);
  Config config = read_layer(reader, source);
  read_aimet(reader, config);
  read_fix(reader, source, config);
  SettingReader settings(reader, source, config);
  describe_files(settings, config);
  describe_baseline(settings, config);
  if (reader.table().contains("sandbox")) config.sandbox = sandbox_at(reader, "sandbox");
  config.suppressions = read_suppressions(reader, file);
  for (const TableReader& entry : reader.children("per-file"))
    parsed.file.per_file.push_back(read_per_file(entry, source));
  parsed.file.layers = {std::move(config)};
  return parsed;
}

} // namespace model_validator::rules
