// A baseline, as a repository brings it: findings of a model are compared with it, and it is
// written again.
#include "fuzzer.h"
#include "rules/baseline.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace {

using namespace model_validator;
using fuzz::Choices;
using Json = nlohmann::json;

/// Mostly of the type that is wanted.
Json value(Choices& choices, Json wanted) {
  if (!choices.one_in(12)) return wanted;
  Json deep = 1;
  for (std::size_t left = choices.times(1000, 8); left > 0; --left) deep = Json::array({deep});
  return choices.of<Json>({nullptr, -1, 1.5, true, "1", Json::array(), Json::object(), deep,
                           std::uint64_t{18446744073709551615ULL}, Json::array({wanted})});
}

Json entry(Choices& choices) {
  Json made{{"fingerprint", value(choices, choices.name())},
            {"count", value(choices, choices.below(4))},
            {"rule", value(choices, choices.name())},
            {"module", value(choices, choices.path())}};
  if (choices.one_in(16)) made.erase(choices.of<std::string>({"fingerprint", "count", "rule"}));
  return value(choices, made);
}

std::vector<Diagnostic> findings() {
  std::vector<Diagnostic> all;
  for (const char* name : {"x", "a", "b", "x", "0"}) {
    all.emplace_back().fingerprint = name;
    all.back().rule = name;
  }
  return all;
}

std::string text_of(const Baseline& baseline) {
  std::ostringstream out;
  baseline.write(out);
  return out.str();
}

} // namespace

std::string fuzz::write_file(Choices& choices) {
  Json models = Json::object();
  for (std::size_t left = choices.below(5); left > 0; --left) {
    Json entries = Json::array();
    for (std::size_t more = choices.times(2000, 80); more > 0; --more)
      entries.push_back(entry(choices));
    models[choices.name()] = value(choices, entries);
  }
  const Json all{{"schema", value(choices, "model_validator-baseline/1")},
                 {"models", value(choices, models)}};
  std::string text = all.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (choices.one_in(3)) damage(text, choices);
  return text;
}

bool fuzz::read_file(const std::filesystem::path& file) {
  Baseline baseline = Baseline::load(file);
  for (const std::string& model : baseline.models()) {
    auto found = findings();
    baseline.apply(model, found);
    baseline.likeness(model, found);
    baseline.size_of(model);
  }
  const std::string text = text_of(baseline);
  {
    std::ofstream again(file, std::ios::binary | std::ios::trunc);
    again << text;
  }
  if (text_of(Baseline::load(file)) != text)
    throw std::logic_error("a baseline changes when it is written");
  baseline.record("x", findings());
  return true;
}
