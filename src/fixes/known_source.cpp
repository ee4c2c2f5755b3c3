#include "fixes/known_source.h"

#include "fixes/constructor_site.h"
#include "fixes/made_otherwise.h"
#include "fixes/other_uses.h"
#include "fixes/plain_class.h"
#include "fixes/python/scope.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>

namespace model_validator::fixes {
namespace {

constexpr std::array lists_buffers = {"buffers", "named_buffers"};
constexpr std::array leaves_empty = {"to_empty", "init_empty_weights"};
constexpr std::array buffer_words = {"buffers(", "to_empty", "init_empty_weights",
                                     "meta\"",   "meta'",    "assign=True"};

bool speaks_of_buffers(std::string_view text) {
  return std::ranges::any_of(buffer_words,
                             [&](const char* word) { return text.find(word) != text.npos; });
}

/// Whether a call makes modules on the meta device, or gives them other tensors for theirs.
bool makes_without_values(const Node& call) {
  const std::string_view arguments = call.field("arguments").text();
  const auto says = [&](const char* text) { return arguments.find(text) != arguments.npos; };
  return contains(leaves_empty, called_name(call)) || says("\"meta\"") || says("'meta'") ||
         (called_name(call) == "load_state_dict" && says("assign=True"));
}

} // namespace

KnownSource::KnownSource(SourceFiles& files) : files_(files), index_(files) {}
KnownSource::~KnownSource() = default;

bool KnownSource::shares_mode(const Node& type) {
  if (!sets_modes_) {
    sets_modes_ = index_.has_line_with(".training", "training =");
    for (const char* asks : {"isinstance(", "__name__", "type("})
      *sets_modes_ = *sets_modes_ || index_.has_line_with("Dropout", asks);
  }
  return *sets_modes_ || index_.family_of(type).sets_mode;
}

void KnownSource::add_places(Hazard& hazard, const std::vector<Node>& code,
                             const std::string& what) {
  for (const Node& each : code)
    hazard.places.push_back(
        {index_.path_of(each), each.first_line(), each.last_line(), index_.place_of(each)});
  if (!hazard.reason.empty() || hazard.places.empty()) return;
  hazard.reason = hazard.places.front().in_words + what;
}

/// Why the class may be run, or seen by others, before its constructor has ended. What is done with
/// a copy of it no proof tries.
Hazard KnownSource::unfinished(const Node& type) {
  const auto relatives = index_.members_of(index_.family_of(type));
  if (runs_itself(relatives))
    return {"`" + name_of(type) + "` or a related class may run itself in `__init__`", {}};
  for (const Node& each : relatives)
    if (const Node call = hands_itself_on(each))
      return {"`__init__` of `" + name_of(each) + "` hands itself to `" +
                  std::string(call.field("function").text()) + "` before it ends",
              {},
              called_name(call).ends_with("copy")};
  return {};
}

const Hazard& KnownSource::made_otherwise(const Node& type, const Imports& imports) {
  const Node kept = index_.kept(type);
  Hazard* hazard = &unknown_;
  bool fresh = true;
  if (kept) {
    const auto [known, first] = made_otherwise_.try_emplace(key_of(kept));
    hazard = &known->second;
    fresh = first;
  }
  if (!fresh) return *hazard;
  *hazard = {};
  if (const std::string special = what_is_special_about(type, imports); !special.empty())
    hazard->reason = "`" + name_of(type) + "` " + special;
  else if (const std::string method = method_of_instances(type, index_); !method.empty())
    hazard->reason = "`" + method + "` of `" + name_of(type) +
                     "` or of a related class takes part " + "in what its instances hold";
  else
    *hazard = unfinished(type);
  add_places(*hazard, made_without_constructor(kept ? kept : type, index_),
             " may mean that an instance of `" + name_of(type) + "` lacks the new module");
  return *hazard;
}

Hazard KnownSource::of_new_child(const Node& type, const Imports& imports, const NewChild& child) {
  Hazard hazard = made_otherwise(type, imports);
  if (!visibility_) visibility_.emplace(index_);
  add_places(hazard, visibility_->noticing(index_.family_of(type), child),
             " may notice that `" + name_of(type) + "` has one more child");
  return hazard;
}

Hazard KnownSource::of_other_uses(const std::string& attribute, const Node& method) {
  Hazard hazard;
  add_places(hazard, uses_of_module(attribute, method, index_),
             " gets at the module itself, and would not get at another");
  return hazard;
}

const Hazard& KnownSource::of_new_buffer() {
  if (new_buffer_) return *new_buffer_;
  Hazard& hazard = new_buffer_.emplace();
  hazard.reason =
      "a buffer follows `half()`, `double()` and meta devices, and is one tensor for all "
      "runs, where each had a new one";
  std::vector<Node> looks, empties;
  for (const Node& root : index_.roots_where(speaks_of_buffers))
    for (const Node& call : root.all("call")) {
      if (contains(lists_buffers, called_name(call))) looks.push_back(call);
      if (makes_without_values(call)) empties.push_back(call);
    }
  add_places(hazard, looks, " may count it");
  add_places(hazard, empties, " may leave it without its values");
  return hazard;
}

} // namespace model_validator::fixes
