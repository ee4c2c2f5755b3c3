/* The C interface of model_validator, for other languages. The Python package is built on it.
 *
 * Everything is a question with one result. A result is never null, owns its texts, and lives until
 * it is freed. Nothing throws and nothing is printed. Texts are UTF-8, paths are the system's raw
 * bytes. Options are one JSON object; an option left out has the default of the command-line option
 * of that name; an unknown name is an error.
 *
 * Threads: every function may be called from several threads at once, with one session.
 * Forks: a session can be used only in the process that opened it. */
#ifndef MODEL_VALIDATOR_C_API_H
#define MODEL_VALIDATOR_C_API_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MV_PUBLIC __attribute__((visibility("default")))
#else
#define MV_PUBLIC
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when an existing function or structure changes; not when something is added. */
#define MV_API_VERSION 2
MV_PUBLIC int mv_api_version(void);
/* Version of the library: `0.1.0`. */
MV_PUBLIC const char* mv_version(void);

/* What a result says: the exit status of the command. */
typedef enum mv_status {
  MV_CLEAN = 0,
  MV_FINDINGS = 1, /* findings at or above `fail_on`; models that differ; values that differ */
  MV_ERROR = 2, /* the question could not be answered: see the text `error`. A model that could not
                   be read is reported in the report of mv_check itself. */
  MV_FAULT = 3  /* a fault of this library */
} mv_status;

typedef struct mv_result mv_result;
MV_PUBLIC mv_status mv_result_status(const mv_result* result);
/* A text of the result, ended by a zero byte; null if there is none of that name.
 * name: a format that was asked for (`json`, `sarif`, …); `log`, a JSON list of {"level", "text"};
 *       `error`, {"kind", "path", "message", "hint"}
 * size: receives the number of bytes; may be null */
MV_PUBLIC const char* mv_result_text(const mv_result* result, const char* name, size_t* size);
MV_PUBLIC void mv_result_free(mv_result* result);

/* Keeps the processes that read files between calls; they end with it. */
typedef struct mv_session mv_session;
/* program: `model_validator`; null: the one installed with this library
 * library_path: folders to search for LibTorch, separated by colons; may be null
 * Returns null if memory runs out. */
MV_PUBLIC mv_session* mv_session_open(const char* program, const char* library_path);
MV_PUBLIC void mv_session_close(mv_session* session);

/* Confines the calling process for good: from now on it reads files and computes, writes beneath
 * `folder` alone, starts no program, connects to nothing, and keeps of its environment what
 * libraries need for computing. It must have one thread. require: fail where the kernel does not
 * offer all of it; otherwise the text `json` of the result,
 *          {"missing": "…"}, says what is left open. */
MV_PUBLIC mv_result* mv_confine(const char* folder, int require);

/* A model: a file, or bytes in memory. */
typedef struct mv_model {
  const char* name; /* its name in reports; null: the path */
  const char* path; /* null: the bytes are read */
  const void* bytes;
  size_t size;
  int trusted; /* read in this process; otherwise in one that can only compute */
} mv_model;

/* Called about ten times a second while another process works; a nonzero result ends the question
 * with the error `interrupted`. */
typedef struct mv_interruption {
  int (*stop)(void* data);
  void* data;
} mv_interruption;

/* A question about models, which is a command of the program: all are read in this process if all
 * are trusted. `interruption` may be null. Options of all questions: max_memory (MB), max_cpu (s),
 * timeout (s), sandbox (auto, require, off), op_library, and format, but of check formats (a list).
 *
 * check: the report. formats: full, concise, json, jsonl, sarif, github, junit, html, markdown. The
 *   settings of a configuration file (target, select, severity, …), config, isolated,
 *   show_suppressed, verbose; decisions: where Python decided by values while the model was traced,
 *   [{"file", "line", "made": "boolean" or "number"}], from a caller who watched; rules: checks of
 *   the caller's own, with what they found, [{"name", "code", "summary", "severity",
 *   "on_by_default", "findings": [{"message", "severity", "module", "aliases", "parent", "op",
 *   "locations", "help", "notes"}]}].
 * graph: json, dot. inspect: json, table, ir, typed-ir, ranges; fingerprint. partition: json,
 * table; target, profile, fallback, smallest, gains. quantise-plan: json, table; target, scheme.
 * diff, of two models: json, text. Of check, graph, inspect, partition: inputs, input_files; but
 * for the last seed, samples, range, run_values, max_steps. */
MV_PUBLIC mv_result* mv_ask(mv_session* session, const char* question, const mv_model* models,
                            size_t count, const char* options, const mv_interruption* interruption);

/* An array in the caller's memory, with any strides. */
typedef struct mv_array {
  const void* data;  /* of the element whose coordinates are all zero */
  const char* dtype; /* `float32`, `bfloat16`, `bool`: PyTorch's names */
  size_t rank;
  const int64_t* shape;
  const int64_t* strides; /* in elements; null: row by row without gaps */
} mv_array;

/* What a model returned: arrays in lists, tuples and dicts, as JSON. There {"array": 0} stands for
 * the first of `arrays`, {"items": […], "names": […]} for a list or tuple (names: only for a named
 * tuple), {"entries": [["key", …], …]} for a dict, {"number": "nan"} for what JSON cannot write,
 * and everything else for itself. */
typedef struct mv_value {
  const char* structure;
  const mv_array* arrays;
  size_t count;
} mv_value;

/* Compares two results in one pass over their memory, threaded. Options: checker ({"name": "auto",
 * "allclose", "full", "exact", "quantised" or "default", and what that uses of "pcc", "rtol",
 * "atol", "dissimilarity_threshold", "pcc_alone", "equal_nan", "sqnr", "agreement"}), verify_size,
 * verify_dtype, verify_shape, verify_values, worst, histogram, threads, formats (json, text, junit,
 * html), reference and candidate (their names). The text `first_failure` is what TT-Forge would
 * throw; empty if all passed. */
MV_PUBLIC mv_result* mv_compare(const mv_value* reference, const mv_value* candidate,
                                const char* options);
/* PyTorch dynamo's `same`. fp64: a float64 result of the reference, may be null. Options: tol,
 * cos_similarity, equal_nan, exact_dtype. The text `json`: {"equal", "differences", "notes"}. */
MV_PUBLIC mv_result* mv_same(const mv_value* reference, const mv_value* result,
                             const mv_value* fp64, const char* options);

#ifdef __cplusplus
}
#endif

#endif
