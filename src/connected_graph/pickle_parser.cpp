#include "connected_graph/pickle.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <unordered_map>

namespace model_validator::pickle {
namespace {

/// Ends the parsing; never leaves this file.
struct Stop : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The opcodes of protocols 0 to 5, as CPython's pickletools names them.
enum Opcode : unsigned char {
  MARK = '(',
  STOP = '.',
  POP = '0',
  POP_MARK = '1',
  DUP = '2',
  FLOAT = 'F',
  INT = 'I',
  BININT = 'J',
  BININT1 = 'K',
  LONG = 'L',
  BININT2 = 'M',
  NONE = 'N',
  PERSID = 'P',
  BINPERSID = 'Q',
  REDUCE = 'R',
  STRING = 'S',
  BINSTRING = 'T',
  SHORT_BINSTRING = 'U',
  UNICODE = 'V',
  BINUNICODE = 'X',
  APPEND = 'a',
  BUILD = 'b',
  GLOBAL = 'c',
  DICT = 'd',
  EMPTY_DICT = '}',
  APPENDS = 'e',
  GET = 'g',
  BINGET = 'h',
  INST = 'i',
  LONG_BINGET = 'j',
  LIST = 'l',
  EMPTY_LIST = ']',
  OBJ = 'o',
  PUT = 'p',
  BINPUT = 'q',
  LONG_BINPUT = 'r',
  SETITEM = 's',
  TUPLE = 't',
  EMPTY_TUPLE = ')',
  SETITEMS = 'u',
  BINFLOAT = 'G',
  BINBYTES = 'B',
  SHORT_BINBYTES = 'C',
  PROTO = 0x80,
  NEWOBJ = 0x81,
  EXT1 = 0x82,
  EXT2 = 0x83,
  EXT4 = 0x84,
  TUPLE1 = 0x85,
  TUPLE2 = 0x86,
  TUPLE3 = 0x87,
  NEWTRUE = 0x88,
  NEWFALSE = 0x89,
  LONG1 = 0x8a,
  LONG4 = 0x8b,
  SHORT_BINUNICODE = 0x8c,
  BINUNICODE8 = 0x8d,
  BINBYTES8 = 0x8e,
  EMPTY_SET = 0x8f,
  ADDITEMS = 0x90,
  FROZENSET = 0x91,
  NEWOBJ_EX = 0x92,
  STACK_GLOBAL = 0x93,
  MEMOIZE = 0x94,
  FRAME = 0x95,
  BYTEARRAY8 = 0x96,
  NEXT_BUFFER = 0x97,
  READONLY_BUFFER = 0x98
};

Value described(Kind kind, std::size_t first, std::size_t count) {
  Value value;
  value.kind = kind;
  value.first = static_cast<Index>(first);
  value.count = static_cast<Index>(count);
  return value;
}

Value number(Kind kind, std::int64_t integer) {
  Value value;
  value.kind = kind;
  value.integer = integer;
  return value;
}

} // namespace

/// Runs a pickle's opcodes on a stack of values that are only described.
class Parser {
public:
  explicit Parser(std::string_view bytes) : bytes_(bytes) {}

  Document run() {
    try {
      while (step()) {
      }
    } catch (const Stop& stop) {
      document_.failure = stop.what();
    }
    document_.bytes = at_;
    return std::move(document_);
  }

private:
  bool step();
  bool step_container(Opcode opcode);
  bool step_number_or_text(Opcode opcode);
  bool step_stack_or_memo(Opcode opcode);
  bool step_object(Opcode opcode);

