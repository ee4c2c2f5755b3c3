#pragma once

#include "report/cause.h"

#include <cstddef>
#include <string>
#include <vector>

namespace model_validator {

/// What one rule found in the models of a run.
struct FindingGroup {
  Diagnostic first;
  std::string place; ///< of the first
  std::size_t findings = 0;
  std::size_t models = 0;
  std::string last_model;
};

/// Findings of rules that nobody chose: they are told one by one while they are few in a run, else
/// in a line for each rule.
class GroupedFindings {
public:
  explicit GroupedFindings(std::vector<std::string> rules) : rules_(std::move(rules)) {}

  /// Moves the causes of such findings here out of those of a model.
  void take(std::vector<Cause>& causes, const std::string& model);

  /// The findings of one model.
  struct OfModel {
    std::string model;
    std::vector<Diagnostic> findings;
  };
  /// While they are few, all of them; else none.
  const std::vector<OfModel>& few() const noexcept { return few_; }
  /// Where they are many, in the order in which the rules first found something; else none.
  std::vector<FindingGroup> groups() const;

private:
  FindingGroup& group_of(const Diagnostic& finding, const std::string& model);

  std::vector<std::string> rules_;
  std::size_t findings_ = 0;
  std::vector<OfModel> few_;
  std::vector<FindingGroup> groups_;
};

/// `12 findings in 3 models, such as net.py:7: module `relu` is called 2 times`
std::string line_of(const FindingGroup& group);

inline constexpr const char* title_of_groups = "Asked for by quantisers alone";
inline constexpr const char* after_groups = "`-v` shows each of them, and so does `--select RULE`.";

} // namespace model_validator
