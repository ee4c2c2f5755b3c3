// Prints everything that the library knows of a model, and what it computes:
//
//     introspection [--shape 1x3x224x224] MODEL...
//
// A TorchScript file does not tell the shapes of its inputs: there `--shape` is what the model is
// run with.
#include <model_validator/error.h>
#include <model_validator/model.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iostream>
#include <memory>
#include <string_view>

namespace {

using model_validator::Model;
using model_validator::verify::Tensor;
using model_validator::verify::Value;
using Shape = std::vector<std::int64_t>;

void print(const char* title, const std::vector<std::string>& names,
           const std::vector<std::optional<std::vector<std::int64_t>>>& shapes,
           const std::vector<std::string>& dtypes) {
  std::cout << title << ": " << names.size() << "\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::cout << "  " << names[i] << "  dtype " << (dtypes[i].empty() ? "unknown" : dtypes[i])
              << "  shape ";
    if (!shapes[i]) std::cout << "unknown";
    if (shapes[i])
      for (const std::int64_t size : *shapes[i])
        std::cout << (size < 0 ? "? " : std::to_string(size) + " ");
    std::cout << "\n";
  }
}

/// A tensor of ones: of float32, or of int64 where the model asks for that.
Tensor ones(const Shape& shape, bool integers) {
  std::int64_t count = 1;
  Tensor tensor;
  tensor.view.shape = shape;
  tensor.view.strides.resize(shape.size());
  for (std::size_t i = shape.size(); i-- > 0; count *= shape[i]) tensor.view.strides[i] = count;
  const auto size = static_cast<std::size_t>(count);
  using model_validator::verify::DType;
  const auto fill = [&](auto one, DType dtype) {
    const auto numbers = std::make_shared<std::vector<decltype(one)>>(size, one);
    tensor.view.data = numbers->data();
    tensor.view.dtype = dtype;
    tensor.owner = numbers;
  };
  if (integers)
    fill(std::int64_t{1}, DType::int64);
  else
    fill(1.0F, DType::float32);
  return tensor;
}

/// One for each input; nothing where a shape is known neither from the file nor from the user.
std::optional<std::vector<Tensor>> inputs_for(const Model& model, const Shape& given) {
  std::vector<Tensor> tensors;
  for (const auto& port : model.inputs()) {
    Shape shape = port.type.shape ? *port.type.shape : given;
    if (shape.empty() && !port.type.shape) return std::nullopt;
    for (std::int64_t& size : shape)
      if (size < 0) size = 1;
    tensors.push_back(ones(shape, port.type.dtype == "int64"));
  }
  return tensors;
}

/// The first number of a tensor of float32; other tensors by their shape alone.
void print(const Tensor& tensor) {
  std::cout << " tensor of shape ";
  std::int64_t count = 1;
  for (const std::int64_t size : tensor.view.shape) std::cout << size << " ", count *= size;
  if (tensor.view.dtype != model_validator::verify::DType::float32 || count == 0) return;
  float first = 0;
  std::memcpy(&first, tensor.view.data, sizeof first);
  std::cout << "that begins with " << first;
}

void print(const Value& value) {
  if (const auto* tensor = std::get_if<Tensor>(&value.data)) print(*tensor);
  if (const auto* sequence = std::get_if<model_validator::verify::Sequence>(&value.data))
    for (const Value& item : sequence->items) print(item);
  if (const auto* dict = std::get_if<model_validator::verify::Dict>(&value.data))
    for (const auto& [key, item] : dict->items) print(item);
}

void run(const Model& model, const Shape& given) {
  std::cout << "run on ones:";
  try {
    const auto inputs = inputs_for(model, given);
    if (inputs)
      print(model.get_inference_function()(*inputs));
    else
      std::cout << " not without a shape for its inputs (--shape)";
  } catch (const model_validator::Error& error) {
    std::cout << " not possible: " << error.what() << " (" << error.hint() << ")";
  }
  std::cout << "\n\n";
}

void introspect(const Model& model, const Shape& given) {
  std::cout << "== " << model.graph().origin.path << " (" << to_string(model.graph().origin.format)
            << ")\n";
  std::cout << "the first of the model as text:\n" << model.ir().substr(0, 400) << "…\n";
  std::cout << "the first with shapes:\n" << model.typed_ir().substr(0, 400) << "…\n";
  std::cout << "operators:";
  for (const auto& [name, count] : model.operators()) std::cout << " " << name << "=" << count;
  std::cout << "\nas the file calls them:";
  for (const auto& [name, count] : model.schemas()) std::cout << " " << name << "=" << count;
  std::cout << "\n";
  print("inputs", model.input_names(), model.input_shapes(), model.input_dtypes());
  print("outputs", model.output_names(), model.output_shapes(), model.output_dtypes());
  std::cout << "parameters: " << model.parameters().elements << " numbers, "
            << model.parameters().bytes << " bytes\n";
  std::cout << "buffers: " << model.buffers().elements << " numbers, " << model.buffers().bytes
            << " bytes\n";
  const auto counts = model.multiply_accumulates();
  std::cout << "multiply-accumulates: " << counts.total << ", unknown for " << counts.unknown.size()
            << " ops\n";
  std::cout << "structural hash: " << model.structural_hash() << "\n";
  std::cout << "fingerprint: " << model.fingerprint() << "\n";
  run(model, given);
}

/// `1x3x224x224`
Shape parse_shape(std::string_view text) {
  Shape shape;
  while (!text.empty()) {
    std::int64_t size = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), size).ptr;
    shape.push_back(size);
    text.remove_prefix(std::min(text.size(), static_cast<std::size_t>(end - text.data()) + 1));
  }
  return shape;
}

} // namespace

int main(int count, char** arguments) {
  Shape given;
  for (int i = 1; i < count; ++i) {
    if (std::string_view(arguments[i]) == "--shape" && i + 1 < count) {
      given = parse_shape(arguments[++i]);
      continue;
    }
    try {
      introspect(Model(arguments[i]), given);
    } catch (const model_validator::Error& error) {
      std::cerr << error.path() << ": " << error.what() << "\n";
      return 2;
    }
  }
}
