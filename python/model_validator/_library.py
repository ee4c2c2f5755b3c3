"""The C interface of the core library (`model_validator/c_api.h`), through ctypes."""

from __future__ import annotations

import ctypes
import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from ctypes import POINTER, Structure, c_char_p, c_int, c_int64, c_size_t, c_void_p
from dataclasses import dataclass
from typing import Any

from . import _places, _torch
from ._trace_log import TraceLog
from .errors import ModelValidatorError

API_VERSION = 2
ERROR = 2
FAULT = 3


class CModel(Structure):
    """`mv_model`"""

    _fields_ = (("name", c_char_p), ("path", c_char_p), ("bytes", c_void_p), ("size", c_size_t), ("trusted", c_int))


class CArray(Structure):
    """`mv_array`"""

    _fields_ = (
        ("data", c_void_p),
        ("dtype", c_char_p),
        ("rank", c_size_t),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
    )


class CValue(Structure):
    """`mv_value`"""

    _fields_ = (("structure", c_char_p), ("arrays", POINTER(CArray)), ("count", c_size_t))


Stop = ctypes.CFUNCTYPE(c_int, c_void_p)


class CInterruption(Structure):
    """`mv_interruption`"""

    _fields_ = (("stop", Stop), ("data", c_void_p))


FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "mv_api_version": (c_int, []),
    "mv_version": (c_char_p, []),
    "mv_result_status": (c_int, [c_void_p]),
    "mv_result_text": (c_void_p, [c_void_p, c_char_p, POINTER(c_size_t)]),
    "mv_result_free": (None, [c_void_p]),
    "mv_session_open": (c_void_p, [c_char_p, c_char_p]),
    "mv_session_close": (None, [c_void_p]),
    "mv_ask": (c_void_p, [c_void_p, c_char_p, POINTER(CModel), c_size_t, c_char_p, POINTER(CInterruption)]),
    "mv_confine": (c_void_p, [c_char_p, c_int]),
    "mv_compare": (c_void_p, [POINTER(CValue), POINTER(CValue), c_char_p]),
    "mv_same": (c_void_p, [POINTER(CValue), POINTER(CValue), POINTER(CValue), c_char_p]),
}


@dataclass(frozen=True)
class Answer:
    """The answer to a question."""

    status: int
    texts: Mapping[str, str]


class MemoryFile:
    """A file in the memory of this process, removed with this object."""

    def __init__(self) -> None:
        self._descriptor = os.memfd_create("model")
        self.path = f"/proc/self/fd/{self._descriptor}"

    def __del__(self) -> None:
        os.close(self._descriptor)

    def content(self) -> memoryview:
        """A copy of its bytes."""
        with open(self.path, "rb") as file:
            return memoryview(file.read())


@dataclass(frozen=True)
class Source:
    """A model that the library can read."""

    name: str
    """Its name in reports: for a file, the path."""
    content: memoryview | MemoryFile | None = None
    """Its bytes; None: the file of that name."""
    trusted: bool = False
    """Read in this process."""
    needs_torch: bool = False
    """Known to be TorchScript."""
    path: str | None = None
    """Where the file is, if its name in reports is not its path."""
    trace_log: TraceLog | None = None
    """Of a module that was traced for this."""

    def as_c(self, trusted: bool) -> CModel:
        """Valid while this object lives. trusted: whether all models of the call are"""
        name = os.fsencode(self.name)
        if b"\0" in name:
            raise ModelValidatorError("bad-options", "", "the name of a model contains a null character")
        if self.content is None:
            return CModel(name, os.fsencode(self.path) if self.path else name, None, 0, trusted)
        if isinstance(self.content, MemoryFile) and trusted:
            return CModel(name, os.fsencode(self.content.path), None, 0, trusted)
        content = self.bytes()
        model = CModel(name, None, address_of(content), content.nbytes, trusted)
        model.content = content  # kept alive by this object
        return model

    def bytes(self) -> memoryview:
        """The bytes of a model in memory."""
        if isinstance(self.content, MemoryFile):
            return self.content.content()
        if self.content is None:
            raise ValueError("the model is a file")
        return self.content


def address_of(content: memoryview) -> int:
    """The address of bytes, which may be read-only."""
    if content.nbytes == 0:
        return ctypes.addressof(EMPTY)
    if not content.readonly:
        return ctypes.addressof(ctypes.c_char.from_buffer(content))
    value = content.obj
    if isinstance(value, bytes) and content.nbytes == len(value):
        return ctypes.cast(c_char_p(value), c_void_p).value or 0
    raise ValueError("expected bytes")


EMPTY = ctypes.c_char()


