#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace model_validator {

/// Whether a target takes an operator or a model; the worst last.
enum class Verdict : std::uint8_t {
  taken,
  partly,  ///< taken under conditions that the file does not decide
  unknown, ///< not probed: a custom operator, another version of the package
  wrong,   ///< taken, and known to be computed wrongly
  refused, ///< known to be, or to fail when it runs
};
const char* to_string(Verdict verdict);

/// How many ops, or calls of operators, a target takes, by verdict.
struct VerdictCounts {
  std::size_t taken = 0;
  std::size_t partly = 0;
  std::size_t unknown = 0;
  std::size_t wrong = 0;
  std::size_t refused = 0;

  void add(Verdict verdict, std::size_t number = 1);
  std::size_t all() const { return taken + partly + unknown + wrong + refused; }
};

/// The verdict on all calls of one operator with the same outcome.
struct OperatorVerdict {
  std::string name; ///< as the target calls it
  Verdict verdict = Verdict::taken;
  std::size_t calls = 0;
  std::vector<std::string> conditions; ///< that the file does not decide
  std::string evidence;                ///< a registry entry, or an observed answer
  std::vector<std::string> ops = {};   ///< that call it, where it is not simply taken
  friend bool operator==(const OperatorVerdict&, const OperatorVerdict&) = default;
};

/// The verdict on one model for one target, and its basis.
struct TargetVerdict {
  std::string target;
  Verdict verdict =
      Verdict::taken;      ///< refused, wrong, unknown or partly if any operator is, in that order
  std::string table;       ///< of the rules, by the file's format: `openvino-onnx`
  int opset = 0;           ///< the one judged for; 0 where the target has none
  std::string package;     ///< where the table was read: `onnxruntime 1.31.1`
  std::string date;        ///< when, ISO 8601
  std::string release;     ///< the package version judged for; empty if none is named
  bool falls_back = false; ///< refused operators run elsewhere: of them alone, it takes the model
                           ///< in part
  bool recorded = false;   ///< judges what ran with the given inputs, not the file itself
  std::vector<std::string> refusals;      ///< of the file as a whole
  std::vector<OperatorVerdict> operators; ///< by name
  /// Names of ops: what is left where some run elsewhere, each part that values connect.
  std::vector<std::vector<std::string>> islands;
  friend bool operator==(const TargetVerdict&, const TargetVerdict&) = default;
};

} // namespace model_validator
