#pragma once

#include <filesystem>
#include <string>

namespace model_validator {

/// A function of a library that lies beside this one and needs LibTorch. The library is loaded at
/// the first call and stays: LibTorch does not survive being unloaded. A worker process, which may
/// load nothing, ends here and is begun anew once the library is there.
/// @param library  `libmodel_validator_verify.so`
/// @param what     what it is for, as a sentence begins: `verification`
/// @param file     the file concerned, for the Error; may be empty
/// @throws Error (`no-libtorch`)
void* sibling_function(const char* library, const char* symbol, const std::string& what,
                       const std::string& file = {});

/// The folder that the core library lies in.
std::filesystem::path own_folder();

} // namespace model_validator
