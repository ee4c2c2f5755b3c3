#pragma once

#include "fixes/module_class.h"
#include "fixes/plan.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Source files in memory.
class Files final : public model_validator::fixes::SourceFiles {
public:
  explicit Files(std::map<std::string, std::string> texts) : texts_(std::move(texts)) {}
  File find(const std::string& recorded) override {
    const auto found = texts_.find(recorded);
    if (found == texts_.end()) return {recorded, {}, "its source is not available"};
    return {recorded, found->second, {}};
  }
  std::optional<std::string> read(const std::string& path) override {
    const auto found = texts_.find(path);
    return found == texts_.end() ? std::nullopt : std::optional(found->second);
  }
  bool may_make(const std::string& path) override { return texts_.count(path) == 0; }
  std::vector<std::string> all() override {
    std::vector<std::string> paths;
    for (const auto& [path, text] : texts_)
      if (path.ends_with(".py")) paths.push_back(path);
    return paths;
  }

  std::map<std::string, std::string> others() override {
    std::map<std::string, std::string> others = texts_;
    std::erase_if(others, [](const auto& each) { return each.first.ends_with(".py"); });
    return others;
  }

private:
  std::map<std::string, std::string> texts_;
};

/// A finding whose fix rewrites the call of an operator on a line of `net.py`.
inline model_validator::Diagnostic op_finding(const std::string& operation, int line,
                                              const std::string& class_name = "Own") {
  model_validator::Rewrite rewrite;
  rewrite.operation = operation;
  rewrite.attribute = operation;
  rewrite.class_name = class_name;
  model_validator::SourceCall call;
  call.place = {"net.py", line, 0, 0};
  rewrite.calls = {call};
  rewrite.operand_made = {{"net.py", 8, 0, 0}};
  model_validator::Diagnostic finding;
  finding.fix = model_validator::Fix{model_validator::Applicability::safe, "", {}, rewrite};
  return finding;
}

/// A finding whose fix gives each call of `self.NAME` a module of its own.
inline model_validator::Diagnostic reuse_finding(const std::string& name,
                                                 const std::vector<int>& lines) {
  model_validator::Diagnostic finding = op_finding("", 1);
  model_validator::Rewrite& rewrite = *finding.fix->rewrite;
  rewrite.kind = model_validator::Rewrite::Kind::separate_calls;
  rewrite.calls.clear();
  for (const int line : lines) {
    model_validator::SourceCall call;
    call.place = {"net.py", line, 0, 0};
    call.attribute = name;
    rewrite.calls.push_back(call);
  }
  return finding;
}

/// The same of two calls on one line.
inline model_validator::Diagnostic reuse_on_a_line(const std::string& name, int line) {
  model_validator::Diagnostic finding = reuse_finding(name, {line});
  finding.fix->rewrite->calls[0].count = 2;
  return finding;
}

/// The text of `net.py` once the findings are fixed.
/// @param package  that holds the classes; empty: they are written
inline std::string fixed(const std::string& source,
                         std::vector<model_validator::Diagnostic*> findings,
                         const std::string& package = "") {
  Files files({{"net.py", source}});
  for (const auto& change : model_validator::fixes::plan_fixes(findings, files, {package}))
    if (change.path == "net.py") return change.after;
  return source;
}

/// The hazard of a finding's edit in `net.py`, next to another file.
inline std::string hazard_beside(const std::string& source, const std::string& other,
                                 model_validator::Diagnostic finding) {
  Files files({{"net.py", source}, {"other.py", other}});
  model_validator::fixes::plan_fixes({&finding}, files, {});
  return finding.fix->refusal.empty() ? finding.fix->hazard : "refused: " + finding.fix->refusal;
}
inline std::string fixed(const std::string& source, model_validator::Diagnostic& finding) {
  return fixed(source, std::vector<model_validator::Diagnostic*>{&finding});
}
