#include "verify/inputs/bound_values.h"
#include "verify/inputs/input_files.h"
#include "verify/inputs/later_values.h"
#include "verify/inputs/sample_plan.h"
#include "verify/inputs/varied_sizes.h"

#include <model_validator/data/contains.h>
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

/// A shape that the input could have: `2x7`.
std::string shape_for(const InputNeed& need) {
  if (!need.shape) return need.meaning.role == InputRole::rows ? "2x7" : "1x3x224x224";
  std::vector<std::string> sizes;
  for (const std::int64_t size : *need.shape) sizes.push_back(std::to_string(size < 0 ? 2 : size));
  return sizes.empty() ? "scalar" : boost::join(sizes, "x");
}

/// The option for an input, by what the model declares it to be.
std::string option_for(const InputNeed& need) {
  const InputRole role = need.meaning.role;
  const bool whole =
      role == InputRole::rows || role == InputRole::positions || role == InputRole::padding_mask;
  const auto dtype = need.dtype.value_or(whole ? DType::int64 : DType::float32);
  const std::string type = shape_for(need) + ":" + to_string(dtype);
  if (need.kind == InputNeed::Kind::tensor) return "--input " + need.name + "=" + type;
  if (need.kind == InputNeed::Kind::number) return "--input " + need.name + "=1";
  return "--input " + need.name + ".0=" + type;
}

std::string how_to_give(const std::vector<InputNeed>& missing) {
  std::vector<std::string> options;
  for (const auto& need : missing) options.push_back(option_for(need));
  return "give it, in its own shape, as in `" + boost::join(options, " ") +
         "`, or with `--inputs FILE`";
}

