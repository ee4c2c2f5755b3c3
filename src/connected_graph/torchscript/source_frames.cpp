#include "connected_graph/torchscript/source_frames.h"

#include "connected_graph/torchscript/assignment.h"
#include "connected_graph/torchscript/ir/original_range.h"

#include <algorithm>

namespace model_validator::torchscript {
namespace {

/// The line of `range` in its source, and how much of it the range covers.
void read_line(const torch::jit::SourceRange& range, const std::string& text, PythonPlace& place) {
  if (range.start() > text.size()) return;
  const auto before = range.start() == 0 ? std::string::npos : text.rfind('\n', range.start() - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', range.start()), text.size());
  place.code = text.substr(begin, end - begin);
  const std::size_t last = std::min(std::max(range.end(), range.start()), end);
  place.location.length = static_cast<int>(last - range.start());
}

/// Every location repeats the name of its file; no system has longer names.
constexpr std::size_t max_file_name_length = 4096;

/// TorchScript's generated code is in the archive, not in the user's files.
bool is_users(const std::string& file) {
  return !file.empty() && file.size() <= max_file_name_length && !file.starts_with("code/");
}

/// The file of operators that TorchScript itself writes in Python; not user code.
bool is_builtin(const std::string& file) { return file == "<string>"; }

constexpr int nearby = 8;

std::optional<std::pair<std::size_t, std::size_t>>
find_return(const std::string& code, const std::string&, std::size_t near) {
  return return_from(code, near);
}

/// The `return` of the code that runs where an `if` has not returned.
std::optional<std::pair<std::size_t, std::size_t>>
find_other_return(const std::string& code, const std::string&, std::size_t near) {
  const auto first = return_from(code, near);
  const auto line_end = first ? code.find('\n', first->second) : std::string::npos;
  return line_end == std::string::npos ? first : return_from(code, line_end + 1);
}

bool is_second_arm(const Block& block) {
  const auto* outer = block.owningNode();
  return outer != nullptr && outer->kind() == prim::If && outer->blocks()[1] == &block;
}

/// The nodes around a node in the code: the one that computes its last input, those before and
/// after it, and the `if` or loop that it is in.
std::vector<const Node*> nodes_around(const Node& node) {
  std::vector<const Node*> around = {node.inputs().back()->node()};
  const auto* before = node.prev();
  for (int hops = 0; hops < nearby && before->kind() != prim::Param; ++hops) {
    around.push_back(before);
    before = before->prev();
  }
  const auto* after = node.next();
  for (int hops = 0; hops < nearby && after->kind() != prim::Return; ++hops) {
    around.push_back(after);
    after = after->next();
  }
  if (const auto* outer = node.owningBlock()->owningNode()) around.push_back(outer);
  return around;
}

} // namespace

const std::string& SourceFrames::text_of(const std::shared_ptr<torch::jit::Source>& source) {
  if (source != last_source_) {
    last_source_ = source;
    last_text_ = source->text_str().str();
  }
  return last_text_;
}

std::optional<PythonPlace> SourceFrames::place_of(const Node& node) {
  return place_of(node.sourceRange());
}

std::optional<PythonPlace> SourceFrames::place_of(const torch::jit::SourceRange& written) {
  const torch::jit::SourceRange range = original_range(written);
  if (!range.source()) return std::nullopt;
  const std::string& text = text_of(range.source());
  PythonPlace place;
  if ((place.stack = parse_stack(text))) return place;
  const auto where = range.file_line_col();
  if (!where || !is_users(std::get<0>(*where))) return std::nullopt;
  place.location.file = std::get<0>(*where);
  place.location.line = static_cast<int>(std::get<1>(*where));
  place.location.column = static_cast<int>(std::get<2>(*where));
  read_line(range, text, place);
  return place;
}

FrameId SourceFrames::intern(const SourceLocation& location, ModuleId module, FrameId caller) {
  if (location.file.size() > max_file_name_length) return caller;
  const Key key{location.file, location.line, location.column, module, caller};
  const auto [entry, fresh] = frames_.try_emplace(key, none);
  if (fresh) entry->second = graph_.add_frame({location, module, caller});
  return entry->second;
}

FrameId SourceFrames::enter_stack(const std::vector<StackGroup>& stack, Call& call) {
  std::vector<Call*> modules; // outermost first
  for (Call* c = &call; c; c = c->caller)
    if (c->module_call || !c->caller) modules.push_back(c);
  std::reverse(modules.begin(), modules.end());
  FrameId frame = none;
  for (std::size_t depth = 0; depth < stack.size(); ++depth) {
    const StackGroup& group = stack[stack.size() - 1 - depth];
    Call& around = *modules[std::min(depth, modules.size() - 1)];
    if (depth > 0 && depth < modules.size() && around.site == none) around.site = frame;
    for (auto line = group.rbegin(); line != group.rend(); ++line)
      frame = intern({line->file, line->line, 0, 0}, around.self, frame);
  }
  return frame;
}

/// The location of a node near one that a variable is made by, or of the variable's assignment.
std::optional<PythonPlace> SourceFrames::place_near(const Node& near, const std::string& variable,
                                                    FindAssignment find) {
  auto place = place_of(near);
  if (!place || is_builtin(place->location.file)) return std::nullopt;
  if (place->stack) return place;
  const auto assigned = place_of_variable(near, variable, find);
  return assigned ? assigned : place;
}

/// The location of a user of the node, else of the node before it, or of the `if` or loop that it
/// is in. Where the value that TorchScript's own code yields is assigned to a variable, as in `z
/// = 1.0 / y`, the assignment is closer; where it is returned as it is, the `return`.
std::optional<PythonPlace> SourceFrames::place_nearby(const Node& node) {
  std::string variable;
  const Node* user = &node;
  for (int hops = 0; hops < nearby; ++hops) {
    if (user->outputs().empty() || user->outputs()[0]->uses().empty()) break;
    const Value& value = *user->outputs()[0];
    if (variable.empty() && value.hasDebugName()) variable = value.debugNameBase();
    user = value.uses()[0].user;
    if (auto place = place_near(*user, variable, assignment_before)) return place;
  }
  return place_before(node, variable, variable.empty() && user->kind() == prim::Return);
}

std::optional<PythonPlace> SourceFrames::place_before(const Node& node, const std::string& variable,
                                                      bool returned) {
  const FindAssignment find_after = returned ? find_return : assignment_from;
  const Node* before = &node;
  for (int hops = 0; hops < nearby; ++hops) {
    before = before->prev();
    if (!before || before->kind() == prim::Param || before->kind() == prim::Return) break;
    if (auto place = place_near(*before, variable, find_after)) return place;
  }
  const auto* outer = node.owningBlock()->owningNode();
  const bool not_first = returned && is_second_arm(*node.owningBlock());
  const FindAssignment find = not_first ? find_other_return : find_after;
  return outer ? place_near(*outer, variable, find) : std::nullopt;
}

/// Where a variable is assigned, as found from a node that has a location.
std::optional<PythonPlace> SourceFrames::place_of_variable(const Node& near,
                                                           const std::string& variable,
                                                           FindAssignment find) {
  const torch::jit::SourceRange range = original_range(near.sourceRange());
  if (!range.source() ||
      (variable.empty() && (find == assignment_before || find == assignment_from)))
    return std::nullopt;
  const std::string& text = text_of(range.source());
  auto found = find(text, variable, range.start());
  // TorchScript calls a variable that is assigned again `w0`.
  if (!found)
    if (const auto letters = variable.find_last_not_of("0123456789") + 1;
        letters > 0 && letters < variable.size())
      found = find(text, variable.substr(0, letters), range.start());
  return found ? place_of({range.source(), found->first, found->second}) : std::nullopt;
}

/// TorchScript records no location for an assignment: it is searched for near a node that has one.
std::optional<PythonPlace> SourceFrames::place_of_assignment(const Node& node) {
  for (const Node* near : nodes_around(node)) {
    const torch::jit::SourceRange range = original_range(near->sourceRange());
    if (!range.source()) continue;
    const auto found = assignment_of(text_of(range.source()), node.s(attr::name), range.start());
    if (!found) continue;
    if (auto place = place_of({range.source(), found->first, found->second})) return place;
  }
  return std::nullopt;
}

std::string SourceFrames::builtin_line(const Node& node) {
  const auto place = place_of(node);
  if (!place || !is_builtin(place->location.file)) return {};
  const auto begin = place->code.find_first_not_of(' ');
  return begin == std::string::npos ? std::string() : place->code.substr(begin);
}

FrameId SourceFrames::frame_of(const Node& node, Call& call) {
  auto place = place_of(node);
  if (!place && node.kind() == prim::SetAttr) place = place_of_assignment(node);
  if (!place) return none;
  if (is_builtin(place->location.file))
    if (auto near = place_nearby(node)) {
      place = std::move(near);
      place->location.column = place->location.length = 0;
    }
  if (place->stack) {
    traced_ = true;
    return enter_stack(*place->stack, call);
  }
  if (!place->code.empty())
    graph_.add_source_line(place->location.file, place->location.line, place->code);
  return intern(place->location, call.code, call.site);
}

} // namespace model_validator::torchscript
