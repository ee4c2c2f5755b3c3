#pragma once

#include "fixes/python/source_files.h"
#include "fixes/python/text_edit.h"

#include <model_validator/diagnostic.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace model_validator::fixes {

class KnownSource;

/// What becomes of one file.
struct FileChange {
  std::string path;
  std::string before; ///< empty for a new file
  std::string after;
  bool is_new = false;
};

struct PlanOptions {
  std::string modules; ///< a package whose classes stand for operations; empty: classes of our own
  bool scripted = false; ///< what is written has to be TorchScript
  /// Which edits are made.
  enum class Edits : std::uint8_t {
    unmentioned, ///< those that change nothing which other code names
    provable,    ///< all that a proof can show to be harmless
    all,
  };
  Edits edits = Edits::all;
};

/// Makes the edits of all findings that have a rewrite: their `fix->edits`, or `fix->refusal`.
/// Findings of several models that need the same change get the same edits.
/// @returns the files that change, in the order of their paths
std::vector<FileChange> plan_fixes(const std::vector<Diagnostic*>& findings, SourceFiles& files,
                                   const PlanOptions& options);
/// The same, with what is known of the source by plans before; it is told what other code
/// names of that which each finding's edits touch.
std::vector<FileChange> plan_fixes(const std::vector<Diagnostic*>& findings, KnownSource& source,
                                   const PlanOptions& options);

} // namespace model_validator::fixes