Value number_from(const InputNeed& need, const std::string& text) {
  const bool truth = need.type == "bool";
  if (contains({"True", "true"}, text) || (truth && text == "1")) return {true};
  if (contains({"False", "false"}, text) || (truth && text == "0")) return {false};
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

Tensor random_input(const InputNeed& need, DType dtype, const Shape& shape, const Scene& scene,
                    std::uint64_t seed, const std::optional<ValueRange>& range) {
  if (bytes_of(dtype, shape) > memory_of_machine())
    throw Error(ErrorKind::bad_inputs, "",
                "the input " + describe(need) + " would not fit into this machine's memory",
                "give a smaller one with `--input`");
  return meaningful_tensor(need, dtype, shape, scene, seed, range);
}

/// @param shape  that of the specification, or of this sample
Value value_from(const InputNeed& need, const InputSpec& spec, const Shape& shape,
                 const Scene& scene, std::uint64_t seed, const std::optional<ValueRange>& range) {
  const bool shaped = !spec.shape.empty() || spec.literal == "scalar" || !spec.literal;
  if (need.kind == InputNeed::Kind::number && spec.literal) return number_from(need, *spec.literal);
  const DType dtype = spec.dtype.value_or(need.dtype.value_or(DType::float32));
  const bool wants_scalar = need.shape && need.shape->empty() && spec.literal != "scalar";
  if (wants_scalar && spec.literal)
    if (const auto number = real_from(number_from(need, *spec.literal)))
      return {random_input(need, dtype, {}, scene, seed, ValueRange{*number, *number})};
  if (!shaped)
    throw Error(ErrorKind::bad_input_spec, "",
                "`" + *spec.literal + "` is not a shape for " + describe(need),
                "write it as " + need.name + "=1x3x224x224:float32");
  return {random_input(need, dtype, shape, scene, seed, spec.range ? spec.range : range)};
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
         std::uint64_t sample, SamplePlan plan)
      : needs_(needs), options_(options), sizes_(sizes), sample_(sample), plan_(std::move(plan)),
        values_(needs.size()), filled_(needs.size(), false) {}

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
        place(
            index, spec.name,
            value_from(needs_[index], spec, shape, plan_.scene, seed(counter_++), options_.range));
      }
  }

  Sample finish() {
    std::vector<InputNeed> missing;
    for (std::size_t i = 0; i < needs_.size(); ++i) {
      if (filled_[i]) continue;
      if (make_up(i))
        made_up.push_back(made_up_in_words(needs_[i]));
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
  std::string made_up_in_words(const InputNeed& need) const {
    if (need.kind == InputNeed::Kind::number) return "`" + need.name + "` " + need.type;
    return "`" + need.name + "` " + to_string(*free_shape_of(need)) + " " + to_string(*need.dtype);
  }

  std::uint64_t seed(std::size_t input) const {
    return options_.seed * 1'000'003 + sample_ * 1009 + input;
  }

  Shape shape_of(const std::string& input, const Shape& shape) const {
    return sizes_.fit(input, shape, sample_ % sizes_.count());
  }

  /// With the sizes of this sample for those that the file leaves free.
  std::optional<Shape> free_shape_of(const InputNeed& need) const {
    const auto shape = plan_.sizes.shape_of(need);
    return shape ? std::optional(shape_of(need.name, *shape)) : std::nullopt;
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
    const auto free = std::ranges::find(filled_, false);
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
        std::ranges::all_of(step, [](unsigned char c) { return std::isdigit(c) != 0; });
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
    if (need.kind == InputNeed::Kind::number) return make_up_number(index);
    const auto shape = need.dtype ? free_shape_of(need) : std::nullopt;
    if (!shape) return false;
    require_modest(need, *shape);
    values_[index] = {
        random_input(need, *need.dtype, *shape, plan_.scene, seed(index), options_.range)};
    return true;
  }

  /// One that the graph holds to something takes what is on either side of that.
  bool make_up_number(std::size_t index) {
    const auto& need = needs_[index];
    const auto dtype = need.required ? dtype_of_number(need) : std::nullopt;
    const auto values =
        dtype ? values_to_try(need, *dtype, Values::at_bounds) : std::vector<double>{};
    if (values.empty()) return false;
    const double value = values[plan_.scene.round % values.size()];
    if (*dtype == DType::bool_) values_[index] = {value != 0};
    if (*dtype == DType::int64) values_[index] = {static_cast<std::int64_t>(value)};
    if (*dtype == DType::float64) values_[index] = {value};
    return true;
  }

  const std::vector<InputNeed>& needs_;
  const InputOptions& options_;
  const VariedSizes& sizes_;
  std::uint64_t sample_;
  SamplePlan plan_;
  Sample values_;
  std::vector<bool> filled_;
  std::size_t counter_ = 0;
};

/// The needs, with the shapes and dtypes that are given for those that declare none.
class GivenShapes {
public:
  GivenShapes(std::vector<InputNeed> needs, const std::vector<InputSpec>& specs,
              const NamedValues& values)
      : needs_(std::move(needs)) {
    std::size_t next = 0; // of those without a name
    const auto named = [&](const std::string& name) -> InputNeed* {
      if (needs_.empty()) return nullptr;
      if (name.empty()) return &needs_[std::min(next++, needs_.size() - 1)];
      const auto found = std::ranges::find(needs_, name, &InputNeed::name);
      return found == needs_.end() ? nullptr : &*found;
    };
    for (const InputSpec& spec : specs) {
      InputNeed* need = named(spec.name);
      if (need == nullptr || spec.shape.empty()) continue;
      give(*need, spec.shape);
      need->dtype = spec.dtype.value_or(need->dtype.value_or(DType::float32));
    }
    next = 0;
    for (const auto& [name, value] : values) {
      InputNeed* need = named(name);
      const auto* tensor = std::get_if<Tensor>(&value.data);
      if (need != nullptr && tensor != nullptr) give(*need, tensor->view.shape);
    }
  }

  /// The free sizes, fixed as the given shapes have them.
  SampleSizes sizes() const {
    SampleSizes sizes(needs_);
    for (const auto& [name, size] : fixed_)
      if (sizes.find(name) == name) sizes.fix(name, size);
    return sizes;
  }
  const std::vector<InputNeed>& needs() const { return needs_; }

private:
  void give(InputNeed& need, const Shape& shape) {
    if (need.kind != InputNeed::Kind::tensor) return;
    if (!need.shape) need.shape = shape;
    for (std::size_t d = 0; d < need.shape->size() && d < shape.size(); ++d) {
      const bool named = d < need.symbols.size() && !need.symbols[d].empty();
      if (named || (*need.shape)[d] < 0)
        fixed_[named ? need.symbols[d] : need.name + "." + std::to_string(d)] = shape[d];
    }
  }

  std::vector<InputNeed> needs_;
  KnownSizes fixed_;
};

/// What the files hold, by the names of the inputs.
std::vector<NamedValues> values_of(const InputOptions& options,
                                   const std::vector<InputNeed>& needs) {
  const auto is_input = [&](const std::string& name) {
    return std::ranges::find(needs, name, &InputNeed::name) != needs.end();
  };
  auto samples = read_input_files(options.files);
  for (NamedValues& values : samples)
    for (auto value = values.begin(); value != values.end();) {
      const auto other = options.other_names.find(value->name);
      if (other == options.other_names.end() || is_input(value->name)) {
        ++value;
      } else if (other->second.empty()) {
        value = values.erase(value);
      } else {
        (value++)->name = other->second;
      }
    }
  return samples;
}

std::vector<InputSpec> specs_of(const InputOptions& options) {
  std::vector<InputSpec> specs;
  for (const auto& text : options.specs) specs.push_back(parse_input_spec(text));
  return specs;
}

void add_sample(FilledSamples& filled, Filler& filler, const SamplePlan& plan) {
  filled.samples.push_back(filler.finish());
  filled.shapes.push_back({plan.name, plan.scene, plan.sizes.all()});
  if (filled.made_up.empty()) filled.made_up = filler.made_up;
}

} // namespace

