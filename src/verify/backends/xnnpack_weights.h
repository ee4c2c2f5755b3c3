#pragma once

#include "verify/backends/few_bit_weight.h"

#include <filesystem>
#include <functional>

namespace model_validator::verify {

/// Shows what layers that a `.pte` program leaves to XNNPACK store in few bits, with PyTorch's
/// order of axes, each once however many layers share it; vectors and what lies in other files are
/// left out. @throws Error (`damaged-file`)
void visit_xnnpack_weights(const std::filesystem::path& program,
                           const std::function<void(const FewBitWeight&)>& visit);

} // namespace model_validator::verify
