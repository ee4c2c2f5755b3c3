#pragma once

#include <model_validator/diagnostic.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace model_validator {

/// What a rule finds in one installed package, over all models of a run.
struct InstalledFindings {
  Diagnostic first;                           ///< one of them
  std::string package;                        ///< whose code it is
  std::vector<std::string> models;            ///< that have one
  std::size_t count = 0;                      ///< how many there are
  std::map<std::string, std::size_t> types;   ///< how many are about calls of what
  std::map<std::string, std::size_t> classes; ///< and in which classes, by short name
  std::set<std::string> places;               ///< `timm/layers/norm.py:12`, each once
  std::map<std::string, std::size_t> modules; ///< that are in training mode
  bool one_help = true;                       ///< what helps is the same for all
  bool excused = false;                       ///< they do not count

  void add(const Diagnostic& finding, const std::string& model);
  std::string headline() const; ///< `112 findings in the installed package `timm``
  /// `` `add` (44) and `mul` (16), in `SqueezeExcite` ``; where one line or the modules are what
  /// counts, these; or empty
  std::string what() const;
  std::string help() const;
  std::string line() const; ///< headline and what in one, for findings that do not count
};

/// What is said above such lines.
inline constexpr const char* of_excused = "in installed packages, which do not count "
                                          "(`--fail-on-installed` counts them, `-v` shows each)";

/// `a.pt, b.pt and 2 more`
std::string models_of(const InstalledFindings& findings, std::size_t most);

/// Collects such findings, so that they are told once for each rule and package.
class InstalledCode {
public:
  void add(const std::vector<Diagnostic>& findings, const std::string& model);
  /// In the order in which they were first found.
  const std::vector<InstalledFindings>& all() const noexcept { return all_; }

private:
  std::vector<InstalledFindings> all_;
  std::map<std::string, std::size_t> known_;
};

} // namespace model_validator
