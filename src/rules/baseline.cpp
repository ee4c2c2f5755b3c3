#include "rules/baseline.h"

#include "files/parsed_json.h"

#include <model_validator/error.h>

#include <nlohmann/json.hpp>

#include <set>

namespace model_validator {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* schema = "model_validator-baseline/1";
/// Room for a hundred thousand entries. Parsed, JSON takes up to thirty times its length.
constexpr std::uint64_t largest = std::uint64_t{16} << 20;
constexpr int deepest = 100;

Error bad(const fs::path& file, const std::string& cause) {
  return Error(ErrorKind::bad_baseline, file.string(), cause,
               "write it again with `--baseline " + file.string() + " --write-baseline`");
}

ParsedJson parse(const fs::path& file) {
  const FileText text = read_regular_file(file, largest);
  if (!text.why_not.empty())
    throw Error(ErrorKind::not_found, file.string(), "the baseline cannot be read: " + text.why_not,
                "make one with `--write-baseline`");
  if (is_nested_deeper(text.bytes, deepest)) throw bad(file, "the baseline is nested too deep");
  ParsedJson json = ParsedJson::parse(text.bytes, nullptr, false);
  if (json.is_discarded()) throw bad(file, "the baseline is not valid JSON");
  const auto version = json.is_object() ? json.find("schema") : json.end();
  if (version == json.end() || *version != schema || !json.contains("models"))
    throw bad(file, "the file is not a baseline of this version");
  return json;
}

bool belongs_in(const Diagnostic& finding) { return finding.rule != "internal-error"; }

} // namespace

Baseline Baseline::load(const fs::path& file) {
  const ParsedJson json = parse(file);
  Baseline baseline;
  try {
    for (const auto& [model, entries] : json.at("models").items())
      for (const ParsedJson& entry : entries) {
        if (!entry.at("count").is_number_unsigned()) throw bad(file, "`count` is not a count");
        baseline.models_[model][entry.at("fingerprint").get<std::string>()] = {
            entry.at("count").get<std::size_t>(), entry.at("rule").get<std::string>(),
            entry.at("module").get<std::string>()};
      }
  } catch (const nlohmann::json::exception&) {
    throw bad(file, "an entry of the baseline is not complete");
  }
  return baseline;
}

void Baseline::write(std::ostream& out) const {
  Json models = Json::object();
  for (const auto& [model, entries] : models_) {
    if (entries.empty()) continue;
    Json list = Json::array();
    for (const auto& [fingerprint, entry] : entries)
      list.push_back(Json{{"fingerprint", fingerprint},
                          {"count", entry.count},
                          {"rule", entry.rule},
                          {"module", entry.module}});
    models[model] = std::move(list);
  }
  const Json json{{"schema", schema}, {"models", std::move(models)}};
  out << json.dump(2, ' ', true, Json::error_handler_t::replace) << '\n';
}

std::vector<Baseline::Entry> Baseline::apply(const std::string& model,
                                             std::vector<Diagnostic>& findings) const {
  const auto known = models_.find(model);
  if (known == models_.end()) return {};
  Model left = known->second;
  for (Diagnostic& finding : findings) {
    if (finding.suppressed || !belongs_in(finding)) continue;
    const auto entry = left.find(finding.fingerprint);
    if (entry == left.end() || entry->second.count == 0) continue;
    --entry->second.count;
    finding.suppressed = Suppression{"baseline", ""};
  }
  std::vector<Entry> gone;
  for (auto& [fingerprint, entry] : left)
    if (entry.count > 0) gone.push_back(std::move(entry));
  return gone;
}

std::vector<std::string> Baseline::models() const {
  std::vector<std::string> names;
  for (const auto& [model, entries] : models_) names.push_back(model);
  return names;
}

double Baseline::likeness(const std::string& model, const std::vector<Diagnostic>& findings) const {
  const Model& entries = models_.at(model);
  std::set<std::string> seen;
  for (const Diagnostic& finding : findings)
    if (entries.count(finding.fingerprint) > 0) seen.insert(finding.fingerprint);
  return entries.empty() ? 0.0
                         : static_cast<double>(seen.size()) / static_cast<double>(entries.size());
}

void Baseline::record(const std::string& model, const std::vector<Diagnostic>& findings) {
  models_[model].clear();
  for (const Diagnostic& finding : findings) {
    if (finding.suppressed || !belongs_in(finding)) continue;
    Entry& entry = models_[model][finding.fingerprint];
    ++entry.count;
    entry.rule = finding.rule;
    entry.module = finding.module;
  }
}

void Baseline::take(const Baseline& newer) {
  for (const auto& [model, entries] : newer.models_) models_[model] = entries;
}

std::size_t Baseline::size() const {
  std::size_t all = 0;
  for (const auto& [model, entries] : models_) all += size_of(model);
  return all;
}

std::size_t Baseline::size_of(const std::string& model) const {
  std::size_t all = 0;
  for (const auto& [fingerprint, entry] : models_.at(model)) all += entry.count;
  return all;
}

std::string baseline_name(const fs::path& model, const fs::path& baseline) {
  if (model == "-") return "-";
  const fs::path folder = fs::absolute(baseline).lexically_normal().parent_path();
  const fs::path name = fs::absolute(model).lexically_normal().lexically_relative(folder);
  if (!name.empty() && *name.begin() != "..") return name.string();
  // Reached in another way than the baseline: by the real folder that the model's name stands in.
  std::error_code failed;
  const fs::path real_folder = fs::weakly_canonical(folder, failed);
  const fs::path above = fs::weakly_canonical(fs::absolute(model).parent_path(), failed);
  return (above / model.filename()).lexically_relative(real_folder).string();
}

} // namespace model_validator
