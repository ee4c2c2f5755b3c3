#pragma once

#include <model_validator/diagnostic.h>

#include <filesystem>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace model_validator {

/// The findings that were there when a team began: how many of each fingerprint each model has.
/// Only findings beyond these are new.
class Baseline {
public:
  struct Entry {
    std::size_t count = 0;
    std::string rule;   ///< for people who read the file
    std::string module; ///< the same
  };
  using Model = std::map<std::string, Entry>; ///< by fingerprint

  /// Reads a baseline. @throws Error (`not-found`, `bad-baseline`)
  static Baseline load(const std::filesystem::path& file);
  void write(std::ostream& out) const;

  /// Suppresses the findings of a model that the baseline holds, as many as it holds.
  /// @returns those that it holds and the model has no more
  std::vector<Entry> apply(const std::string& model, std::vector<Diagnostic>& findings) const;
  bool holds(const std::string& model) const { return models_.count(model) > 0; }
  /// The models it holds, by name.
  std::vector<std::string> models() const;
  /// How many of a model's recorded fingerprints these findings have, of all.
  double likeness(const std::string& model, const std::vector<Diagnostic>& findings) const;
  /// Replaces what the baseline holds of a model with the findings it has now.
  void record(const std::string& model, const std::vector<Diagnostic>& findings);

  /// Replaces what it holds of each model that was recorded in `newer`.
  void take(const Baseline& newer);

  std::size_t size() const; ///< findings in all
  std::size_t size_of(const std::string& model) const;

private:
  std::map<std::string, Model> models_;
};

/// What a model is called in a baseline file: its path from that file's folder.
std::string baseline_name(const std::filesystem::path& model,
                          const std::filesystem::path& baseline);

} // namespace model_validator
