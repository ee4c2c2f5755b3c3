#include "verify/command/input_agreement.h"

#include "text/lists.h"
#include "verify/command/channel_layout.h"
#include "verify/inputs/dtype_range.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

const Tensor* tensor_of(const Value& value) { return std::get_if<Tensor>(&value.data); }

std::string in_words(DType dtype, const Shape& shape) {
  std::string sizes;
  for (const std::int64_t size : shape)
    sizes += (sizes.empty() ? "" : ", ") + (size < 0 ? "?" : std::to_string(size));
  return std::string(to_string(dtype)) + " [" + sizes + "]";
}

bool fits(const InputNeed& need, const Value& value) {
  const Tensor* tensor = tensor_of(value);
  if (tensor == nullptr || !need.dtype || !need.shape) return true;
  const DType given = tensor->view.dtype;
  return (facts_of(*need.dtype).kind == facts_of(given).kind || holds_all_of(*need.dtype, given)) &&
         need.shape->size() == tensor->view.shape.size();
}

/// Whether every size that the file fixes is the given one.
bool fits_sizes(const InputNeed& need, const Value& value) {
  const Tensor* tensor = tensor_of(value);
  if (tensor == nullptr || !need.dtype || !need.shape) return true;
  return may_be_equal(*need.shape, tensor->view.shape);
}

InputNeed laid_out_like(const Value& value, InputNeed need) {
  const Tensor* tensor = tensor_of(value);
  if (tensor != nullptr && need.shape) need.shape = in_layout_of(tensor->view.shape, *need.shape);
  return need;
}

/// `1x3x224x224:float32`, with a size for each that is free.
std::string specification_of(const InputNeed& need) {
  std::string sizes;
  for (const std::int64_t size : *need.shape)
    sizes += (sizes.empty() ? "" : "x") + std::to_string(size < 0 ? 1 : size);
  return (sizes.empty() ? "scalar" : sizes) + ":" + to_string(*need.dtype);
}

std::vector<std::string> names_of_all(const std::vector<InputNeed>& needs) {
  std::vector<std::string> names;
  for (const InputNeed& need : needs) names.push_back("`" + need.name + "`");
  return names;
}

std::size_t required(const std::vector<InputNeed>& needs) {
  return static_cast<std::size_t>(
      std::ranges::count_if(needs, [](const auto& need) { return need.required; }));
}

std::string inputs_of(const DeclaredInputs& model) {
  return "`" + model.path + "` takes " +
         (model.needs.empty() ? "no input" : list_in_words(names_of_all(model.needs)));
}

[[noreturn]] void refuse_value(const std::string& file, const InputNeed& need,
                               const TensorView& given, const std::string& otherwise = {}) {
  throw Error(ErrorKind::bad_inputs, file,
              "the input `" + need.name + "` is " + in_words(*need.dtype, *need.shape) +
                  " in the file, but " + in_words(given.dtype, given.shape) + " is given",
              "give it as `--input " + need.name + "=" + specification_of(need) + "`" + otherwise);
}

[[noreturn]] void refuse_pair(const std::string& cause, const std::string& otherwise = {}) {
  throw Error(ErrorKind::bad_inputs, "", "the two models take different inputs: " + cause,
              "name two files of one model" + otherwise);
}

/// The reference's input that becomes one of the candidate's: the one of its name where all have
/// theirs there, else the one in its place.
std::size_t source_of(const DeclaredInputs& reference, const DeclaredInputs& candidate,
                      std::size_t index) {
  const auto at = [&](const InputNeed& wanted) {
    return std::ranges::find(reference.needs, wanted.name, &InputNeed::name);
  };
  const bool by_name = std::ranges::all_of(
      candidate.needs, [&](const auto& need) { return at(need) != reference.needs.end(); });
  if (!by_name) return index;
  return static_cast<std::size_t>(at(candidate.needs[index]) - reference.needs.begin());
}

} // namespace

void require_declared(const DeclaredInputs& model, const Sample& sample) {
  for (std::size_t i = 0; i < std::min(model.needs.size(), sample.size()); ++i) {
    const InputNeed& need = model.needs[i];
    if (fits(need, sample[i])) continue;
    refuse_value(model.path, need, tensor_of(sample[i])->view);
  }
}

void require_same_inputs(const DeclaredInputs& reference, const DeclaredInputs& candidate,
                         const Sample& sample) {
  if (required(candidate.needs) > reference.needs.size())
    refuse_pair(inputs_of(reference) + ", " + inputs_of(candidate));
  if (candidate.needs.size() != reference.needs.size()) return;
  for (std::size_t i = 0; i < candidate.needs.size(); ++i) {
    InputNeed need = candidate.needs[i];
    const std::size_t source = source_of(reference, candidate, i);
    if (source >= sample.size()) continue;
    if (candidate.has_any_layout) need = laid_out_like(sample[source], std::move(need));
    if (fits_sizes(need, sample[source])) continue;
    const TensorView& given = tensor_of(sample[source])->view;
    const auto& own = reference.needs[source].shape;
    const bool may_agree = !own || !need.shape || may_be_equal(*own, *need.shape);
    if (may_agree && fits(need, sample[source]))
      refuse_value(candidate.path, need, given, ", or export the model with sizes that are free");
    refuse_pair("`" + need.name + "` of `" + candidate.path + "` is " +
                    in_words(*need.dtype, *need.shape) + ", and `" + reference.needs[source].name +
                    "`, which the reference is run with, " + in_words(given.dtype, given.shape),
                may_agree ? ", or give the input as `--input " + reference.needs[source].name +
                                "=" + specification_of(need) + "`"
                          : "");
  }
}

} // namespace model_validator::verify
