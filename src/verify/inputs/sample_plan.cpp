#include "verify/inputs/sample_plan.h"

#include "verify/inputs/bound_values.h"

#include <model_validator/data/contains.h>

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <map>
#include <numeric>

namespace model_validator::verify {
namespace {

bool any_of_role(const std::vector<InputNeed>& needs, InputRole role) {
  return std::ranges::any_of(needs,
                             [&](const InputNeed& need) { return need.meaning.role == role; });
}

void count_elements(SamplePlan& plan) {
  plan.scene.sequence = plan.sizes.sequence();
  plan.scene.past = plan.sizes.past();
  plan.scene.longest = plan.sizes.longest();
}

/// Makes plans from the sizes that are free.
class Planner {
public:
  Planner(const std::vector<InputNeed>& needs, const SampleSizes& sizes, std::uint64_t file_bytes)
      : needs_(needs), sizes_(sizes), file_bytes_(file_bytes), has_mask_(has_mask_of_padding()),
        has_past_(!sizes.names(SizeRole::past).empty()) {}

  std::vector<SamplePlan> plans() {
    if (has_past_)
      add_past();
    else
      add("");
    add_padding();
    add_every_row();
    add_saturated();
    add_other_size();
    add_shorter_sequences();
    add_sizes_at_bounds();
    add_bounds();
    return std::move(plans_);
  }

private:
  bool has_mask_of_padding() const {
    return std::ranges::any_of(needs_, [](const InputNeed& need) {
      return need.meaning.role == InputRole::padding_mask && need.shape && need.shape->size() >= 2;
    });
  }

  bool is_counted() const {
    return any_of_role(needs_, InputRole::last_positions) ||
           std::ranges::any_of(needs_, [](const InputNeed& need) { return need.meaning.counted; });
  }

  /// Whether the file gives an example of free sizes, which it is sure to take.
  bool has_example() const {
    return std::ranges::any_of(needs_, [](const InputNeed& need) {
      for (std::size_t d = 0; need.shape && d < need.symbols.size() && d < need.shape->size(); ++d)
        if (!need.symbols[d].empty() && (*need.shape)[d] >= 0) return true;
      return false;
    });
  }

  /// A plan in which sizes of some roles are others.
  SamplePlan with(std::initializer_list<std::pair<SizeRole, std::int64_t>> sizes) const {
    SamplePlan plan{"", {}, sizes_};
    for (const auto& [role, size] : sizes) plan.sizes.suggest(role, size);
    count_elements(plan);
    return plan;
  }

  void add(const std::string& name) { add(with({}), name); }

  /// Sizes that the user fixed may make it the same as another.
  void add(SamplePlan plan, const std::string& name) {
    plan.name = name;
    plans_.push_back(std::move(plan));
  }

  void add_past() {
    const SamplePlan prompt = with({{SizeRole::past, 0}});
    if (prompt.scene.past == 0) add(prompt, "a prompt of " + elements(prompt.scene.sequence));
    const SamplePlan next = with({{SizeRole::sequence, 1}});
    if (next.scene.past > 0) add(next, elements(next.scene.sequence) + " after " + past(next));
    const SamplePlan example = with({});
    if (has_example() && example.scene.past > 0)
      add(example, elements(example.scene.sequence) + " after " + past(example));
    const SamplePlan more =
        with({{SizeRole::batch, 1}, {SizeRole::sequence, 3}, {SizeRole::past, 6}});
    if (more.scene.past > 0 && more.sizes.all() != next.sizes.all())
      add(more, elements(more.scene.sequence) + " after " + past(more));
  }

  static std::string elements(std::int64_t count) {
    return count == 1 ? "one element" : std::to_string(count) + " elements";
  }
  static std::string past(const SamplePlan& plan) {
    return "a past of " + std::to_string(plan.scene.past);
  }

  void add_padding() {
    if (!has_mask_) return;
    SamplePlan left = has_past_ && !has_example() ? with({{SizeRole::sequence, 1}}) : with({});
    const bool kept = left.scene.past > 1;
    left.scene.padding = Padding::left;
    left.scene.padded =
        kept ? std::min<std::int64_t>(left.scene.past - 1, 2) : left.scene.sequence / 3;
    if (!is_counted() && left.scene.padded > 0) add(left, "padding on the left");
    SamplePlan right = with({{SizeRole::past, 0}});
    right.scene.padding = Padding::right;
    right.scene.padded = right.scene.sequence / 3;
    if (right.scene.padded > 0 && right.scene.past == 0) add(right, "padding on the right");
  }