  template <typename T> T read() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - at_) throw Stop("the pickle is cut off");
    const auto part = bytes_.substr(at_, count);
    at_ += count;
    return part;
  }
  std::string_view line() {
    const auto end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) throw Stop("the pickle is cut off");
    const auto part = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return part;
  }

  Index add(Value value) {
    document_.values_.push_back(value);
    return static_cast<Index>(document_.values_.size() - 1);
  }
  Index add_text(std::string_view text) {
    Value value = described(Kind::text, 0, text.size());
    value.text = text.data();
    return add(value);
  }
  Index add_fixed(Kind kind, std::span<const Index> items) {
    const auto first = static_cast<Index>(document_.pool_.size());
    document_.pool_.insert(document_.pool_.end(), items.begin(), items.end());
    return add(described(kind, first, items.size()));
  }
  Index add_growing(Kind kind, std::vector<Index> items) {
    document_.lists_.push_back(std::move(items));
    return add(described(kind, document_.lists_.size() - 1, 0));
  }

  void push(Index value) { stack_.push_back(value); }
  void push_integer(std::int64_t integer) { push(add(number(Kind::integer, integer))); }
  void push_text(std::string_view text) { push(add_text(text)); }
  Index pop() {
    if (stack_.size() <= floor()) throw Stop("the pickle takes more from its stack than is there");
    const Index value = stack_.back();
    stack_.pop_back();
    return value;
  }
  Index top() {
    if (stack_.size() <= floor()) throw Stop("the pickle takes more from its stack than is there");
    return stack_.back();
  }
  std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  std::vector<Index> pop_to_mark() {
    if (marks_.empty()) throw Stop("the pickle looks for a mark that is not there");
    const auto from = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<Index> values(from, stack_.end());
    stack_.erase(from, stack_.end());
    marks_.pop_back();
    return values;
  }
  void grow(std::span<const Index> values);
  void put(std::uint64_t id);
  void get(std::uint64_t id);
  void push_tuple(std::size_t count);
  void push_call(std::vector<Index> parts) { push(add_growing(Kind::call, std::move(parts))); }
  void push_global(Index module, Index name) {
    const Index parts[] = {module, name};
    push(add_fixed(Kind::global, parts));
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  Document document_;
  std::vector<Index> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, Index> memo_;
};

void Parser::grow(std::span<const Index> values) {
  const Value target = document_[top()];
  if (target.kind != Kind::list && target.kind != Kind::dict && target.kind != Kind::call)
    throw Stop("the pickle adds items to what holds none");
  auto& items = document_.lists_[target.first];
  items.insert(items.end(), values.begin(), values.end());
}

void Parser::put(std::uint64_t id) {
  // Readers keep the memo in an array: a number beyond the pickle's own size is an attack on
  // memory.
  if (id > bytes_.size()) throw Stop("the pickle numbers its values beyond sense");
  memo_[id] = top();
}

void Parser::get(std::uint64_t id) {
  const auto found = memo_.find(id);
  if (found == memo_.end()) throw Stop("the pickle refers to a value that is not there");
  push(found->second);
}

void Parser::push_tuple(std::size_t count) {
  Index items[3] = {};
  for (std::size_t i = count; i > 0; --i) items[i - 1] = pop();
  push(add_fixed(Kind::tuple, std::span(items, count)));
}

bool Parser::step() {
  const auto opcode = static_cast<Opcode>(read<unsigned char>());
  if (opcode == STOP) {
    document_.root = pop();
    document_.complete = true;
    return false;
  }
  if (!step_container(opcode) && !step_number_or_text(opcode) && !step_stack_or_memo(opcode) &&
      !step_object(opcode))
    throw Stop("the pickle holds an unknown instruction");
  return true;
}

bool Parser::step_container(Opcode opcode) {
  switch (opcode) {
  case EMPTY_TUPLE: push_tuple(0); return true;
  case TUPLE1: push_tuple(1); return true;
  case TUPLE2: push_tuple(2); return true;
  case TUPLE3: push_tuple(3); return true;
  case TUPLE: push(add_fixed(Kind::tuple, pop_to_mark())); return true;
  case EMPTY_LIST:
  case EMPTY_SET: push(add_growing(Kind::list, {})); return true;
  case LIST:
  case FROZENSET: push(add_growing(Kind::list, pop_to_mark())); return true;
  case EMPTY_DICT: push(add_growing(Kind::dict, {})); return true;
  case DICT: push(add_growing(Kind::dict, pop_to_mark())); return true;
  case APPENDS:
  case ADDITEMS:
  case SETITEMS: grow(pop_to_mark()); return true;
  case APPEND: {
    const Index item = pop();
    grow(std::span(&item, 1));
    return true;
  }
  case SETITEM: {
    Index items[2] = {};
    items[1] = pop();
    items[0] = pop();
    grow(items);
    return true;
  }
  default: return false;
  }
}

