#include "verify/backends/openvino/model_file.h"

#include "verify/backends/flat_backend.h"
#include "verify/backends/openvino/compiled_model.h"
#include "verify/backends/runtime_message.h"
#include "verify/run/signature.h"

#include <model_validator/error.h>

#include <openvino/frontend/manager.hpp>
#include <openvino/runtime/core.hpp>

#include <map>
#include <optional>
#include <sstream>

namespace model_validator::verify {
namespace {

ov::PartialShape shape_of(const at::Tensor& tensor) {
  return std::vector<ov::Dimension>(tensor.sizes().begin(), tensor.sizes().end());
}

/// OpenVINO's own format, whose weights it looks for by the name of the file.
bool is_own_format(const std::filesystem::path& file) { return file.extension() == ".xml"; }

/// As the file has it, which front ends keep, or else its position.
std::string name_of_output(const ov::Model& model, std::size_t index) {
  const auto& names = model.output(index).get_names();
  return names.empty() ? std::to_string(index) : *names.begin();
}

std::shared_ptr<ov::Model> read_model(const std::filesystem::path& file) {
  ov::Core core;
  try {
    return core.read_model(file.string());
  } catch (const std::exception& failure) {
    throw Error(ErrorKind::backend_refused, file.string(),
                "OpenVINO cannot read the model: " + runtime_message(failure.what()));
  }
}

/// The front end converts an operator only where it knows the rank of what the operator is given.
std::shared_ptr<ov::Model> read_with_shapes(const std::filesystem::path& file,
                                            const NamedTensors& given) {
  ov::frontend::FrontEndManager manager;
  const auto front_end = manager.load_by_framework("onnx");
  const auto source = front_end->load(file.string());
  for (const auto& [name, tensor] : given)
    if (const auto place = source->get_place_by_tensor_name(name); place && place->is_input())
      source->set_partial_shape(place, shape_of(to_torch(tensor)));
  return front_end->convert(source);
}

void give_shapes(ov::Model& model, const std::vector<at::Tensor>& inputs) {
  std::map<ov::Output<ov::Node>, ov::PartialShape> shapes;
  const auto ports = model.inputs();
  for (std::size_t i = 0; i < ports.size() && i < inputs.size(); ++i)
    shapes[ports[i]] = shape_of(inputs[i]);
  model.reshape(shapes);
}

/// Nothing where OpenVINO does not take the file with these shapes either.
std::optional<OpenVinoFile> try_with_shapes(const BackendInput& input, const NamedTensors& given) {
  try {
    const auto model =
        is_own_format(input.file) ? read_model(input.file) : read_with_shapes(input.file, given);
    auto inputs = bound_to(ports_of(*model), given, {});
    give_shapes(*model, inputs);
    return OpenVinoFile{model, std::move(inputs)};
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::string shapes_in_words(const NamedTensors& given) {
  std::ostringstream text;
  for (const auto& [name, tensor] : given)
    text << (text.tellp() > 0 ? ", " : "") << name << ' ' << to_torch(tensor).sizes();
  return text.str();
}

/// A model of a file, compiled once for any shapes or, where that is impossible, for the given
/// ones.
class CompiledFile {
public:
  CompiledFile(BackendInput input, const std::vector<c10::IValue>& examples,
               const BackendOptions& options)
      : input_(std::move(input)), device_(device_of(options)), note_(options.note) {
    try {
      model_ = read_model(input_.file);
      compiled_ = compile_for(device_, model_);
    } catch (const Error& refusal) {
      if (!compile_with_shapes(flat(examples), refusal)) throw;
    }
  }

  c10::IValue operator()(const std::vector<c10::IValue>& inputs) {
    const auto given = flat(inputs);
    try {
      return results(given);
    } catch (const Error& failure) {
      if (!model_->is_dynamic() || !compile_with_shapes(given, failure)) throw;
    }
    return results(given);
  }

private:
  c10::IValue results(const NamedTensors& given) {
    NamedTensors named;
    for (const auto& tensor : infer(compiled_, bound_to(ports_of(*model_), given, note_)))
      named.push_back({name_of_output(*model_, named.size()), to_tensor(tensor)});
    return named_tuple(named);
  }

  NamedTensors flat(const std::vector<c10::IValue>& inputs) const {
    return flat_inputs(inputs, input_.input_names);
  }

  bool compile_with_shapes(const NamedTensors& given, const Error& refusal) {
    const auto read = try_with_shapes(input_, given);
    if (!read) return false;
    try {
      compiled_ = compile_for(device_, read->model);
    } catch (const Error&) {
      return false;
    }
    model_ = read->model;
    if (note_)
      note_("OpenVINO was given the shapes of the inputs (" + shapes_in_words(given) +
            ") and runs no others: with the sizes that the file leaves open, " + refusal.what());
    return true;
  }

  BackendInput input_;
  Device device_;
  std::function<void(const std::string&)> note_;
  std::shared_ptr<ov::Model> model_;
  ov::CompiledModel compiled_;
};

} // namespace

OpenVinoFile read_for(const BackendInput& input, const std::vector<c10::IValue>& inputs) {
  const auto given = flat_inputs(inputs, input.input_names);
  try {
    auto model = read_model(input.file);
    auto ordered = bound_to(ports_of(*model), given, {});
    return {std::move(model), std::move(ordered)};
  } catch (const Error&) {
    if (auto read = try_with_shapes(input, given)) return *std::move(read);
    throw;
  }
}

ModelFunction compile_file(const BackendInput& input, const std::vector<c10::IValue>& examples,
                           const BackendOptions& options) {
  return [compiled = CompiledFile(input, examples, options)](
             const std::vector<c10::IValue>& inputs) mutable { return compiled(inputs); };
}

} // namespace model_validator::verify
