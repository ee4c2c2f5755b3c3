#pragma once

#include "fixes/python/python_tree.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::fixes {

/// A name that an edit changes the meaning of.
struct Touched {
  enum class Kind : unsigned char {
    attribute, ///< of a class: a module that it calls
    modules,   ///< of a class: modules that it runs along, and that get partners
    value,     ///< of a class: how many modules its constructor makes; which function it keeps
    shared,    ///< of a class: a module that its constructor puts at several places of a network
    function,  ///< that a class no longer calls: `F.relu`
    type,      ///< a class whose constructor makes something more
    written,   ///< the class or the attribute of a new module, which code may know by a part of its
               ///< name
    signature, ///< of a class that gets a constructor of its own, which passes all arguments on
  };
  Kind kind = Kind::attribute;
  std::string name;
  Node type; ///< the class that is edited
};

/// Code, other than the constructor and the calls that are edited, that names what an edit touches.
struct Mention {
  std::string path;
  int line = 0;
  std::string code; ///< the line
  friend auto operator<=>(const Mention&, const Mention&) = default;
};

/// A line as it is shown.
Mention mention_of(const std::string& path, int line, std::string_view text);

/// Adds the lines of a file that pass a test.
void add_lines_where(const std::string& path, std::string_view text,
                     const std::function<bool(std::string_view line)>& is_wanted,
                     std::vector<Mention>& found);

/// "line 3 of `train.py` mentions it: `net.act = nn.GELU()`"
std::string in_words(const Mention& mention);

} // namespace model_validator::fixes
