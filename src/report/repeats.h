#pragma once

#include "report/cause.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace model_validator {

/// A finding that was reported of one model of a run and found again, word for word and at the same
/// line, in others.
struct Repeat {
  Diagnostic finding;              ///< as it was first reported
  std::string first;               ///< the model it was reported for
  std::vector<std::string> models; ///< the others it was found in, as many as will be named
  std::size_t more = 0;            ///< how many others are left out of `models`
  std::string last = {};           ///< the one that it was found in last
};

/// Tracks the causes of a run over many models, so that each is reported only once.
class Repeats {
public:
  /// @param named  how many models are remembered by name for each; 0: all
  explicit Repeats(std::size_t named) : named_(named) {}

  /// Whether no model before had it; otherwise the model is counted.
  bool is_fresh(const Diagnostic& finding, const std::string& model);
  /// The causes that no model before had; the others are counted.
  std::vector<Cause> fresh(std::vector<Cause> causes, const std::string& model);
  /// What was found in more models than one, in the order in which it was reported.
  std::vector<Repeat> all() const;

private:
  std::size_t named_;
  std::map<std::string, std::size_t> known_;
  std::vector<Repeat> repeats_;
};

/// `the same in 12 other models: a.pt, b.pt and 10 more`
std::string repeat_note(const Repeat& repeat);

} // namespace model_validator
