#pragma once

#include <string>

namespace model_validator {

/// A function of a library that needs LibTorch. There is one such library for each minor version of
/// torch that this installation serves; the one that fits the torch of this machine is loaded at
/// the first call, after the versions are compared: another one would load, and read wrongly. A
/// worker process, which may load nothing, ends here and is restarted once the library is loaded.
/// @param library  `libmodel_validator_verify.so`
/// @param what     what it is for, as a sentence begins: `verification`
/// @param file     the file concerned, for the Error; may be empty
/// @throws Error (`no-libtorch`)
void* sibling_function(const char* library, const char* symbol, const std::string& what,
                       const std::string& file = {});

} // namespace model_validator
