#pragma once

#include <model_validator/diagnostic.h>

#include <string>

namespace model_validator {

/// A path as a URI reference: relative to the current folder where the file lies beneath it, else
/// `file://…`; what a URI may not hold is percent-encoded.
std::string uri_of(const std::string& path);

/// A file's path from the root of the repository around the working folder, or from the working
/// folder where there is none; empty for a file that lies outside.
std::string path_in_repository(const std::string& file);

/// The first location whose file is on this machine, or may be; null where none is. An absolute
/// path of the machine that exported the model means nothing to a code host.
const DiagnosticLocation* location_at_hand(const Diagnostic& finding);

/// `net.py:12, which is not on this machine`: no path of another one.
std::string place_elsewhere(const SourceLocation& source);

} // namespace model_validator
