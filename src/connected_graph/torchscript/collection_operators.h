#pragma once

#include "connected_graph/torchscript/values.h"

#include <optional>
#include <string>
#include <vector>

namespace model_validator::torchscript {

/// Walks the nodes that make, change and read lists, dicts and objects, whose elements are
/// followed.
class CollectionOperators {
public:
  CollectionOperators(const WalkContext& context, Values& values)
      : scope_(context.scope), values_(values) {}

  /// @return what the node yields; nullopt for any other operator
  std::optional<Abstract> walk(const Node& node, const Inputs& inputs);

private:
  std::optional<Abstract> make(const std::string& kind, const Inputs& inputs) const;
  std::optional<Abstract> read(const std::string& kind, const Node& node, const Inputs& inputs);
  std::optional<Abstract> change(const std::string& kind, const Node& node, const Inputs& inputs);
  std::optional<Abstract> read_dict(const std::string& kind, const Node& node,
                                    const Inputs& inputs);
  Abstract made(std::vector<Abstract> values, bool exact) const;
  Abstract make_dict(const Inputs& inputs) const;
  std::optional<Abstract> dict_of(const Inputs& inputs) const;
  bool is_conditional(const Items& items) const;
  void changed(Items& items) const;
  static void note_write(const Node& node, const Inputs& inputs);
  Abstract copied(const Items& items) const;
  Abstract sum(const Items& first, const Items& second) const;
  Abstract appended(const Abstract& list, const Items& more) const;
  Abstract set_item(const Node& node, const Inputs& inputs);
  Abstract inserted(const Abstract& list, const Abstract& index, const Abstract& value) const;
  Abstract popped(const Abstract& list, const Abstract& index, const c10::TypePtr& type);
  Abstract get_item(const Inputs& inputs, const c10::TypePtr& type);
  Abstract dict_view(const Items& dict, const std::string& view) const;

  const Scope& scope_;
  Values& values_;
};

} // namespace model_validator::torchscript
