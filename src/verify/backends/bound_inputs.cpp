#include "verify/backends/bound_inputs.h"

#include "text/lists.h"
#include "verify/run/signature.h"

#include <model_validator/data/contains.h>
#include <model_validator/error.h>
#include <model_validator/verify/verify.h>

#include <ATen/ATen.h>
#include <boost/algorithm/string/replace.hpp>

#include <algorithm>

namespace model_validator::verify {
namespace {

using Note = std::function<void(const std::string&)>;

template <class Named> std::string names_of(const std::vector<Named>& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back("`" + item.name + "`");
  return names.empty() ? "none" : list_in_words(names);
}

/// The given inputs by port; none for those that nothing given is called like.
std::vector<const NamedTensor*> called_like(const std::vector<InputPort>& ports,
                                            const NamedTensors& given) {
  std::vector<const NamedTensor*> chosen;
  for (const InputPort& port : ports) {
    const auto found = std::ranges::find_if(given, [&](const NamedTensor& input) {
      return port.name == input.name || contains(port.other_names, input.name);
    });
    const bool is_there = found != given.end() && !contains(chosen, &*found);
    chosen.push_back(is_there ? &*found : nullptr);
  }
  return chosen;
}

/// In the order of the ports.
std::vector<const NamedTensor*> matched(const std::vector<InputPort>& ports,
                                        const NamedTensors& given, const Note& note) {
  auto chosen = called_like(ports, given);
  std::vector<const NamedTensor*> left;
  for (const NamedTensor& input : given)
    if (!contains(chosen, &input)) left.push_back(&input);
  const auto open = std::ranges::count(chosen, nullptr);
  if (open == 0) {
    for (const NamedTensor* input : left)
      if (note)
        note("the compiled model has no input `" + input->name +
             "`: nothing of it is left but what was worked out when it was compiled");
    return chosen;
  }
  if (static_cast<std::size_t>(open) != left.size())
    throw Error(ErrorKind::bad_inputs, "",
                "the compiled model expects the inputs " + names_of(ports) + " but is given " +
                    names_of(given));
  auto next = left.begin();
  for (const NamedTensor*& input : chosen)
    if (input == nullptr) input = *next++;
  return chosen;
}

/// A port without dimensions is a scalar or does not say.
bool fits(const InputPort& port, const Shape& given) {
  return port.shape.empty() ||
         std::ranges::equal(port.shape, given, [](std::int64_t fixed, auto size) {
           return fixed < 0 || fixed == size;
         });
}

NamedTensor laid_out(const InputPort& port, const NamedTensor& given, const Note& note) {
  const Shape& shape = given.tensor.view.shape;
  constexpr std::size_t least_dimensions = 3;
  if (!port.has_any_layout || fits(port, shape) || shape.size() < least_dimensions) return given;
  Tensor moved = to_tensor(to_torch(given.tensor).movedim(1, -1).contiguous());
  if (!fits(port, moved.view.shape)) return given;
  if (note)
    note("the input `" + given.name + "` is given with its channels last, as the file declares it");
  return {given.name, std::move(moved)};
}

void require_shape(const InputPort& port, const Shape& given) {
  if (fits(port, given)) return;
  throw Error(ErrorKind::bad_inputs, "",
              "the input `" + port.name + "` is " +
                  boost::replace_all_copy(to_string(port.shape), "-1", "N") +
                  " in the compiled model but " + to_string(given) + " is given",
              "give inputs of that shape, or export the model with dynamic sizes");
}

bool is_real(DType dtype) { return is_integral(dtype) || is_floating(dtype); }

} // namespace

Tensor as_declared(const NamedTensor& input, std::optional<DType> declared, const Note& note) {
  const DType dtype = input.tensor.view.dtype;
  if (!declared || *declared == dtype || !is_real(dtype) || !is_real(*declared))
    return input.tensor;
  const at::Tensor before = to_torch(input.tensor);
  const at::Tensor after =
      before.to(static_cast<c10::ScalarType>(facts_of(*declared).torch)).contiguous();
  const bool rounds = is_floating(dtype) && is_floating(*declared);
  if (!rounds && !at::equal(before, after.to(before.scalar_type())))
    throw Error(ErrorKind::bad_inputs, "",
                "the input `" + input.name + "` is " + to_string(*declared) +
                    " in one of the files, which cannot hold all of the numbers given",
                "give values that both can hold, such as `--input " + input.name +
                    "=SHAPE:" + to_string(*declared) + "`");
  if (note)
    note("the input `" + input.name + "` is " + to_string(dtype) + ", and is given as " +
         to_string(*declared) + " to the file that declares it so");
  return to_tensor(after);
}

NamedTensors bound_inputs(const std::vector<InputPort>& ports, const NamedTensors& given,
                          const Note& note) {
  NamedTensors bound;
  const auto chosen = matched(ports, given, note);
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const NamedTensor input = laid_out(ports[i], *chosen[i], note);
    require_shape(ports[i], input.tensor.view.shape);
    bound.push_back({ports[i].name, as_declared(input, ports[i].dtype, note)});
  }
  return bound;
}

} // namespace model_validator::verify
