#include "files/pickle_opcodes.h"
#include "files/pickle_stack.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace model_validator::pickle {
namespace {

/// Runs a pickle's instructions on a stack of values that are only described.
class Parser {
public:
  explicit Parser(std::string_view bytes) : bytes_(bytes), stack_(bytes.size()) {}

  Document run() {
    try {
      while (step()) {
      }
    } catch (const Malformed& malformed) {
      stack_.document.failure = malformed.what();
    }
    stack_.document.bytes = at_;
    return std::move(stack_.document);
  }

private:
  bool step();
  // Each runs the instructions of one kind. @returns false for those of others
  bool step_stack_or_memo(Opcode opcode);
  bool step_number(Opcode opcode);
  bool step_text(Opcode opcode);
  bool step_container(Opcode opcode);
  bool step_growth(Opcode opcode);
  bool step_object(Opcode opcode);

  template <typename T> T read() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - at_) throw Malformed("the pickle is cut off");
    const auto part = bytes_.substr(at_, count);
    at_ += count;
    return part;
  }
  std::string_view line() {
    const auto end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) throw Malformed("the pickle is cut off");
    const auto part = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return part;
  }
  void push_call(std::vector<Index> parts) { stack_.push_growing(Kind::call, std::move(parts)); }

  std::string_view bytes_;
  std::size_t at_ = 0;
  Stack stack_;
};

bool Parser::step() {
  const auto opcode = static_cast<Opcode>(read<unsigned char>());
  if (opcode == STOP) {
    stack_.finish();
    return false;
  }
  // The most frequent kinds come first.
  if (step_stack_or_memo(opcode) || step_number(opcode) || step_text(opcode) ||
      step_container(opcode) || step_growth(opcode) || step_object(opcode))
    return true;
  throw Malformed("the pickle holds an unknown instruction");
}

bool Parser::step_container(Opcode opcode) {
  switch (opcode) {
  case EMPTY_TUPLE: stack_.push_tuple(0); return true;
  case TUPLE1: stack_.push_tuple(1); return true;
  case TUPLE2: stack_.push_tuple(2); return true;
  case TUPLE3: stack_.push_tuple(3); return true;
  case TUPLE: stack_.push_fixed(Kind::tuple, stack_.pop_to_mark()); return true;
  case EMPTY_LIST:
  case EMPTY_SET: stack_.push_growing(Kind::list, {}); return true;
  case LIST:
  case FROZENSET: stack_.push_growing(Kind::list, stack_.pop_to_mark()); return true;
  case EMPTY_DICT: stack_.push_growing(Kind::dict, {}); return true;
  case DICT: stack_.push_growing(Kind::dict, stack_.pop_to_mark()); return true;
  default: return false;
  }
}

bool Parser::step_growth(Opcode opcode) {
  switch (opcode) {
  case APPENDS:
  case ADDITEMS:
  case SETITEMS: stack_.grow(stack_.pop_to_mark()); return true;
  case APPEND:
  case BUILD: {
    const Index item = stack_.pop();
    stack_.grow(std::span(&item, 1));
    return true;
  }
  case SETITEM: {
    Index items[2] = {};
    items[1] = stack_.pop();
    items[0] = stack_.pop();
    stack_.grow(items);
    return true;
  }
  default: return false;
  }
}

bool Parser::step_number(Opcode opcode) {
  switch (opcode) {
  case NONE: stack_.push(Value{}); return true;
  case NEWTRUE: stack_.push_boolean(true); return true;
  case NEWFALSE: stack_.push_boolean(false); return true;
  case BININT: stack_.push_integer(read<std::int32_t>()); return true;
  case BININT1: stack_.push_integer(read<std::uint8_t>()); return true;
  case BININT2: stack_.push_integer(read<std::uint16_t>()); return true;
  case LONG1: {
    const auto digits = take(read<std::uint8_t>());
    std::int64_t number = 0;
    std::memcpy(&number, digits.data(), std::min(digits.size(), sizeof number));
    stack_.push_integer(number);
    return true;
  }
  case LONG4:
    take(read<std::uint32_t>());
    stack_.push_integer(0);
    return true;
  case INT: stack_.push_text(line()); return true;
  case BINFLOAT: {
    const auto bits = __builtin_bswap64(read<std::uint64_t>());
    stack_.push_real(std::bit_cast<double>(bits));
    return true;
  }
  default: return false;
  }
}

bool Parser::step_text(Opcode opcode) {
  switch (opcode) {
  case BINSTRING:
  case BINUNICODE:
  case BINBYTES: stack_.push_text(take(read<std::uint32_t>())); return true;
  case SHORT_BINSTRING:
  case SHORT_BINUNICODE:
  case SHORT_BINBYTES: stack_.push_text(take(read<std::uint8_t>())); return true;
  case BINUNICODE8:
  case BINBYTES8:
  case BYTEARRAY8: stack_.push_text(take(read<std::uint64_t>())); return true;
  default: return false;
  }
}

bool Parser::step_stack_or_memo(Opcode opcode) {
  switch (opcode) {
  case PROTO: read<std::uint8_t>(); return true;
  case FRAME: read<std::uint64_t>(); return true;
  case MARK: stack_.mark(); return true;
  case POP: stack_.pop_value_or_mark(); return true;
  case POP_MARK: stack_.pop_to_mark(); return true;
  case DUP: stack_.push(stack_.top()); return true;
  case BINPUT: stack_.put(read<std::uint8_t>()); return true;
  case LONG_BINPUT: stack_.put(read<std::uint32_t>()); return true;
  case MEMOIZE: stack_.put_next(); return true;
  case BINGET: stack_.get(read<std::uint8_t>()); return true;
  case LONG_BINGET: stack_.get(read<std::uint32_t>()); return true;
  default: return false;
  }
}

bool Parser::step_object(Opcode opcode) {
  switch (opcode) {
  case GLOBAL: {
    const Index module = stack_.add_text(line());
    stack_.push_global(module, stack_.add_text(line()));
    return true;
  }
  case STACK_GLOBAL: {
    const Index name = stack_.pop();
    stack_.push_global(stack_.pop(), name);
    return true;
  }
  case REDUCE:
  case NEWOBJ: {
    const Index arguments = stack_.pop();
    push_call({stack_.pop(), arguments});
    return true;
  }
  case NEWOBJ_EX: {
    const Index named = stack_.pop();
    const Index arguments = stack_.pop();
    push_call({stack_.pop(), arguments, named});
    return true;
  }
  case OBJ: push_call(stack_.pop_to_mark()); return true;
  case BINPERSID: {
    const Index id = stack_.pop();
    stack_.push_fixed(Kind::persistent, std::span(&id, 1));
    return true;
  }
  default: return false;
  }
}

} // namespace

Document parse(std::string_view bytes) { return Parser(bytes).run(); }

} // namespace model_validator::pickle
