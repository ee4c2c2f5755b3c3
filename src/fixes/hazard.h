#pragma once

#include <string>
#include <vector>

namespace model_validator::fixes {

/// Code of the user's, from a line to a line.
struct CodePlace {
  std::string path;
  int first_line = 0;
  int last_line = 0;
  std::string in_words; ///< "`net.act` in line 3 of `train.py`"
  friend auto operator<=>(const CodePlace&, const CodePlace&) = default;
};

/// Why an edit needs a proof; no reason where it needs none.
struct Hazard {
  std::string reason; ///< a clause; the first that was found
  std::vector<CodePlace>
      places; ///< code that may notice the edit: no proof holds that has not run it
  bool is_beyond_proof = false; ///< inputs that no proof tries show it

  explicit operator bool() const { return !reason.empty(); }
  /// Adds another.
  void add(Hazard other) {
    if (reason.empty()) reason = std::move(other.reason);
    places.insert(places.end(), other.places.begin(), other.places.end());
    is_beyond_proof = is_beyond_proof || other.is_beyond_proof;
  }
};

} // namespace model_validator::fixes
