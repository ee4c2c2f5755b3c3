#pragma once

#include "fixes/python/imports.h"
#include "fixes/python/mention.h"
#include "fixes/python/python_tree.h"
#include "fixes/python/source_files.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace model_validator::fixes {

/// Whether a letter may be one of a name of Python's. Millions are asked about.
inline bool is_of_name(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
         (letter >= '0' && letter <= '9') || static_cast<unsigned char>(letter) >= 0x80;
}

/// Whether code of a file gives attributes of anything but `self` names that it computes:
/// `setattr(net, name, value)`.
bool sets_computed_names(std::string_view text);

/// A class by the text of its file and its place in it.
using ClassKey = std::pair<const std::string*, NodeKey>;
inline ClassKey key_of(const Node& type) { return {&type.source(), type.key()}; }

/// A class, and all that derive from it or that it derives from, in any file.
struct ClassFamily {
  std::set<ClassKey> members;
  std::set<std::string> classes;    ///< their names
  std::set<std::string> attributes; ///< that any of them uses
  std::set<std::string> methods;    ///< that any of them defines
  bool unseen_base = false;         ///< a base class is in no file of source
  bool sets_mode = false;           ///< one of them changes which mode its modules are in
};

/// All files of source, for what they say of the classes that are edited. They are read when
/// something is first asked, and parsed where they hold what is asked for.
class SourceIndex {
public:
  explicit SourceIndex(SourceFiles& files) : files_(files) {}

  /// The trees of the files whose text passes a test, each asked once. Trees cost far more than
  /// texts.
  using TextTest = bool (*)(std::string_view text);
  const std::vector<Node>& roots_where(TextTest is_wanted);
  /// Those of the files that hold a name, whose text may be asked for more.
  std::vector<Node> roots_naming(const std::string& name,
                                 const std::function<bool(std::string_view text)>& is_wanted = {});
  /// The classes of a name, wherever they are.
  const std::vector<Node>& classes_named(const std::string& name);
  /// The classes that name another among their bases.
  const std::vector<Node>& classes_deriving_from(const std::string& name);
  /// Classes that a function makes of a base that it is given: of any class.
  const std::vector<Node>& classes_of_any_base();
  /// The names of their attributes, which an attribute of any class may be hidden by.
  const std::set<std::string>& attributes_of_any();
  /// Whether a file that imports all names of others holds a name, which it means as its own.
  bool is_name_of_file_with_star(const std::string& name);
  /// The classes of a family.
  std::vector<Node> members_of(const ClassFamily& family);
  /// The same class in the index, whose trees stay; no node where no file holds it as it is.
  Node kept(const Node& type);
  /// The family of a class.
  const ClassFamily& family_of(const Node& type);
  /// Whether code sets an attribute of another object, or reaches it by its name in a text:
  /// `net.relu = …`, `hasattr(net, "relu")`.
  bool is_set_outside(const std::string& attribute);
  /// The path of the file that a node of the index is in.
  std::string path_of(const Node& node) const;
  /// The texts of notebooks and configurations that hold a name, by path.
  std::vector<std::pair<std::string, const std::string*>> other_texts(const std::string& name);
  /// What the names of its file stand for.
  const Imports& imports_of(const Node& node);
  /// Forgets what nodes that are not the index's own mean: their trees are gone.
  void forget_files_of_plans();
  /// The lines of Python that pass a test, in the order of their places.
  std::vector<Mention> lines_where(TextTest is_wanted);
  /// Whether a line of any file holds both texts.
  bool has_line_with(std::string_view one, std::string_view other);

private:
  const std::map<std::string, std::string>& texts();
  Node root_of(const std::string& path);
  /// The files that hold a name.
  const std::vector<const std::string*>& paths_naming(const std::string& name);
  /// What is found in the trees of the files that hold a text, for a name.
  template <typename Find>
  const std::vector<Node>& find_once(std::map<std::string, std::vector<Node>>& known,
                                     const std::string& name, const std::string& text, Find find);

  SourceFiles& files_;
  bool is_read_ = false;
  std::map<std::string, std::string> texts_;                 ///< by path
  std::optional<std::map<std::string, std::string>> others_; ///< notebooks and configurations
  std::map<std::string, std::unique_ptr<PythonTree>> trees_;
  std::unordered_map<std::string_view, std::vector<const std::string*>> paths_; ///< by each name
  std::map<TextTest, std::vector<Node>> roots_;
  std::map<const std::string*, Imports> imports_;    ///< by the text of the file
  std::map<std::string, std::vector<Node>> classes_; ///< by name
  std::map<std::string, std::vector<Node>> derived_; ///< by what they derive from
  std::optional<std::vector<Node>> of_any_base_;
  std::optional<std::set<std::string>> attributes_of_any_;
  std::map<ClassKey, ClassFamily> families_;
  ClassFamily unknown_family_; ///< of the last class that no file holds as it is
  std::optional<std::set<std::string, std::less<>>> set_outside_; ///< all such names
};

/// Whether a text holds a part at a place that passes a test.
/// @param is_meant  given where the part begins, and where it ends
template <class Test> bool any_place(std::string_view text, std::string_view part, Test is_meant) {
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    if (is_meant(at, at + part.size())) return true;
  return false;
}

/// Whether a text holds one of others.
template <class Parts> bool has_any_of(std::string_view text, const Parts& parts) {
  return std::ranges::any_of(parts, [&text](std::string_view each) {
    return memmem(text.data(), text.size(), each.data(), each.size()) != nullptr;
  });
}

/// The class that a name or a base stands for: `Base` where the file imports `Base as B`, or says
/// `B = Base`.
std::string class_behind(const Node& named, const Imports& imports);

} // namespace model_validator::fixes
