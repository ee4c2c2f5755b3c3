#pragma once

#include "files/moved_sources.h"

#include <model_validator/lint.h>
#include <model_validator/model.h>

#include <vector>

namespace model_validator {

/// Adds to a report what its page shows of the model: graph and inspection, unless the graph is too
/// large for a browser. In the process that reads the model.
void add_model_documents(const Model& model, ModelReport& report);

/// Adds the Python around its findings. Outside that process, which reads no other file.
/// @param roots  where source was when the models were exported, and where it is
void add_source_documents(ModelReport& report, const std::vector<SourceRoot>& roots);

} // namespace model_validator
