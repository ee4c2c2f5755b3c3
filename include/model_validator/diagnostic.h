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
  std::string module; ///< path of the module whose code is there
  std::string role;   ///< `call`, `first call`, `definition`, `caller`…
  std::string code;   ///< the line of Python, if known

  friend bool operator==(const DiagnosticLocation&, const DiagnosticLocation&) = default;
};

/// A position between two characters of a text file.
struct TextPosition {
  int line = 0;   ///< counted from 1
  int column = 0; ///< characters before it on the line
  friend bool operator==(const TextPosition&, const TextPosition&) = default;
};

/// One replacement in a user's file; an insertion if both positions are the same.
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
  std::string code;          ///< the line as the model carries it; empty if it carries none
  std::string class_name;    ///< of the module whose code it is
  std::string attribute;     ///< of that module, holding the module that is called, if any
  std::size_t number = 0;    ///< its index among calls of its kind there, in execution order
  std::size_t count = 1;     ///< how many calls of its kind run there
  std::size_t runs = 1;      ///< how often the module that contains it runs
  std::string obstacle = {}; ///< why no module can replace it alone, as a clause; or empty

  friend bool operator==(const SourceCall&, const SourceCall&) = default;
};

/// What a fix does to Python source, before the source is available.
struct Rewrite {
  enum class Kind : std::uint8_t {
    use_module,      ///< a function call becomes a module call
    separate_calls,  ///< each call gets its own module
    separate_owners, ///< each caller of a shared module gets its own module
    make_buffer,     ///< a tensor is created once
    follow_mode,     ///< a function gets the argument `training=self.training`
    replace_number,  ///< the one number in a call that float16 cannot express becomes another
  };
  Kind kind = Kind::use_module;
  std::string operation;  ///< the operator in its common spelling: `sub` for `rsub`
  std::string schema;     ///< `aten::add_.Tensor`
  std::string attribute;  ///< name of the new attribute: `add`
  std::string class_name; ///< of an equivalent module, where torch has none: `Add`
  std::string expression; ///< that creates it: `nn.ReLU()`, `torch.zeros(8)`; the other number
  std::vector<SourceCall> calls;
  bool scripted = false; ///< TorchScript's compiler reads the source
  /// Where the first operand's memory is allocated, and the enclosing calls. Empty: not here.
  std::vector<SourceLocation> operand_made = {};
  bool operand_read_later = false; ///< other than as the operation's result

  friend bool operator==(const Rewrite&, const Rewrite&) = default;
};

/// A change that removes the cause.
struct Fix {
  Applicability applicability = Applicability::unsafe;
  std::string description;
  std::vector<Edit> edits = {};        ///< empty if the source is missing or rules them out
  std::optional<Rewrite> rewrite = {}; ///< what the edits are made from
  std::string refusal = {};            ///< why there are no edits, as a clause
  std::string hazard = {};             ///< why the edits are unsafe, as a clause

  friend bool operator==(const Fix&, const Fix&) = default;
};

struct OpReference {
  std::string name;
  std::string type;

  friend bool operator==(const OpReference&, const OpReference&) = default;
};

/// Why a finding does not count.
struct Suppression {
  std::string by; ///< `config`, `inline`, `baseline`
  std::string reason;

  friend bool operator==(const Suppression&, const Suppression&) = default;
};

/// A finding, as data. Wording: lower case, no full stop; the headline says what is wrong, only
/// `help` proposes the change, and notes give the circumstances. One diagnostic covers one module
/// or op; the reports group those that share a cause.
struct Diagnostic {
  std::string rule; ///< `reused-modules`
  std::string code; ///< `GRA001`
  Severity severity = Severity::warning;
  std::string message;
  std::string module;               ///< primary path of the module
  std::vector<std::string> aliases; ///< its other paths
  std::string parent;               ///< path of the module whose code it is
  std::optional<OpReference> op;
  std::string method;                        ///< Python method, for the fingerprint
  std::vector<DiagnosticLocation> locations; ///< the first gets the caret
  std::string help;
  std::vector<std::string> notes;
  std::optional<Fix> fix;
  /// Targets that do not take the file because of it, whatever operators it has, or `every_target`.
  std::vector<std::string> refused_by;
  /// What target profiles call what it contradicts, where runtimes were asked: `onnx::Clip dtype:
  /// 1: int64`.
  std::string contradiction;
  std::string fingerprint; ///< rule, module path, op type, method; filled in when left empty
  std::optional<Suppression> suppressed;
  bool excused = false; ///< open, but does not count: it is about the code of an installed package

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// In `Diagnostic::refused_by`: no runtime runs such a file.
inline constexpr const char* every_target = "*";

/// The fingerprint of a diagnostic: 16 hexadecimal digits that do not change with line numbers,
/// value names or the order of ops.
std::string fingerprint_of(const Diagnostic& diagnostic);

} // namespace model_validator
