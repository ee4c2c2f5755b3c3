#include "partition/subgraph_folder.h"
#include "partition/torchscript/subgraph_runner.h"
#include "verify/backends/builtin.h"
#include "verify/command/model_file.h"
#include "verify/run/failure.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

using partition::Manifest;
using partition::Subgraph;
using partition::SubgraphFunction;

/// The backend of the subgraph's target, where there is one of that name: `openvino` for `openvino`
/// and for `openvino-onnx`, the same runtime fed with another format. Others take files of their
/// own alone.
std::shared_ptr<const Backend> backend_for(const Subgraph& subgraph, const ModelFile& file) {
  const auto registry = BackendRegistry::builtin();
  const auto& all = registry.backends();
  const std::string runtime = subgraph.target.substr(0, subgraph.target.find('-'));
  const auto found = std::ranges::find_if(all, [&](const auto& backend) {
    return !takes_own_files_alone(backend->name()) &&
           (backend->name() == subgraph.target || backend->name() == runtime);
  });
  const bool runs_it = found != all.end() && (file.module || subgraph.target != "eager");
  return runs_it ? *found : registry.find(file.own_backend());
}

constexpr const char* fit_again =
    "divide the model again, or give the subgraph the inputs and outputs that manifest.json names";

void require_declared_inputs(const ModelFile& file, const Subgraph& subgraph) {
  if (file.needs.size() == subgraph.inputs.size()) return;
  throw Error(ErrorKind::damaged_manifest, file.path.string(),
              "it has " + std::to_string(file.needs.size()) + " inputs, but manifest.json names " +
                  std::to_string(subgraph.inputs.size()),
              fit_again);
}

/// Opens a subgraph and compiles it when it is first called: then its inputs are known.
class LazySubgraph {
public:
  LazySubgraph(std::filesystem::path folder, Subgraph subgraph, BackendOptions options)
      : folder_(std::move(folder)), subgraph_(std::move(subgraph)), options_(std::move(options)) {}

  c10::IValue operator()(const std::vector<c10::IValue>& inputs) {
    try {
      if (!compiled_) compile(inputs);
      return compiled_(inputs);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::run_failed) fail(error.what());
      throw Error(error.kind(), error.path(), named(error.what()), error.hint());
    } catch (const std::exception& failure) {
      fail(sentence_of(failure));
    }
  }

private:
  std::string named(const std::string& cause) const {
    return "subgraph `" + subgraph_.file + "`: " + cause;
  }

  /// An unchanged subgraph fits the others. One whose hash was removed from the manifest is one
  /// that the user changed.
  [[noreturn]] void fail(const std::string& reason) const {
    if (subgraph_.hash.empty())
      throw Error(
          ErrorKind::unfit_subgraph, "",
          "subgraph `" + subgraph_.file +
              "` was changed and cannot run on what the subgraphs before it give: " + reason,
          fit_again);
    throw Error(ErrorKind::run_failed, "", named(reason),
                "run it alone: `model_validator verify " + (folder_ / subgraph_.file).string() +
                    " --backend NAME`");
  }

  void compile(const std::vector<c10::IValue>& inputs) {
    file_ = open_model(folder_ / subgraph_.file, {});
    require_declared_inputs(file_, subgraph_);
    std::vector<std::string> names;
    for (const auto& input : subgraph_.inputs) names.push_back(input.name);
    compiled_ =
        backend_for(subgraph_, file_)->compile(file_.backend_input(names), inputs, options_);
  }

  std::filesystem::path folder_;
  Subgraph subgraph_;
  BackendOptions options_;
  ModelFile file_;
  ModelFunction compiled_;
};

class Subgraphs final : public Backend {
public:
  std::string name() const override { return "subgraphs"; }
  std::string summary() const override {
    return "a folder that `partition --emit` wrote: each subgraph runs on the backend of its "
           "target, or as it is";
  }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>&,
                        const BackendOptions& options) const override {
    const Manifest manifest = partition::read_subgraph_folder(input.file);
    std::vector<SubgraphFunction> functions;
    for (const Subgraph& subgraph : manifest.subgraphs)
      functions.emplace_back(
          [lazy = std::make_shared<LazySubgraph>(input.file, subgraph, options)](
              const std::vector<c10::IValue>& inputs) { return (*lazy)(inputs); });
    return [manifest, functions](const std::vector<c10::IValue>& inputs) {
      return partition::run_subgraphs(manifest, functions, inputs);
    };
  }
};

} // namespace

std::shared_ptr<const Backend> subgraphs_backend() { return std::make_shared<Subgraphs>(); }

} // namespace model_validator::verify