bool Parser::step_number_or_text(Opcode opcode) {
  switch (opcode) {
  case NONE: push(add(Value{})); return true;
  case NEWTRUE: push(add(number(Kind::boolean, 1))); return true;
  case NEWFALSE: push(add(number(Kind::boolean, 0))); return true;
  case BININT: push_integer(read<std::int32_t>()); return true;
  case BININT1: push_integer(read<std::uint8_t>()); return true;
  case BININT2: push_integer(read<std::uint16_t>()); return true;
  case LONG1: {
    const auto digits = take(read<std::uint8_t>());
    std::int64_t number = 0;
    std::memcpy(&number, digits.data(), std::min(digits.size(), sizeof number));
    push_integer(number);
    return true;
  }
  case LONG4:
    take(read<std::uint32_t>());
    push_integer(0);
    return true;
  case INT:
  case LONG:
  case FLOAT: push_text(line()); return true;
  case BINFLOAT: {
    const auto bits = __builtin_bswap64(read<std::uint64_t>());
    Value value = described(Kind::real, 0, 0);
    value.real = std::bit_cast<double>(bits);
    push(add(value));
    return true;
  }
  case STRING:
  case UNICODE: push_text(line()); return true;
  case BINSTRING:
  case BINUNICODE:
  case BINBYTES: push_text(take(read<std::uint32_t>())); return true;
  case SHORT_BINSTRING:
  case SHORT_BINUNICODE:
  case SHORT_BINBYTES: push_text(take(read<std::uint8_t>())); return true;
  case BINUNICODE8:
  case BINBYTES8:
  case BYTEARRAY8: push_text(take(read<std::uint64_t>())); return true;
  default: return false;
  }
}

bool Parser::step_stack_or_memo(Opcode opcode) {
  switch (opcode) {
  case PROTO: read<std::uint8_t>(); return true;
  case FRAME: read<std::uint64_t>(); return true;
  case MARK: marks_.push_back(stack_.size()); return true;
  case POP:
    if (!marks_.empty() && marks_.back() == stack_.size())
      marks_.pop_back();
    else
      pop();
    return true;
  case POP_MARK: pop_to_mark(); return true;
  case DUP: push(top()); return true;
  case BINPUT: put(read<std::uint8_t>()); return true;
  case LONG_BINPUT: put(read<std::uint32_t>()); return true;
  case PUT: put(std::stoull("0" + std::string(line().substr(0, 18)))); return true;
  case MEMOIZE: put(memo_.size()); return true;
  case BINGET: get(read<std::uint8_t>()); return true;
  case LONG_BINGET: get(read<std::uint32_t>()); return true;
  case GET: get(std::stoull("0" + std::string(line().substr(0, 18)))); return true;
  default: return false;
  }
}

bool Parser::step_object(Opcode opcode) {
  switch (opcode) {
  case GLOBAL: {
    const Index module = add_text(line());
    push_global(module, add_text(line()));
    return true;
  }
  case STACK_GLOBAL: {
    const Index name = pop();
    push_global(pop(), name);
    return true;
  }
  case REDUCE:
  case NEWOBJ: {
    const Index arguments = pop();
    push_call({pop(), arguments});
    return true;
  }
  case NEWOBJ_EX: {
    const Index named = pop();
    const Index arguments = pop();
    push_call({pop(), arguments, named});
    return true;
  }
  case OBJ: push_call(pop_to_mark()); return true;
  case INST: {
    const Index module = add_text(line());
    push_global(module, add_text(line()));
    const Index cls = pop();
    auto parts = pop_to_mark();
    parts.insert(parts.begin(), cls);
    push_call(std::move(parts));
    return true;
  }
  case BUILD: {
    const Index state = pop();
    grow(std::span(&state, 1));
    return true;
  }
  case PERSID: {
    const Index id = add_text(line());
    push(add_fixed(Kind::persistent, std::span(&id, 1)));
    return true;
  }
  case BINPERSID: {
    const Index id = pop();
    push(add_fixed(Kind::persistent, std::span(&id, 1)));
    return true;
  }
  case EXT1:
    read<std::uint8_t>();
    push(add(Value{}));
    return true;
  case EXT2:
    read<std::uint16_t>();
    push(add(Value{}));
    return true;
  case EXT4:
    read<std::uint32_t>();
    push(add(Value{}));
    return true;
  case NEXT_BUFFER: push(add(Value{})); return true;
  case READONLY_BUFFER: return true;
  default: return false;
  }
}

Document parse(std::string_view bytes) { return Parser(bytes).run(); }

} // namespace model_validator::pickle
