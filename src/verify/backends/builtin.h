#pragma once

#include <model_validator/verify/backend.h>

#include <memory>
#include <string>
#include <string_view>

namespace model_validator::verify {

std::shared_ptr<const Backend> aoti_backend();
std::shared_ptr<const Backend> command_backend();
std::shared_ptr<const Backend> eager_backend();
std::shared_ptr<const Backend> onnxruntime_backend();
std::shared_ptr<const Backend> subgraphs_backend();
std::shared_ptr<const Backend> torchscript_backend();

/// Of runtimes that are loaded by Python.
void add_python_backends(BackendRegistry& registry);
/// Whether its process may start Python, as that of subgraphs may.
bool is_run_by_python(std::string_view backend);
/// Whether it is one of Python that takes files of one format, which it alone runs.
bool takes_own_files_alone(std::string_view backend);

/// A backend that only runs on the CPU was asked for another device.
/// @throws Error (`no-device`)
void expect_cpu(const BackendOptions& options, const std::string& backend);

/// The module a backend was given. @throws Error (`backend-refused`) when it was given a file of
/// another format.
torch::jit::Module module_of(const BackendInput& input, const std::string& backend);

} // namespace model_validator::verify
