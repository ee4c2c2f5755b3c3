#pragma once

#include "fixes/looks/child_accesses.h"
#include "fixes/looks/receivers.h"
#include "fixes/python/source_index.h"

#include <optional>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// All code of the source that looks at the children of modules.
class ChildLooks {
public:
  explicit ChildLooks(SourceIndex& index);

  /// Where a child is noticed that instances of a family of classes get: `net.children()` in
  /// `train.py`, line 3. Empty for nowhere.
  /// @param child_family  of the child's class, where it is the user's
  std::string place_that_notices(const ClassFamily& family, const NewChild& child,
                                 const ClassFamily& child_family);

private:
  struct Answer {
    ChildFlow::Asked asked;
    NewChild child;
    bool notices = false;
  };
  struct Look {
    ChildAccess access;
    std::optional<Receiver> receiver = {}; ///< at whose children it looks
    std::vector<Answer> answers = {};
  };
  bool may_look_at(Look& look, const ClassFamily& family, const NewChild& child);
  bool notices(Look& look, const NewChild& child, const ClassFamily& child_family);
  Receiver receiver_of(const ChildAccess& access);

  SourceIndex& index_;
  std::vector<Look> looks_;
};

} // namespace model_validator::fixes