  /// As many rows as the model reads in a second or so.
  void add_every_row() {
    std::int64_t rows = 0;
    for (const InputNeed& need : needs_)
      if (need.meaning.role == InputRole::rows) rows = std::max(rows, need.meaning.rows);
    constexpr std::int64_t few = 4, most_values = 1 << 24, products = std::int64_t{1} << 31;
    if (rows < few) return;
    const auto weights = std::max<std::int64_t>(static_cast<std::int64_t>(file_bytes_ / 4), 1);
    const std::int64_t read = std::min({rows, products / weights, most_values / rows});
    constexpr std::int64_t line = 16;
    const SamplePlan plan = with({{SizeRole::batch, (read + line - 1) / line},
                                  {SizeRole::sequence, line},
                                  {SizeRole::past, 0}});
    if (read < line || plan.scene.past > 0 || plan.scene.sequence != line) return;
    SamplePlan all = plan;
    all.scene.first_row = 0;
    add(all, read >= rows ? "every row of the table"
                          : "the first " + std::to_string(read) + " of " + std::to_string(rows) +
                                " rows of the table");
  }

  void add_saturated() {
    if (!any_of_role(needs_, InputRole::image) && !any_of_role(needs_, InputRole::sound)) return;
    SamplePlan plan = with({{SizeRole::batch, 1}});
    plan.scene.values = Values::saturated;
    add(plan, "constant areas, and values at their limits");
  }

  void add_other_size() {
    if (has_past_) return;
    const SamplePlan plan = with({{SizeRole::batch, 3}, {SizeRole::sequence, 6}});
    if (plan.sizes.all() != sizes_.all()) add(plan, "another size");
  }

  void add_shorter_sequences() {
    if (!any_of_role(needs_, InputRole::lengths)) return;
    SamplePlan plan = with({});
    plan.scene.padding = Padding::right;
    plan.scene.padded = plan.scene.longest / 3;
    if (plan.scene.padded > 0) add_extra(std::move(plan), "shorter sequences");
  }

  // ---- what the graph asks for

  /// Elements of an input, and the type that it has.
  std::optional<DType> dtype_of(const InputNeed& need) const {
    if (need.kind == InputNeed::Kind::tensor) return need.dtype;
    if (need.kind == InputNeed::Kind::other) return std::nullopt;
    return dtype_of_number(need);
  }

  std::int64_t elements_of(const InputNeed& need) const {
    if (need.kind == InputNeed::Kind::number) return 1;
    const auto shape = sizes_.shape_of(need);
    return shape
               ? std::accumulate(shape->begin(), shape->end(), std::int64_t{1}, std::multiplies<>())
               : 0;
  }

  /// In how many samples all values of that kind are tried.
  std::size_t rounds(Values kind) const {
    std::size_t most = 0;
    for (const InputNeed& need : needs_) {
      const auto dtype = dtype_of(need);
      if (!dtype || !need.required) continue;
      most =
          std::max(most, rounds_for(values_to_try(need, *dtype, kind).size(), elements_of(need)));
    }
    return most;
  }

  /// Whether the graph says that of an input of real numbers, or of flags.
  bool any_reals(bool InputMeaning::*said) const {
    return std::ranges::any_of(needs_, [&](const InputNeed& need) {
      return need.meaning.*said && need.dtype && !need.meaning.calibrated &&
             (is_floating(*need.dtype) || *need.dtype == DType::bool_);
    });
  }

  /// What is worth trying, and is left out where the reference does not run with it.
  void add_extra(SamplePlan plan, const std::string& name) {
    if (extras_ == max_extras()) return;
    ++extras_;
    plan.scene.extra = true;
    add(std::move(plan), name);
  }

  /// So many samples of their kind as a large model runs in some seconds.
  std::size_t max_extras() const {
    constexpr std::uint64_t bytes = std::uint64_t{1} << 31, fewest = 2, most = 12;
    return std::clamp(bytes / std::max<std::uint64_t>(file_bytes_, 1), fewest, most);
  }

  void add_values(Values kind, const std::string& name) {
    constexpr std::size_t most = 6;
    const std::size_t count = std::min(rounds(kind), most);
    for (std::size_t round = 0; round < count; ++round) {
      SamplePlan plan = plain_sample(sizes_);
      plan.scene.values = kind;
      plan.scene.round = round;
      add_extra(plan, name);
    }
  }

  void add_bounds() {
    add_values(Values::at_bounds, "values on both sides of bounds");
    add_values(Values::with_nan, "NaN among the values");
    add_values(Values::negative, "negative numbers");
    add_values(Values::beyond_32_bits, "numbers beyond 32 bits");
    if (any_reals(&InputMeaning::magnitudes))
      add_reals(Values::magnitudes, 0, "large values, and small ones");
    if (!any_reals(&InputMeaning::decides)) return;
    add_reals(Values::one_sign, 0, "positive numbers");
    add_reals(Values::one_sign, 1, "negative numbers");
  }

  void add_reals(Values kind, std::size_t round, const std::string& name) {
    SamplePlan plan = plain_sample(sizes_);
    plan.scene.values = kind;
    plan.scene.round = round;
    add_extra(std::move(plan), name);
  }