Sample fit_sample(const std::vector<InputNeed>& needs, const NamedValues& values) {
  const InputOptions nothing_else;
  const VariedSizes sizes(needs, {});
  Filler filler(needs, nothing_else, sizes, 0, plain_sample(SampleSizes(needs)));
  const auto knows = [&](const NamedValue& value) { return filler.knows(value.name); };
  NamedValues given = values;
  if (values.size() == needs.size() && std::ranges::none_of(values, knows))
    for (NamedValue& value : given) value.name.clear();
  filler.take(given);
  return filler.finish();
}

std::vector<Sample> make_samples(const std::vector<InputNeed>& needs, const InputOptions& options) {
  return fill_samples(needs, options).samples;
}

FilledSamples fill_samples(const std::vector<InputNeed>& needs, const InputOptions& options) {
  const auto specs = specs_of(options);
  const auto from_files = values_of(options, needs);
  const VariedSizes sizes(needs, options.sizes);
  const auto count = from_files.empty() ? options.samples * sizes.count() : from_files.size();
  FilledSamples filled;
  for (std::size_t i = 0; i < count; ++i) {
    const GivenShapes given(needs, specs, from_files.empty() ? NamedValues{} : from_files[i]);
    SampleSizes free = given.sizes();
    sizes.fix(free, i % sizes.count());
    const SamplePlan plan = plain_sample(free);
    Filler filler(needs, options, sizes, i, plan);
    if (!from_files.empty()) filler.take(from_files[i]);
    filler.take(specs);
    add_sample(filled, filler, plan);
  }
  return filled;
}

FilledSamples sample_of(const std::vector<InputNeed>& needs, const InputOptions& options,
                        std::int64_t sequence, std::int64_t past) {
  const VariedSizes sizes(needs, options.sizes);
  SampleSizes free(needs);
  sizes.fix(free, 0);
  for (const std::string& name : free.names(SizeRole::sequence)) free.set(name, sequence);
  for (const std::string& name : free.names(SizeRole::past)) free.set(name, past);
  const SamplePlan plan = plain_sample(free);
  Filler filler(needs, options, sizes, 0, plan);
  FilledSamples filled;
  add_sample(filled, filler, plan);
  return filled;
}

std::vector<Sample> later_samples(const std::vector<InputNeed>& needs, const InputOptions& options,
                                  const std::vector<SampleShape>& shapes, std::size_t step) {
  constexpr std::size_t apart = 1000; // so that no two calls have the same numbers
  const auto specs = specs_of(options);
  const auto from_files = values_of(options, needs);
  const VariedSizes sizes(needs, options.sizes);
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const GivenShapes given(needs, specs, from_files.empty() ? NamedValues{} : from_files.at(i));
    SamplePlan plan = plain_sample(given.sizes());
    for (const auto& [name, size] : shapes[i].sizes)
      if (plan.sizes.find(name) == name) plan.sizes.fix(name, size);
    plan.scene = shapes[i].scene;
    plan.scene.past += static_cast<std::int64_t>(step) * plan.scene.sequence;
    Filler filler(needs, options, sizes, i + step * apart * sizes.count(), plan);
    if (!from_files.empty()) filler.take(moved_on(from_files.at(i), step));
    filler.take(specs);
    samples.push_back(filler.finish());
  }
  return samples;
}

bool leaves_samples_open(const std::vector<InputNeed>& needs, const InputOptions& options) {
  return options.files.empty() && options.samples == 1 &&
         VariedSizes(needs, options.sizes).count() == 1;
}

std::optional<FilledSamples> standard_samples(const std::vector<InputNeed>& needs,
                                              const InputOptions& options, std::uint64_t file_bytes,
                                              std::size_t attempt) {
  const auto specs = specs_of(options);
  const VariedSizes sizes(needs, options.sizes);
  const GivenShapes given(needs, specs, {});
  SampleSizes free = given.sizes();
  sizes.fix(free, 0);
  if (attempt > 0) {
    auto others = other_sizes(free);
    if (attempt > others.size()) return std::nullopt;
    free = std::move(others[attempt - 1]);
  }
  FilledSamples filled;
  for (const SamplePlan& plan : plan_samples(given.needs(), free, file_bytes)) {
    Filler filler(needs, options, sizes, filled.samples.size(), plan);
    filler.take(specs);
    add_sample(filled, filler, plan);
  }
  return filled;
}

} // namespace model_validator::verify
