#include "connected_graph/front_end.h"

#include "connected_graph/torchscript/read.h"

namespace model_validator::torchscript {
namespace {

class TorchScriptFrontEnd final : public FrontEnd {
public:
  ConnectedGraph read(const std::filesystem::path& file,
                      const ReadOptions& options) const override {
    return read_torchscript(file, options);
  }
};

} // namespace
} // namespace model_validator::torchscript

extern "C" const model_validator::FrontEnd* model_validator_front_end() {
  static const model_validator::torchscript::TorchScriptFrontEnd front_end;
  return &front_end;
}