  /// Free sizes, each with those that it is to have.
  std::map<std::string, std::vector<std::int64_t>> sizes_to_try() const {
    std::map<std::string, std::vector<std::int64_t>> wanted;
    const auto usual = sizes_.all();
    const auto want = [&](const std::string& name, std::int64_t size) {
      if (size > 0 && size != usual.at(name) && !contains(wanted[name], size))
        wanted[name].push_back(size);
    };
    constexpr std::int64_t smaller = 8; // by an eighth
    std::int64_t turn = 0;              // height and width are unlike
    for (const std::string& name : sizes_.names(SizeRole::extent)) {
      const std::int64_t size = usual.at(name);
      want(name, turn++ % 2 == 0 ? size + 1 : size - size / smaller + 1);
    }
    for (const SizeRole role : {SizeRole::length, SizeRole::other})
      for (const std::string& name : sizes_.names(role)) want(name, usual.at(name) + 1);
    // Of two sequences one may be longer.
    const auto sequences = sizes_.names(SizeRole::sequence);
    for (std::size_t i = 1; i < sequences.size(); ++i)
      want(sequences[i], usual.at(sequences[i]) + 2);
    for (const InputNeed& need : needs_)
      for (const SizeBound& bound : need.meaning.sizes) want_around(bound, want);
    return wanted;
  }

  template <class Want> void want_around(const SizeBound& bound, const Want& want) const {
    auto names = sizes_.names_at(bound.dimension);
    if (has_past_) names = sizes_.names(SizeRole::past);
    for (const std::string& name : names) {
      if (bound.size > max_elements()) continue;
      want(name, bound.size + 1);
      want(name, bound.size);
      if (bound.size < sizes_.all().at(name)) want(name, bound.size - 1);
    }
  }

  /// As many as a large model computes in some seconds.
  std::int64_t max_elements() const {
    constexpr std::uint64_t products = std::uint64_t{1} << 33, fewest = 16, most = 4096;
    return static_cast<std::int64_t>(
        std::clamp(products / std::max<std::uint64_t>(file_bytes_ / 4, 1), fewest, most));
  }

  void add_sizes_at_bounds() {
    const auto wanted = sizes_to_try();
    constexpr std::size_t most = 6;
    for (std::size_t i = 0; i < most; ++i) {
      SamplePlan plan = with({{SizeRole::batch, 1}});
      if (has_past_) plan.sizes.suggest(SizeRole::sequence, 1);
      std::vector<std::string> changed;
      for (const auto& [name, sizes] : wanted) {
        if (i >= sizes.size()) continue;
        plan.sizes.suggest(name, sizes[i]);
        if (plan.sizes.all().at(name) == sizes[i])
          changed.push_back(name + "=" + std::to_string(sizes[i]));
      }
      if (changed.empty()) continue;
      count_elements(plan);
      add_extra(plan, boost::algorithm::join(changed, ","));
    }
  }

  const std::vector<InputNeed>& needs_;
  const SampleSizes& sizes_;
  std::uint64_t file_bytes_;
  bool has_mask_;
  bool has_past_;
  std::size_t extras_ = 0;
  std::vector<SamplePlan> plans_;
};

} // namespace

std::vector<SamplePlan> plan_samples(const std::vector<InputNeed>& needs, const SampleSizes& sizes,
                                     std::uint64_t file_bytes) {
  return Planner(needs, sizes, file_bytes).plans();
}

SamplePlan plain_sample(const SampleSizes& sizes) {
  SamplePlan plan{"", {}, sizes};
  count_elements(plan);
  return plan;
}

std::vector<SampleSizes> other_sizes(const SampleSizes& sizes) {
  std::vector<SampleSizes> others;
  const auto add = [&](std::initializer_list<std::pair<SizeRole, std::int64_t>> suggested) {
    SampleSizes other = sizes;
    for (const auto& [role, size] : suggested) other.suggest(role, size);
    const auto same = [&](const SampleSizes& known) { return known.all() == other.all(); };
    if (other.all() != sizes.all() && std::ranges::none_of(others, same))
      others.push_back(std::move(other));
  };
  add({{SizeRole::batch, 1}});
  add({{SizeRole::batch, 1}, {SizeRole::sequence, 1}});
  for (const std::int64_t extent : {32, 64, 224, 384, 256, 128, 30, 336, 448, 512, 640})
    add({{SizeRole::extent, extent}});
  for (const std::int64_t other : {1, 2, 3, 8, 16, 32, 64, 80, 128})
    add({{SizeRole::other, other}});
  for (const std::int64_t sequence : {64, 512}) add({{SizeRole::sequence, sequence}});
  for (const std::int64_t length : {100, 3000, 16000, 1000, 480000})
    add({{SizeRole::length, length}});
  return others;
}

} // namespace model_validator::verify
