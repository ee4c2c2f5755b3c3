#include <model_validator/registry.h>

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace model_validator;
namespace fs = std::filesystem;

namespace {

const fs::path pages = MODEL_VALIDATOR_RULE_PAGES;

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string head_of(const RuleInfo& info) {
  return '`' + std::string(info.code) + "` · " + to_string(info.severity) + " · " +
         (info.on_by_default ? "on by default" : "off by default") + " · " +
         std::string(info.summary);
}

std::vector<std::string> headings_of(const std::vector<std::string>& lines) {
  std::vector<std::string> headings;
  for (const std::string& line : lines)
    if (line.starts_with("## ")) headings.push_back(line.substr(3));
  return headings;
}

/// What the lines `Option `name` (…` of a page name.
std::set<std::string> documented_options(const std::vector<std::string>& lines) {
  const std::string start = "Option `";
  std::set<std::string> names;
  for (const std::string& line : lines)
    if (line.starts_with(start))
      names.insert(line.substr(start.size(), line.find("` (") - start.size()));
  return names;
}

std::set<std::string> declared_options(const RuleInfo& info) {
  std::set<std::string> names;
  for (const RuleOption& option : info.options) names.emplace(option.name);
  return names;
}

} // namespace

TEST_CASE("a page names the options that its check declares, and no others") {
  std::size_t options = 0;
  const Registry registry = Registry::builtin();
  for (const auto& validator : registry.validators()) {
    const RuleInfo& info = validator->info();
    CAPTURE(info.name);
    CHECK(documented_options(lines_of(pages / (std::string(info.name) + ".md"))) ==
          declared_options(info));
    options += declared_options(info).size();
  }
  CHECK(options >= 3);
}

TEST_CASE("every built-in check has a page that agrees with it") {
  const Registry registry = Registry::builtin();
  for (const auto& validator : registry.validators()) {
    const RuleInfo& info = validator->info();
    CAPTURE(info.name);
    const auto lines = lines_of(pages / (std::string(info.name) + ".md"));
    REQUIRE(lines.size() > 4);
    CHECK(lines[0] == "# " + std::string(info.name));
    CHECK(lines[2] == head_of(info));
    CHECK(headings_of(lines) == std::vector<std::string>{"What it does", "Why it matters",
                                                         "Example", "Use instead", "Fix safety"});
  }
}

TEST_CASE("every page of a check belongs to one") {
  const Registry registry = Registry::builtin();
  for (const auto& entry : fs::directory_iterator(pages)) {
    const std::string name = entry.path().stem().string();
    CAPTURE(name);
    const auto lines = lines_of(entry.path());
    REQUIRE(lines.size() > 2);
    const bool of_the_tool_itself = lines[2].starts_with("`MET");
    CHECK((of_the_tool_itself || registry.find(name) != nullptr));
  }
}
