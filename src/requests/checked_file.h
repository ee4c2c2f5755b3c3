#pragma once

#include "lint/file_runner.h"
#include "report/style.h"
#include "report/summary.h"
#include "requests/calls.h"

#include <vector>

namespace model_validator {

// What the command and the call `check` do with the result of each file.

/// Adds the edits of fixes to the findings of files.
/// @param reader  of the Python source
void add_edits(const std::vector<FileResult*>& results, Reader reader);

void count(const FileResult& result, RunSummary& summary);

/// Where nobody chose what files are judged for, the report begins with what that is, and groups
/// what only quantisers ask for.
void tell_default(const std::vector<FileTask>& tasks, Style& style);

} // namespace model_validator
