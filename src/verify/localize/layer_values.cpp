#include "verify/localize/layer_values.h"

#include "connected_graph/operators.h"

#include <algorithm>
#include <array>

namespace model_validator::verify {
namespace {

/// What rounds values to steps: two operators of ONNX, one of OpenVINO.
constexpr std::array steppers{"QuantizeLinear", "DequantizeLinear", "FakeQuantize"};

bool rounds_to_steps(const NodeValue& value) {
  return std::ranges::find(steppers, value.op) != steppers.end();
}

NodeValues values_of(const ShowRun& model, const std::string& who) {
  NodeValues values;
  IntermediateRun what;
  what.needs_outputs = false;
  what.visit = [&](const Intermediate& shown) {
    values.by_name[shown.name] = values.all.size();
    values.all.push_back({shown.name, shown.node, shown.op, shown.inputs, sketch_of(shown.tensor)});
  };
  shown_outputs(model, what, who);
  return values;
}

/// Values that no node reads: the outputs, in the order of the file.
std::vector<const NodeValue*> unread(const NodeValues& values) {
  std::set<std::string> read;
  for (const NodeValue& value : values.all) read.insert(value.inputs.begin(), value.inputs.end());
  std::vector<const NodeValue*> found;
  for (const NodeValue& value : values.all)
    if (read.count(value.name) == 0) found.push_back(&value);
  return found;
}

} // namespace

const NodeValue* NodeValues::find(const std::string& name) const {
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : &all[found->second];
}

LayerValues::LayerValues(const ShowRun& reference, const ShowRun& candidate,
                         std::shared_ptr<const NodeValues> seen)
    : reference_(seen ? std::move(seen)
                      : std::make_shared<const NodeValues>(values_of(reference, "reference"))),
      candidate_(values_of(candidate, "candidate")) {
  for (std::size_t i = 0; i < candidate_.all.size(); ++i)
    for (const std::string& input : candidate_.all[i].inputs)
      readers_.try_emplace({input, candidate_.all[i].op}, i);
  for (const NodeValue& value : reference_->all) {
    const NodeValue* other = as_read(value.name);
    if (other != nullptr && value.sketch.real_valued && other->sketch.real_valued &&
        value.sketch.shape == other->sketch.shape)
      shared.push_back({&value, other, {}, {}, {}, {}});
  }
  share_outputs();
  find_sources();
}

/// Exporters number outputs without a name, and so differently where a model has another op more.
void LayerValues::share_outputs() {
  const auto own = unread(*reference_), others = unread(candidate_);
  if (own.size() != others.size()) return;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const bool is_known =
        as_read(own[i]->name) != nullptr || reference_->find(others[i]->name) != nullptr;
    if (!is_known && own[i]->sketch.real_valued && others[i]->sketch.real_valued &&
        own[i]->sketch.shape == others[i]->sketch.shape)
      shared.push_back({own[i], others[i], {}, {}, {}, {}});
  }
}

void LayerValues::keep(const std::set<std::string>& names_in_reference) {
  std::erase_if(shared, [&](const SharedValue& value) {
    return names_in_reference.count(value.reference->name) == 0;
  });
  find_sources();
}

void LayerValues::find_sources() {
  reads_.clear();
  for (const SharedValue& value : shared) reads_[value.candidate->name] = value.reference->name;
  for (SharedValue& value : shared) value.sources = sources_of(*value.candidate);
}

/// Quantisers leave an activation out where rounding to steps does the same, so that a value is
/// the reference's only behind the steps.
const NodeValue* LayerValues::as_read(const std::string& name) const {
  const NodeValue* own = candidate_.find(name);
  if (own == nullptr) return nullptr;
  if (const NodeValue* stepped = reader_of(name, "FakeQuantize")) return stepped;
  const NodeValue* whole = reader_of(name, "QuantizeLinear");
  const NodeValue* stepped =
      whole == nullptr ? nullptr : reader_of(whole->name, "DequantizeLinear");
  return stepped != nullptr ? stepped : own;
}

const NodeValue* LayerValues::reader_of(const std::string& name, const std::string& op) const {
  const auto found = readers_.find({name, op});
  return found == readers_.end() ? nullptr : &candidate_.all[found->second];
}

const NodeValue& LayerValues::maker_of(const NodeValue& value) const {
  const NodeValue* maker = &value;
  while (rounds_to_steps(*maker)) {
    const NodeValue* before =
        maker->inputs.empty() ? nullptr : candidate_.find(maker->inputs.front());
    if (before == nullptr) break;
    maker = before;
  }
  return *maker;
}

const NodeValue& LayerValues::layer_of(const NodeValue& value) const {
  constexpr Does moving = Does::keeps | Does::reshapes | Does::transposes;
  const NodeValue* layer = &maker_of(value);
  while (does(layer->op, moving) && !layer->inputs.empty()) {
    const NodeValue* before = candidate_.find(layer->inputs.front());
    if (before == nullptr || reads_.count(before->name) != 0) break;
    layer = &maker_of(*before);
  }
  return *layer;
}

std::vector<std::string> LayerValues::sources_of(const NodeValue& value) const {
  std::vector<std::string> open = value.inputs, found;
  std::set<std::string> seen;
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    if (!seen.insert(name).second) continue;
    if (const auto shared_name = reads_.find(name); shared_name != reads_.end())
      found.push_back(shared_name->second);
    else if (const NodeValue* inner = candidate_.find(name))
      open.insert(open.end(), inner->inputs.begin(), inner->inputs.end());
  }
  return found;
}

} // namespace model_validator::verify
