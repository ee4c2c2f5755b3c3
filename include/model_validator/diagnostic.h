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

/// A place between two characters of a text file.
struct TextPosition {
  int line = 0;   ///< counted from 1
  int column = 0; ///< characters of the line before it
  friend bool operator==(const TextPosition&, const TextPosition&) = default;
};

/// One replacement in a file of the user's; an insertion where both positions are the same.
struct Edit {
  std::string file;
  TextPosition start;
  TextPosition end;
  std::string text;
  friend bool operator==(const Edit&, const Edit&) = default;
};

enum class Applicability : std::uint8_t { safe, unsafe };

/// A call in Python that a fix changes, as the graph records it.
struct SourceCall {
  SourceLocation place;
  std::string code;       ///< the line as the model carries it; empty where it carries none
  std::string class_name; ///< of the module whose code it is
  std::string attribute;  ///< by which that module has what it calls, where it calls a module
  std::size_t number = 0; ///< which of its kind it is in the place, in the order in which they run
  std::size_t count = 1;  ///< how many of its kind run there
  std::size_t runs = 1;   ///< how often the module runs whose code it is
  std::string obstacle = {}; ///< why no module can stand for it alone, as a clause; empty: none
};

/// What a fix does to Python source, before the source is at hand.
struct Rewrite {
  enum class Kind : std::uint8_t {
    use_module,      ///< a call of a function becomes one of a module
    separate_calls,  ///< each call of a module gets one of its own
    separate_owners, ///< each module that calls a shared one gets one of its own
    make_buffer,     ///< a tensor is made once
  };
  Kind kind = Kind::use_module;
  std::string operation;  ///< the operator in its common spelling: `sub` for `rsub`
  std::string schema;     ///< `aten::add_.Tensor`
  std::string attribute;  ///< a name for what is new: `add`
  std::string class_name; ///< of a module that does the same, where torch has none: `Add`
  std::string expression; ///< that makes it: `nn.ReLU()`, `torch.zeros(8)`
  std::vector<SourceCall> calls;
  bool scripted = false; ///< TorchScript's compiler reads the source
  /// Where the memory of the first operand is made, and the calls around that. Empty: not here.
  std::vector<SourceLocation> operand_made = {};
  bool operand_read_later = false; ///< though not as the result of the operation
};

/// A change that removes the cause.
struct Fix {
  Applicability applicability = Applicability::unsafe;
  std::string description;
  std::vector<Edit> edits = {};        ///< empty where the source is not at hand or says no
  std::optional<Rewrite> rewrite = {}; ///< what the edits are made from
  std::string refusal = {};            ///< why there are none, as a clause
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