class _Library:
    """The loaded library, and a session of this process, both created when first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._functions: ctypes.CDLL | None = None
        self._session: int | None = None
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        # A session belongs to the process that opened it; another thread may have held the lock.
        self._lock = threading.Lock()
        self._session = None

    @property
    def functions(self) -> ctypes.CDLL:
        if self._functions is None:
            with self._lock:
                self._functions = self._functions or _load()
        return self._functions

    @property
    def session(self) -> int:
        functions = self.functions
        with self._lock:
            if self._session is None:
                torch = _torch.library_folder()
                opened = functions.mv_session_open(os.fsencode(_places.program()), os.fsencode(torch) if torch else None)
                if not opened:
                    raise MemoryError
                self._session = int(opened)
            return self._session

    def call(self, function: str, *arguments: Any) -> Answer:
        """Calls a function that returns a result. @raises ModelValidatorError if the result is an error"""
        result = getattr(self.functions, function)(*arguments)
        try:
            answer = Answer(self.functions.mv_result_status(result), _Texts(self.functions, result).all())
        finally:
            self.functions.mv_result_free(result)
        if "error" in answer.texts:
            raise ModelValidatorError(**json.loads(answer.texts["error"]))
        if answer.status >= ERROR and not answer.texts:
            raise MemoryError
        return answer


NAMES = (
    "json", "full", "sarif", "log", "error", "dot", "table", "ir", "typed-ir", "ranges", "text", "html", "first_failure",
    "code",
)  # fmt: skip


class _Texts:
    def __init__(self, functions: ctypes.CDLL, result: int) -> None:
        self._functions = functions
        self._result = result

    def one(self, name: str) -> str | None:
        size = c_size_t()
        text = self._functions.mv_result_text(self._result, name.encode(), ctypes.byref(size))
        # A name in a file need not be UTF-8.
        return ctypes.string_at(text, size.value).decode("utf-8", "surrogateescape") if text else None

    def all(self) -> dict[str, str]:
        found = ((name, self.one(name)) for name in NAMES)
        return {name: text for name, text in found if text is not None}


def _load() -> ctypes.CDLL:
    path = _places.library()
    if not path.exists():
        hint = "install the wheel again, by its path: pip install --force-reinstall FILE.whl"
        raise ModelValidatorError("not-found", str(path), "the library of this package is missing", hint)
    library = ctypes.CDLL(str(path))
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    found = library.mv_api_version()
    if found != API_VERSION:
        wrong = f"the library has the C interface {found}, but this package needs {API_VERSION}"
        raise ModelValidatorError("version-mismatch", str(path), wrong)
    return library


LIBRARY = _Library()


class _Waiting:
    """A call that can be interrupted: the main thread, where Python's signal handlers run, leaves it to another thread."""

    def __init__(self) -> None:
        self._ended = threading.Event()
        self._stop = Stop(lambda _data: int(self._ended.is_set()))
        self.interruption = CInterruption(self._stop, None)

    def result_of(self, work: Callable[[], Answer]) -> Answer:
        """@raises whatever the work or a signal handler raises"""
        if threading.current_thread() is not threading.main_thread():
            return work()
        outcome = _Outcome(work)
        thread = threading.Thread(target=outcome.resolve, name="model_validator")
        try:
            thread.start()
            outcome.known.wait()
        except BaseException:
            self._ended.set()
            if thread.ident is not None:
                outcome.known.wait()  # not `join`, which takes a thread for ended once it was interrupted (Python 3.11)
            raise
        return outcome.result()


class _Outcome:
    """The outcome of work in another thread."""

    def __init__(self, work: Callable[[], Answer]) -> None:
        self._work = work
        self.known = threading.Event()
        self._answer: Answer | None = None
        self._error: BaseException | None = None

    def resolve(self) -> None:
        try:
            self._answer = self._work()
        except BaseException as error:  # raised when the result is asked for
            self._error = error
        finally:
            self.known.set()

    def result(self) -> Answer:
        if self._answer is None:
            raise self._error or RuntimeError("the work was not done")
        return self._answer


def as_json(options: Mapping[str, Any]) -> bytes:
    """The options as the C interface reads them. @raises ModelValidatorError (`bad-options`) for NaN and infinity"""
    for name, value in options.items():
        try:
            json.dumps(value, allow_nan=False, default=os.fspath)
        except ValueError:
            raise ModelValidatorError("bad-options", "", f"`{name}` is not finite: {value!r}") from None
        except TypeError:
            raise TypeError(f"`{name}` cannot be {type(value).__name__}: {value!r}") from None
    return json.dumps(options, default=os.fspath).encode()


def ask(question: str, sources: Sequence[Source], options: Mapping[str, Any]) -> Answer:
    """Asks about models. @raises ModelValidatorError, or what a signal handler raises while another process reads"""
    text = as_json({name: value for name, value in options.items() if value is not None})
    trusted = all(source.trusted for source in sources)
    models = [source.as_c(trusted) for source in sources]  # they keep bytes alive
    given = (question.encode(), (CModel * len(models))(*models), len(models), text)
    try:
        if trusted:
            prepare_libtorch(sources)
            return LIBRARY.call("mv_ask", None, *given, None)
        session, waiting = LIBRARY.session, _Waiting()
        interruption = ctypes.byref(waiting.interruption)
        return waiting.result_of(lambda: LIBRARY.call("mv_ask", session, *given, interruption))
    except ModelValidatorError as error:
        raise _explained(error).with_traceback(None) from None


def prepare_libtorch(sources: Sequence[Source]) -> None:
    """Loads LibTorch before this process needs it. @raises ModelValidatorError if its version does not fit"""
    wrong = _torch.misfit()
    if wrong is None:
        _torch.load_libtorch()
    elif any(source.needs_torch for source in sources):
        raise ModelValidatorError("no-libtorch", sources[0].name, *wrong)


def _explained(error: ModelValidatorError) -> ModelValidatorError:
    """The error, with a better explanation if Python knows why LibTorch is missing."""
    wrong = _torch.misfit() if error.kind == "no-libtorch" else None
    return ModelValidatorError(error.kind, error.path, *wrong) if wrong else error


def call(function: str, *arguments: Any) -> Answer:
    """Calls a function of the library that asks about no model."""
    return LIBRARY.call(function, *arguments)


def version() -> str:
    """The version of the library."""
    return str(LIBRARY.functions.mv_version().decode())
