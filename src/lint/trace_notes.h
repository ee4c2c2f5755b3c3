#pragma once

#include <model_validator/diagnostic.h>
#include <model_validator/trace.h>

#include <vector>

namespace model_validator {

/// Adds to findings what the trace of their graph says of them: an op that did not run, whether the
/// condition of an `if` held, the iterations of a loop.
void add_trace_notes(const TracedGraph& traced, std::vector<Diagnostic>& findings);

} // namespace model_validator
