#pragma once

#include "cli/check/check_options.h"
#include "cli/fix/export_witness.h"
#include "cli/fix/fix_proof.h"
#include "cli/fix/rebuild_command.h"
#include "fixes/known_source.h"
#include "fixes/plan.h"
#include "lint/file_runner.h"

#include <map>
#include <string>
#include <vector>

namespace model_validator::cli {

/// How a model's source is fixed, and the result proved.
struct RebuildOptions {
  RebuildCommand command;
  ProofOptions proof;
  fixes::PlanOptions plan;
};

/// An edit that was undone.
struct NotKept {
  Diagnostic finding; ///< one of those that it was made for
  std::string reason;
};

/// What one report says about a finding whose edits are not made without their author's word.
struct Waiting {
  Diagnostic finding;
  std::vector<fixes::Mention> mentions; ///< none: its hazard is another
};
/// @param source  as the last plan of the findings left it
std::vector<Waiting> waiting_of(const std::vector<Diagnostic*>& findings,
                                const fixes::KnownSource& source);

struct RebuildReport {
  std::string model;
  std::vector<Diagnostic> before;
  std::vector<Diagnostic> left; ///< each with the reason in its fix, where there is one
  std::vector<NotKept> not_kept;
  std::size_t kept = 0;              ///< edits
  std::vector<Waiting> waiting;      ///< findings whose edits touch what other code names
  std::vector<fixes::Mention> looks; ///< code that looks at all modules
  std::size_t exports = 0;
  std::size_t samples = 0;
  std::size_t tensors = 0;
  Compared compared;       ///< of the networks that were exported, beyond their files
  std::string not_trained; ///< why training mode was not compared; empty where it was
  std::string export_line; ///< the command that replaces the model by what was proved
};

/// Edits the source of the findings in a model, exports it again, and keeps the edits after which
/// the model is proved to be the same; in rounds, until there is nothing left to edit. If this does
/// not run to its end, the files are restored.
/// @throws Error for what cannot be exported or proved even without an edit, (`source-changed`)
/// where someone else writes the files; (`interrupted`)
RebuildReport rebuild(const FileTask& task, const CheckOptions& lint, fixes::SourceFiles& files,
                      const RebuildOptions& options);

} // namespace model_validator::cli
