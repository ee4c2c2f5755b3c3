#include "validators/unpickled_names.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/standard_modules.h>
#include <model_validator/data/words.h>

#include <cctype>
#include <string>
#include <utility>

namespace model_validator {
namespace {

/// What torch's own restricted unpickler takes beside storages and tensors
/// (`torch._weights_only_unpickler._get_allowed_globals` of torch 2.13).
constexpr auto& of_torch = word_array<
    "_codecs.encode builtins.bytearray builtins.complex builtins.set collections.Counter "
    "collections.OrderedDict torch.Size torch.Tensor torch._tensor._rebuild_from_type_v2 "
    "torch._utils._rebuild_device_tensor_from_cpu_tensor "
    "torch._utils._rebuild_device_tensor_from_numpy "
    "torch._utils._rebuild_meta_tensor_no_storage torch._utils._rebuild_nested_tensor "
    "torch._utils._rebuild_parameter torch._utils._rebuild_parameter_with_state "
    "torch._utils._rebuild_qtensor torch._utils._rebuild_sparse_tensor "
    "torch._utils._rebuild_tensor torch._utils._rebuild_tensor_v2 "
    "torch._utils._rebuild_tensor_v3 torch._utils._rebuild_wrapper_subclass torch.bool "
    "torch.device torch.nn.parameter.Parameter torch.per_channel_affine "
    "torch.per_channel_affine_float_qparams torch.per_channel_symmetric "
    "torch.per_tensor_affine torch.per_tensor_symmetric torch.serialization._get_layout">;
/// `torch.float8_e4m3fn`; digits follow.
constexpr auto& dtypes = word_array<"bfloat bits complex float int qint quint uint">;

/// Other plain values that callers of models pass; and what torch itself writes for tensors that
/// were exported without values.
constexpr auto& plain = word_array<
    "builtins.bool builtins.bytes builtins.dict builtins.float builtins.frozenset "
    "builtins.int builtins.list builtins.object builtins.range builtins.slice builtins.str "
    "builtins.tuple collections.defaultdict collections.deque copyreg.__newobj__ "
    "copyreg._reconstructor datetime.date datetime.datetime datetime.timedelta "
    "decimal.Decimal fractions.Fraction numpy._core.multiarray._reconstruct "
    "numpy._core.multiarray.scalar numpy.core.multiarray._reconstruct "
    "numpy.core.multiarray.scalar numpy.dtype numpy.ndarray pathlib.PosixPath "
    "pathlib.PurePosixPath torch._export.serde.serialize._reconstruct_fake_tensor "
    "types.SimpleNamespace uuid.UUID">;

/// Names of Python 2, which pickles of the protocols before 3 have (`_compat_pickle` of Python).
const std::pair<std::string_view, std::string> renamed[] = {
    {"__builtin__.long", "builtins.int"},
    {"__builtin__.unicode", "builtins.str"},
    {"__builtin__.xrange", "builtins.range"},
    {"__builtin__.", "builtins."},
    {"copy_reg.", "copyreg."}};
/// Other modules that they name, which are Python's own under another name.
constexpr auto& modules_of_python_2 = word_array<
    "BaseHTTPServer CGIHTTPServer ConfigParser Cookie Dialog FileDialog HTMLParser Queue "
    "ScrolledText SimpleDialog SimpleHTTPServer SimpleXMLRPCServer SocketServer StringIO Tix "
    "Tkconstants Tkinter UserDict UserList UserString __builtin__ anydbm cPickle cStringIO "
    "commands cookielib dbhash dbm dumbdbm dummy_thread exceptions gdbm htmlentitydefs httplib "
    "itertools markupbase repr robotparser test thread tkColorChooser tkCommonDialog tkFileDialog "
    "tkFont tkMessageBox tkSimpleDialog ttk turtle urllib urllib2 urlparse whichdb xmlrpclib">;

bool is_dtype(std::string_view word) {
  for (const std::string_view start : dtypes)
    if (word.size() > start.size() && word.starts_with(start) &&
        std::isdigit(static_cast<unsigned char>(word[start.size()])) != 0)
      return true;
  return false;
}

/// `torch.cuda.sparse.FloatTensor`, `torch.LongStorage`.
bool is_kind_of_tensor(std::string_view module, std::string_view word) {
  const bool is_module = module == "torch" || module == "torch.storage" || module == "torch.cuda" ||
                         module == "torch.sparse" || module == "torch.cuda.sparse";
  return is_module && (word.ends_with("Storage") || word.ends_with("Tensor"));
}

/// Python's convention: functions and methods begin in lower case.
bool is_class(std::string_view word) {
  const auto letter = word.find_first_not_of('_');
  return letter != word.npos && std::isupper(static_cast<unsigned char>(word[letter])) != 0;
}

bool is_data(std::string_view name, std::string_view module, std::string_view word) {
  return contains(of_torch, name) || contains(plain, name) || is_kind_of_tensor(module, word) ||
         (module == "torch" && is_dtype(word));
}

/// Whether Python itself, or torch's own C++, has it.
bool is_of_python(std::string_view name) {
  const std::string_view package = name.substr(0, name.find('.'));
  return (package.starts_with('_') && package != "__main__") || is_standard_module(package) ||
         contains(modules_of_python_2, package) || name.starts_with("torch._C.");
}

/// @param name  of a module, and of what is in it
UnpickledName judge_joined(std::string_view name) {
  const auto dot = name.rfind('.');
  if (dot == name.npos || dot == 0) return UnpickledName::code; // what is computed has no name
  const std::string_view word = name.substr(dot + 1);
  if (is_data(name, name.substr(0, dot), word)) return UnpickledName::data;
  return is_class(word) && !is_of_python(name) ? UnpickledName::object : UnpickledName::code;
}

} // namespace

UnpickledName judge_unpickled(std::string_view name) {
  for (const auto& [old, now] : renamed)
    if (name.starts_with(old)) return judge_unpickled(now + std::string(name.substr(old.size())));
  const auto colon = name.find(':');
  if (colon == name.npos) return judge_joined(name);
  // A class in a class; another module is reached by a name in lower case.
  if (!is_class(name.substr(colon + 1))) return UnpickledName::code;
  std::string joined(name);
  joined[colon] = '.';
  return judge_unpickled(joined);
}

} // namespace model_validator
