// Prints everything that the library knows of a model: introspection MODEL...
#include <model_validator/error.h>
#include <model_validator/model.h>

#include <iostream>

namespace {

using model_validator::Model;

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

void introspect(const Model& model) {
  std::cout << "== " << model.graph().origin.path << " (" << model.graph().origin.format << ")\n";
  std::cout << "the first of the model as text:\n" << model.ir().substr(0, 400) << "…\n";
  std::cout << "the first with shapes:\n" << model.typed_ir().substr(0, 400) << "…\n";
  std::cout << "operators:";
  for (const auto& [name, count] : model.operators()) std::cout << " " << name << "=" << count;
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
  std::cout << "fingerprint: " << model.fingerprint() << "\n\n";
}

} // namespace

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    try {
      introspect(Model(arguments[i]));
    } catch (const model_validator::Error& error) {
      std::cerr << error.path() << ": " << error.what() << "\n";
      return 2;
    }
  }
}
