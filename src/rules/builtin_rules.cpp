#include "files/data_folder.h"
#include "text/nearest.h"

#include <model_validator/error.h>
#include <model_validator/target_profile.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

bool is_rules_folder(const fs::path& folder) {
  std::error_code failed;
  return fs::is_regular_file(folder / "aimet.toml", failed);
}

/// A profile's first table is `[target]`; other tables live in the same folder.
bool is_profile(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line))
    if (!line.empty() && line[0] != '#') return line == "[target]";
  return false;
}

/// The releases that any table of a target lists, oldest first.
std::vector<Release> releases_of(const TargetProfile& profile) {
  if (!profile.file.releases.empty()) return profile.file.releases;
  for (const auto& each : profile.counterparts)
    if (!each->file.releases.empty()) return each->file.releases;
  return {};
}

/// `1.20` stands for the last release that begins so.
Release release_of(std::string_view target, std::string_view version,
                   const TargetProfile& profile) {
  const std::vector<Release> known = releases_of(profile);
  const auto begins = [version](const Release& each) {
    return each.version == version || each.version.starts_with(std::string(version) + ".");
  };
  const auto found = std::find_if(known.rbegin(), known.rend(), begins);
  if (found != known.rend()) return *found;
  std::string versions;
  for (const Release& each : known) versions += (versions.empty() ? "" : ", ") + each.version;
  throw Error(ErrorKind::bad_release, "",
              "target `" + std::string(target) + "` has no such release",
              "`" + profile.name + "` has releases " + versions);
}

/// A table for one release of its target: the table of that release where there is one. One that
/// was read from another package has no releases of the target.
TargetProfile at_release(TargetProfile profile, const Release& release) {
  const std::string& stem = profile.table.empty() ? profile.name : profile.table;
  const fs::path table = rules_folder() / "releases" / (stem + "-" + release.version + ".toml");
  if (fs::exists(table)) {
    TargetProfile older = load_target_profile(table);
    older.name = profile.name;
    older.table = profile.table;
    older.counterparts = std::move(profile.counterparts);
    older.file.releases = std::move(profile.file.releases);
    older.file.sentences = std::move(profile.file.sentences);
    profile = std::move(older);
  }
  if (profile.package.starts_with(profile.name + " ")) profile.release = release;
  for (auto& each : profile.counterparts)
    each = std::make_shared<const TargetProfile>(at_release(*each, release));
  return profile;
}

/// `2026.4.1` of `openvino 2026.4.1, torch 2.13.0`: the release that a table was made with.
std::string release_of_table(const TargetProfile& profile) {
  const std::string package = profile.package.substr(0, profile.package.find(','));
  return package.substr(package.rfind(' ') + 1);
}

/// Of a target whose table is of one release, that one can be named as well. @throws Error
void require_release_of_table(std::string_view version, const TargetProfile& profile) {
  const std::string release = release_of_table(profile);
  if (!release.empty() && (release == version || release.starts_with(std::string(version) + ".")))
    return;
  throw Error(ErrorKind::bad_release, "",
              "target `" + profile.name + "@" + std::string(version) + "` is not known" +
                  (release.empty() ? "" : ": its table was made with " + profile.package),
              "write `" + profile.name + "`" +
                  (release.empty() ? "" : " or `" + profile.name + "@" + release + "`"));
}

int parse_opset(std::string_view target, std::string_view digits, const TargetProfile& profile) {
  int opset = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), opset);
  const bool whole = failed == std::errc{} && end == digits.data() + digits.size();
  if (!whole || opset < profile.opsets.first || opset > profile.opsets.second)
    throw Error(ErrorKind::bad_opset, "",
                "target `" + std::string(target) + "` does not have that opset",
                "`" + profile.name + "` has opsets " + std::to_string(profile.opsets.first) +
                    " to " + std::to_string(profile.opsets.second));
  return opset;
}

} // namespace

fs::path rules_folder() {
  if (const char* chosen = std::getenv("MODEL_VALIDATOR_RULES");
      chosen != nullptr && *chosen != 0) {
    if (is_rules_folder(chosen)) return chosen;
    throw Error(ErrorKind::no_rules, chosen,
                "MODEL_VALIDATOR_RULES does not name a folder of rules",
                "it must hold aimet.toml and the target profiles");
  }
  const fs::path data = data_folder();
  if (data.empty())
    throw Error(ErrorKind::no_rules, "", "the built-in rules were not found next to the library",
                "set MODEL_VALIDATOR_RULES to the folder that holds aimet.toml");
  return data / "rules";
}

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(rules_folder()))
    if (entry.path().extension() == ".toml" && is_profile(entry.path()))
      names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

namespace {

/// A table of rules, with the target's other tables behind the same name.
TargetProfile load_tables(const std::string& name) {
  TargetProfile profile = load_target_profile(rules_folder() / (name + ".toml"));
  for (const std::string& each : profile.counterpart_names) {
    TargetProfile other = load_target_profile(rules_folder() / (each + ".toml"));
    other.table = other.name;
    other.name = profile.name;
    profile.counterparts.push_back(std::make_shared<const TargetProfile>(std::move(other)));
  }
  return profile;
}

} // namespace

TargetProfile load_target(std::string_view name) {
  const std::string stem(name.substr(0, name.find('@')));
  const std::vector<std::string> known = target_names();
  if (!std::ranges::binary_search(known, stem))
    throw Error(ErrorKind::unknown_target, "", "no target is called `" + stem + "`",
                rules::suggestion(stem, known));
  TargetProfile profile = load_tables(stem);
  const std::size_t at = name.find('@');
  if (at == std::string_view::npos) return profile;
  if (profile.opset == 0 && !releases_of(profile).empty())
    return at_release(profile, release_of(name, name.substr(at + 1), profile));
  if (profile.opset == 0) {
    require_release_of_table(name.substr(at + 1), profile);
    return profile;
  }
  profile.opset = parse_opset(name, name.substr(at + 1), profile);
  return profile;
}

} // namespace model_validator
