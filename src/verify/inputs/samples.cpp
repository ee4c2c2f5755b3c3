#include "verify/inputs/input_files.h"
#include "verify/inputs/varied_sizes.h"

#include <model_validator/error.h>
#include <model_validator/verify/inputs.h>

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <unistd.h>

namespace model_validator::verify {
namespace {

std::string describe(const InputNeed& need) { return "`" + need.name + "` (" + need.type + ")"; }

std::string names_of(const std::vector<InputNeed>& needs) {
  std::vector<std::string> names;
  for (const auto& need : needs) names.push_back(describe(need));
  return names.empty() ? "no inputs" : boost::join(names, ", ");
}

/// The option for an input, by what the model declares it to be.
std::string option_for(const InputNeed& need) {
  if (need.kind == InputNeed::Kind::tensor)
    return "`--input " + need.name + "=SHAPE:DTYPE`, for example 1x3x224x224:float32";
  if (need.kind == InputNeed::Kind::number) return "`--input " + need.name + "=VALUE`";
  return "its parts with `--input " + need.name + ".0=SHAPE:DTYPE`";
}

std::string how_to_give(const std::vector<InputNeed>& missing) {
  std::vector<std::string> options;
  for (const auto& need : missing) options.push_back(option_for(need));
  return "give it with " + boost::join(options, ", ") + ", or with `--inputs FILE`";
}

Value number_from(const InputNeed& need, const std::string& text) {
  const bool truth = need.type == "bool";
  if (text == "True" || text == "true" || (truth && text == "1")) return {true};
  if (text == "False" || text == "false" || (truth && text == "0")) return {false};
  std::int64_t whole = 0;
  const auto* end = text.data() + text.size();
  if (std::from_chars(text.data(), end, whole).ptr == end && need.type != "float") return {whole};
  double real = 0;
  if (std::from_chars(text.data(), end, real).ptr == end) return {real};
  return {text};
}

std::optional<double> real_from(const Value& number) {
  if (const auto* truth = std::get_if<bool>(&number.data)) return *truth ? 1 : 0;
  if (const auto* whole = std::get_if<std::int64_t>(&number.data))
    return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&number.data)) return *real;
  return std::nullopt;
}

double memory_of_machine() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double bytes_of(DType dtype, const Shape& shape) {
  return std::accumulate(
      shape.begin(), shape.end(), static_cast<double>(element_size(dtype)),
      [](double product, std::int64_t size) { return product * static_cast<double>(size); });
}

/// This process makes the numbers, and no limit of those that run models holds it.
void require_modest(const InputNeed& need, const Shape& shape) {
  constexpr double most = 1U << 30U;
  if (const double bytes = bytes_of(*need.dtype, shape); bytes > most)
    throw Error(ErrorKind::bad_inputs, "",
                "the input " + describe(need) + ", as the file declares it, takes " +
                    std::to_string(static_cast<std::uint64_t>(bytes / (1 << 20))) + " MB",
                "give a smaller one with `--input`, or this one if you mean it");
}

Tensor random_input(const InputNeed& need, DType dtype, const Shape& shape, std::uint64_t seed,
                    const std::optional<ValueRange>& range) {
  if (bytes_of(dtype, shape) > memory_of_machine())
    throw Error(ErrorKind::bad_inputs, "",
                "the input " + describe(need) + " would not fit into this machine's memory",
                "give a smaller one with `--input`");
  return random_tensor(dtype, shape, seed, range);
}

/// @param shape  that of the specification, or of this sample
Value value_from(const InputNeed& need, const InputSpec& spec, const Shape& shape,
                 std::uint64_t seed, const std::optional<ValueRange>& range) {
  const bool shaped = !spec.shape.empty() || spec.literal == "scalar" || !spec.literal;
  if (need.kind == InputNeed::Kind::number && spec.literal) return number_from(need, *spec.literal);
  const DType dtype = spec.dtype.value_or(need.dtype.value_or(DType::float32));
  const bool wants_scalar = need.shape && need.shape->empty() && spec.literal != "scalar";
  if (wants_scalar && spec.literal)
    if (const auto number = real_from(number_from(need, *spec.literal)))
      return {random_input(need, dtype, {}, seed, ValueRange{*number, *number})};
  if (!shaped)
    throw Error(ErrorKind::bad_input_spec, "",
                "`" + *spec.literal + "` is not a shape for " + describe(need),
                "write it as " + need.name + "=1x3x224x224:float32");
  return {random_input(need, dtype, shape, seed, spec.range ? spec.range : range)};
}

/// `states.0`, `states.1` belong to the need `states`, a list.
bool is_part_of(const std::string& name, const InputNeed& need) {
  return need.kind == InputNeed::Kind::other && name.size() > need.name.size() &&
         name.compare(0, need.name.size(), need.name) == 0 && name[need.name.size()] == '.';
}

/// Fills the needs of one sample.
class Filler {
public:
  /// @param sample  its number, which is also that of its combination of sizes
  Filler(const std::vector<InputNeed>& needs, const InputOptions& options, const VariedSizes& sizes,
         std::uint64_t sample)
      : needs_(needs), options_(options), sizes_(sizes), sample_(sample), values_(needs.size()),
        filled_(needs.size(), false) {}

  void take(const NamedValues& values) {
    for (const auto& [name, value] : values)
      if (!name.empty()) place(index_of(name), name, value);
    for (const auto& [name, value] : values)
      if (name.empty()) place(next_free(), "", value);
  }

