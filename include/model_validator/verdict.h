#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace model_validator {

/// What is known of a target's taking an operator, or a model; the worst last.
enum class Verdict : std::uint8_t {
  taken,
  partly,  ///< taken under conditions that the file does not decide
  unknown, ///< nobody asked: an operator of somebody's own, another version of the package
  refused, ///< known to be
};
const char* to_string(Verdict verdict);

/// The verdict on all calls of one operator that fare alike.
struct OperatorVerdict {
  std::string name; ///< as the target calls it
  Verdict verdict = Verdict::taken;
  std::size_t calls = 0;
  std::vector<std::string> conditions; ///< that the file does not decide
  std::string evidence;                ///< the entry of a registry, or an answer that was observed
  friend bool operator==(const OperatorVerdict&, const OperatorVerdict&) = default;
};

/// The verdict on one model for one target, and on what that rests.
struct TargetVerdict {
  std::string target;
  Verdict verdict =
      Verdict::taken;  ///< refused, unknown or partly where any operator is, in that order
  std::string package; ///< where the table was read: `onnxruntime 1.31.1`
  std::string date;    ///< when, ISO 8601
  std::string release; ///< the version of the package that is judged for; empty where none is named
  bool recorded = false; ///< judged is what ran with the inputs given, not the file as it stands
  std::vector<std::string> refusals;      ///< of the file as a whole
  std::vector<OperatorVerdict> operators; ///< by name
  friend bool operator==(const TargetVerdict&, const TargetVerdict&) = default;
};

} // namespace model_validator
