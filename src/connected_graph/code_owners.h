#pragma once

#include <model_validator/diagnostic.h>

#include <set>
#include <string>
#include <vector>

namespace model_validator {

/// Tells whose code the findings of one model are about.
class CodeOwners {
public:
  explicit CodeOwners(const std::vector<Diagnostic>& findings);

  /// The installed package, or `torch`; empty for the user's own code, and for a finding that is
  /// about no code.
  std::string package_of(const Diagnostic& finding) const;

private:
  std::set<std::string, std::less<>> installed_; ///< packages of which lines are known
};

/// The class whose code a finding is about, in full; empty where it is not known.
std::string class_of(const Diagnostic& finding);

} // namespace model_validator
