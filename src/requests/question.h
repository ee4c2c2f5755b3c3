#pragma once

#include "logging/log.h"
#include "requests/call_options.h"
#include "requests/calls.h"
#include "requests/reading.h"
#include "requests/request_options.h"

#include <optional>

namespace model_validator {

// What the answers to the questions share.

ReadingLimits limits_of(CallOptions& options);
/// `op_library`.
ReadOptions read_options_of(CallOptions& options);
/// None without inputs. @throws Error (`bad-input-spec`, `no-libtorch`)
std::optional<TraceOptions> trace_of(CallOptions& options);

/// `[{"level": "warning", "text": "…"}]`
std::string log_as_json(const LogEntries& entries);

Reply answer_check(const Call& call, Reader reader);
/// Of a command that reads models.
Reply answer_model_command(const Call& call, Reader reader);

} // namespace model_validator
