#pragma once

#include <model_validator/source_location.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

enum class Severity : std::uint8_t { off, info, warning, error };
const char* to_string(Severity severity);
std::optional<Severity> severity_from(const std::string& name);

/// One place a diagnostic points at.
struct DiagnosticLocation {
  SourceLocation source;
  std::string module; ///< path of the module whose code stands there
  std::string role;   ///< `call`, `first call`, `definition`, `caller`…
  std::string code;   ///< the line of Python, where it is known
};

/// One replacement in the user's Python.
struct Edit {
  SourceLocation where; ///< `length` characters are replaced; 0 inserts
  std::string text;
};

enum class Applicability : std::uint8_t { safe, unsafe };

/// A change that removes the cause.
struct Fix {
  Applicability applicability = Applicability::unsafe;
  std::string description;
  std::vector<Edit> edits;
};

struct OpReference {
  std::string name;
  std::string type;
};

/// Why a finding does not count.
struct Suppression {
  std::string by; ///< `config`, `inline`, `baseline`
  std::string reason;
};

/// A finding, as data. Wording: lower case, no full stop; the headline says what is wrong, `help`
/// alone proposes the change, notes give the circumstances. One diagnostic stands for one module or
/// op: the reports bring together those that share a cause.
struct Diagnostic {
  std::string rule; ///< `reused-modules`
  std::string code; ///< `GRA001`
  Severity severity = Severity::warning;
  std::string message;
  std::string module;               ///< primary path of the module concerned
  std::vector<std::string> aliases; ///< its other paths
  std::string parent;               ///< path of the module whose code it is
  std::optional<OpReference> op;
  std::string method;                        ///< Python method, for the fingerprint
  std::vector<DiagnosticLocation> locations; ///< the first is where the caret goes
  std::string help;
  std::vector<std::string> notes;
  std::optional<Fix> fix;
  std::string fingerprint; ///< rule, module path, op type, method; filled in when left empty
  std::optional<Suppression> suppressed;
};

/// The fingerprint of a diagnostic: 16 hexadecimal digits that do not change with line numbers,
/// value names or the order of ops.
std::string fingerprint_of(const Diagnostic& diagnostic);

} // namespace model_validator