  void take(const std::vector<InputSpec>& specs) {
    for (const bool with_names : {true, false})
      for (const auto& spec : specs) {
        if (spec.name.empty() == with_names) continue;
        const auto index = with_names ? index_of(spec.name) : next_free();
        const Shape shape =
            shape_of(spec.name.empty() ? needs_[index].name : spec.name, spec.shape);
        place(index, spec.name,
              value_from(needs_[index], spec, shape, seed(counter_++), options_.range));
      }
  }

  Sample finish() {
    std::vector<InputNeed> missing;
    for (std::size_t i = 0; i < needs_.size(); ++i) {
      if (filled_[i]) continue;
      if (make_up(i))
        made_up.push_back("`" + needs_[i].name + "` " +
                          to_string(shape_of(needs_[i].name, *needs_[i].shape)) + " " +
                          to_string(*needs_[i].dtype));
      else if (needs_[i].required)
        missing.push_back(needs_[i]);
    }
    if (!missing.empty())
      throw Error(ErrorKind::missing_input, "", "the model needs " + names_of(missing),
                  how_to_give(missing));
    return std::move(values_);
  }

  bool knows(const std::string& name) const { return find(name).has_value(); }

  std::vector<std::string> made_up; ///< inputs that nobody gave

private:
  std::uint64_t seed(std::size_t input) const {
    return options_.seed * 1'000'003 + sample_ * 1009 + input;
  }

  Shape shape_of(const std::string& input, const Shape& shape) const {
    return sizes_.fit(input, shape, sample_ % sizes_.count());
  }

  std::optional<std::size_t> find(const std::string& name) const {
    for (std::size_t i = 0; i < needs_.size(); ++i)
      if (needs_[i].name == name) return i;
    for (std::size_t i = 0; i < needs_.size(); ++i)
      if (is_part_of(name, needs_[i])) return i;
    return std::nullopt;
  }

  std::size_t index_of(const std::string& name) const {
    if (const auto found = find(name)) return *found;
    throw Error(ErrorKind::unknown_input, "", "the model has no input `" + name + "`",
                "it needs " + names_of(needs_));
  }

  std::size_t next_free() const {
    const auto free = std::find(filled_.begin(), filled_.end(), false);
    if (free == filled_.end())
      throw Error(ErrorKind::unknown_input, "", "more inputs are given than the model has",
                  "it needs " + names_of(needs_));
    return static_cast<std::size_t>(free - filled_.begin());
  }

  void place(std::size_t index, const std::string& name, Value value) {
    if (name.size() > needs_[index].name.size())
      add_part(index, name, std::move(value));
    else
      values_[index] = std::move(value);
    filled_[index] = true;
  }

  void add_part(std::size_t index, const std::string& name, Value value) {
    const auto step = name.substr(needs_[index].name.size() + 1);
    const bool numbered =
        std::all_of(step.begin(), step.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    auto& target = values_[index].data;
    if (std::holds_alternative<None>(target)) {
      if (numbered)
        target = Sequence{};
      else
        target = Dict{};
    }
    if (auto* sequence = std::get_if<Sequence>(&target))
      sequence->items.push_back(std::move(value));
    else
      std::get<Dict>(target).items.emplace_back(step, std::move(value));
  }

  /// A model that says shape and dtype of an input needs no help.
  bool make_up(std::size_t index) {
    const auto& need = needs_[index];
    if (!need.shape || !need.dtype) return false;
    const Shape shape = shape_of(need.name, *need.shape);
    if (std::any_of(shape.begin(), shape.end(), [](auto size) { return size < 0; })) return false;
    require_modest(need, shape);
    values_[index] = {random_input(need, *need.dtype, shape, seed(index), options_.range)};
    return true;
  }

  const std::vector<InputNeed>& needs_;
  const InputOptions& options_;
  const VariedSizes& sizes_;
  std::uint64_t sample_;
  Sample values_;
  std::vector<bool> filled_;
  std::size_t counter_ = 0;
};

} // namespace

Sample fit_sample(const std::vector<InputNeed>& needs, const NamedValues& values) {
  const InputOptions nothing_else;
  const VariedSizes sizes(needs, {});
  Filler filler(needs, nothing_else, sizes, 0);
  const auto knows = [&](const NamedValue& value) { return filler.knows(value.name); };
  NamedValues given = values;
  if (values.size() == needs.size() && std::none_of(values.begin(), values.end(), knows))
    for (NamedValue& value : given) value.name.clear();
  filler.take(given);
  return filler.finish();
}

std::vector<Sample> make_samples(const std::vector<InputNeed>& needs, const InputOptions& options) {
  return fill_samples(needs, options).samples;
}

FilledSamples fill_samples(const std::vector<InputNeed>& needs, const InputOptions& options) {
  std::vector<InputSpec> specs;
  for (const auto& text : options.specs) specs.push_back(parse_input_spec(text));
  const auto from_files = read_input_files(options.files);
  const VariedSizes sizes(needs, options.sizes);
  const auto count = from_files.empty() ? options.samples * sizes.count() : from_files.size();
  FilledSamples filled;
  for (std::size_t i = 0; i < count; ++i) {
    Filler filler(needs, options, sizes, i);
    if (!from_files.empty()) filler.take(from_files[i]);
    filler.take(specs);
    filled.samples.push_back(filler.finish());
    if (filled.made_up.empty()) filled.made_up = filler.made_up;
  }
  return filled;
}

} // namespace model_validator::verify
