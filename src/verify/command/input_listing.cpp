#include "verify/command/input_listing.h"

#include "text/columns.h"
#include "text/escape.h"
#include "text/grouped_names.h"
#include "verify/compare/words.h"
#include "verify/inputs/npz.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/join.hpp>

namespace model_validator::verify {
namespace {

std::string size_text(const InputNeed& need, std::size_t dimension) {
  if (dimension < need.symbols.size() && !need.symbols[dimension].empty())
    return need.symbols[dimension];
  const std::int64_t size = (*need.shape)[dimension];
  return size < 0 ? "?" : std::to_string(size);
}

std::string type_text(const InputNeed& need) {
  if (!need.shape && !need.dtype) return need.type;
  std::vector<std::string> sizes;
  for (std::size_t d = 0; need.shape && d < need.shape->size(); ++d)
    sizes.push_back(size_text(need, d));
  return (need.dtype ? std::string(to_string(*need.dtype)) : "?") + "[" +
         (need.shape ? boost::join(sizes, ", ") : "?") + "]";
}

std::string meaning_text(const InputNeed& need) {
  const InputMeaning& meaning = need.meaning;
  if (need.kind != InputNeed::Kind::tensor) return "no tensor";
  if (meaning.calibrated)
    return "numbers of the range that the copy is calibrated for: " +
           number(meaning.calibrated->low, 3) + ".." + number(meaning.calibrated->high, 3);
  if (meaning.role == InputRole::unknown) return "any numbers";
  return to_string(meaning.role) + std::string(meaning.hides ? ", one where it is: " : ": ") +
         meaning.why;
}

std::string sizes_text(const SampleShape& shape) {
  std::vector<std::string> sizes;
  for (const auto& [name, size] : shape.sizes) sizes.push_back(name + "=" + std::to_string(size));
  return boost::join(sizes, ",");
}

} // namespace

NamedTensors tensors_of_sample(const Sample& sample, const std::vector<std::string>& names) {
  NamedTensors tensors;
  for (const auto& [path, value] : flatten(Value{Sequence{sample, names}}))
    tensors.push_back({path, as_tensor(value)});
  return tensors;
}

std::string list_inputs(const ComparedPair& pair) {
  std::vector<std::string> names, kinds;
  for (const InputNeed& need : pair.reference.needs) {
    names.push_back(need.name);
    kinds.push_back(type_text(need) + meaning_text(need));
  }
  std::vector<std::vector<std::string>> rows;
  for (const NameGroup& group : group_names(names, kinds)) {
    const InputNeed& need = pair.reference.needs[group.members.front()];
    rows.push_back({escape(group.name), escape(type_text(need)), escape(meaning_text(need))});
  }
  std::string text = escape(pair.request.reference.string()) + "\n\ninputs\n";
  for (const std::string& line : align_columns(rows, {false, false, false}))
    text += "  " + line + "\n";
  text += "\nsamples\n";
  for (std::size_t i = 0; i < pair.shapes.size(); ++i) {
    const SampleShape& shape = pair.shapes[i];
    const std::string sizes = sizes_text(shape);
    text += "  " + std::to_string(i) + "  " +
            (shape.name.empty() ? "values at random" : escape(shape.name)) +
            (sizes.empty() ? "" : "  --sizes " + escape(sizes)) + "\n";
  }
  return text;
}

std::string write_inputs(const ComparedPair& pair) {
  const std::filesystem::path& path = pair.request.write_inputs;
  if (path.extension() == ".npz") {
    write_npz(path, tensors_of_sample(pair.samples.front(), pair.input_names));
    return "wrote the inputs of one sample to " + escape(path.string()) + "\n";
  }
  std::filesystem::create_directories(path);
  for (std::size_t i = 0; i < pair.samples.size(); ++i)
    write_npz(path / (std::to_string(i) + ".npz"),
              tensors_of_sample(pair.samples[i], pair.input_names));
  return "wrote the inputs of " + std::to_string(pair.samples.size()) + " sample(s) to " +
         escape(path.string()) + "\n";
}

} // namespace model_validator::verify
