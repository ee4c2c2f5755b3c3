#include "verify/inputs/sample_plan.h"

#include <algorithm>
#include <array>

namespace model_validator::verify {
namespace {

bool any_of_role(const std::vector<InputNeed>& needs, InputRole role) {
  return std::ranges::any_of(needs,
                             [&](const InputNeed& need) { return need.meaning.role == role; });
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
    plan.scene.sequence = plan.sizes.sequence();
    plan.scene.past = plan.sizes.past();
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
    plan.scene.saturated = true;
    add(plan, "constant areas, and values at their limits");
  }

  void add_other_size() {
    if (has_past_) return;
    const SamplePlan plan = with({{SizeRole::batch, 3}, {SizeRole::sequence, 5}});
    if (plan.sizes.all() != sizes_.all()) add(plan, "another size");
  }

  const std::vector<InputNeed>& needs_;
  const SampleSizes& sizes_;
  std::uint64_t file_bytes_;
  bool has_mask_;
  bool has_past_;
  std::vector<SamplePlan> plans_;
};

} // namespace

std::vector<SamplePlan> plan_samples(const std::vector<InputNeed>& needs, const SampleSizes& sizes,
                                     std::uint64_t file_bytes) {
  return Planner(needs, sizes, file_bytes).plans();
}

SamplePlan plain_sample(const SampleSizes& sizes) {
  SamplePlan plan{"", {}, sizes};
  plan.scene.sequence = sizes.sequence();
  plan.scene.past = sizes.past();
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
  for (const std::int64_t length : {100, 3000, 16000, 1000, 480000})
    add({{SizeRole::length, length}});
  return others;
}

} // namespace model_validator::verify
