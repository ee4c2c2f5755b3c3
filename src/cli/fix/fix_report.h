#pragma once

#include "cli/fix/fix_rebuild.h"

#include <ostream>

namespace model_validator::cli {

/// The result of a rebuild, as a table: findings before, fixed, left and why, and what was proved.
void write_rebuild_text(std::ostream& out, const RebuildReport& report);
void write_rebuild_json(std::ostream& out, const RebuildReport& report);

/// How many findings have no edits, for each reason; nothing where all have.
void write_left(std::ostream& out, const std::vector<Diagnostic*>& findings);

/// The findings whose edits touch what other code names, with that code; nothing where none does.
void write_waiting(std::ostream& out, const std::vector<Waiting>& waiting);

/// Code that looks at all modules of a network, before edits give it new ones; nothing for none.
void write_looks(std::ostream& out, const std::vector<fixes::Mention>& looks);

/// Says what whole models that were pickled before the edits lack.
void write_pickle_note(std::ostream& out);

/// Findings that have a fix, with the reasons why some have no edits.
void write_fixes_json(std::ostream& out, std::vector<Diagnostic*> findings,
                      const fixes::KnownSource& source);

} // namespace model_validator::cli
