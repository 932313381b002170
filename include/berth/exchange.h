/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Traces as the files of other programs, and back (doc/export-import.md).
 *
 * Exports are read by viewers, tables and other allocators' tools; imports make a trace that
 * everything here reads: what another allocator logged can be shown, replayed and compared.
 *
 * Files that are imported are not trusted: each error names the file's line, or the byte. Memory
 * grows with what is alive at one moment, but for planner tables and PyTorch snapshots, which
 * have to be held (doc/export-import.md says how much).
 *
 * All functions are thread safe; calls on one trace are serialised by the caller.
 */
#ifndef BERTH_EXCHANGE_H
#define BERTH_EXCHANGE_H

#include <berth/trace.h>

BERTH_BEGIN_DECLS

/** X(name, value, string, can be exported, can be imported, text). */
#define BERTH_EXCHANGE_FORMAT_MAP(X)                                                               \
	X(BERTH_EXCHANGE_CHROME, 0, "chrome", true, false,                                         \
	  "Chrome's trace event format, for Perfetto and chrome://tracing")                        \
	X(BERTH_EXCHANGE_CSV, 1, "csv", true, true, "a table of all calls, with all they had")     \
	X(BERTH_EXCHANGE_OBJECTS, 2, "objects", true, false, "a table of all objects (CSV)")       \
	X(BERTH_EXCHANGE_RMM, 3, "rmm", true, true, "the log of RMM's logging_resource_adaptor")   \
	X(BERTH_EXCHANGE_PLAN, 4, "plan", true, true,                                              \
	  "a planner's table of lifetimes (CSV); in: allocation lists as well")                    \
	X(BERTH_EXCHANGE_PYTORCH, 5, "pytorch", false, true,                                       \
	  "a memory snapshot of PyTorch (pickle, protocols 2 to 5)")

/** A format of files. */
typedef enum berth_exchange_format {
#define X(name, value, string, exported, imported, text) name = value,
	BERTH_EXCHANGE_FORMAT_MAP(X)
#undef X
} berth_exchange_format;

/** One more than the largest berth_exchange_format. */
#define BERTH_EXCHANGE_FORMAT_END 6

/** @return "chrome" and the like; static, "unknown" otherwise. */
BERTH_API const char *berth_exchange_format_string(berth_exchange_format format);

/** @return what the format is, in words; static, "unknown" otherwise. */
BERTH_API const char *berth_exchange_format_text(berth_exchange_format format);

/** @return whether berth_export() writes it. */
BERTH_API bool berth_exchange_format_exported(berth_exchange_format format);

/** @return whether berth_import() reads it. */
BERTH_API bool berth_exchange_format_imported(berth_exchange_format format);

/**
 * @retval BERTH_OK
 * @retval BERTH_E_NOT_FOUND  not the name of a format
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_exchange_format_parse(berth_exchange_format *out,
								    const char *name);

/**
 * Called now and then: @p done of @p total units (calls of an export, bytes of an import).
 */
typedef void berth_exchange_progress_fn(uint64_t done, uint64_t total, void *userdata);

/** Options of berth_export(). Start from BERTH_EXPORT_OPTIONS_INIT. */
typedef struct berth_export_options {
	uint32_t size; /**< sizeof(berth_export_options) */
	berth_exchange_progress_fn *progress; /**< or NULL */
	void *userdata;			      /**< for progress */
} berth_export_options;

#define BERTH_EXPORT_OPTIONS_INIT { sizeof(berth_export_options), NULL, NULL }

/**
 * Write a trace as a file of another format. The file appears whole or not at all: until
 * then it is PATH.tmpPID, which is left when the process is killed. A device or a pipe is written to
 * as it is.
 *
 * @param path     what is there is replaced
 * @param trace    read from its first op to its last
 * @param options  NULL for the defaults
 * @retval BERTH_OK
 * @retval BERTH_E_UNSUPPORTED  the format is not written
 * @retval BERTH_E_INVAL        no such format, or options->size is another
 * @retval BERTH_E_FORMAT       the trace is damaged
 * @retval BERTH_E_IO, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_export(const char *path, berth_trace *trace,
						     berth_exchange_format format,
						     const berth_export_options *options);

/** Options of berth_import(). Start from BERTH_IMPORT_OPTIONS_INIT. */
typedef struct berth_import_options {
	uint32_t size; /**< sizeof(berth_import_options) */
	const berth_caps *caps; /**< the device that the trace names; NULL: it names none. Borrowed */
	/**
	 * PyTorch: the objects are the segments that its allocator took from the driver, not the
	 * blocks that it handed out.
	 */
	bool segments;
	berth_exchange_progress_fn *progress; /**< or NULL */
	void *userdata;			      /**< for progress */
} berth_import_options;

#define BERTH_IMPORT_OPTIONS_INIT { sizeof(berth_import_options), NULL, false, NULL, NULL }

/** What an import made. */
typedef struct berth_import_result {
	uint64_t ops;	   /**< rows of the trace */
	uint64_t objects;  /**< made, in it */
	uint64_t before;   /**< of these: there already when the file begins */
	uint64_t failures; /**< allocations that failed */
	uint64_t empty;	   /**< rows left out: allocations of no bytes, and their ends */
	uint64_t unreleased; /**< objects that the file does not end */
} berth_import_result;

/**
 * Which format a file has, by its content: its header line, or how it begins.
 * @param[out] out  one that can be imported; on success only
 * @retval BERTH_OK
 * @retval BERTH_E_FORMAT  none of them
 * @retval BERTH_E_IO      cannot be opened or read
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_import_guess(berth_exchange_format *out,
							   const char *path);

/**
 * Make a trace of a file. The trace appears whole or not at all: until then it is
 * PATH.tmpPID, with SQLite's files beside it, which are left when the process is killed.
 *
 * @param[out] out    may be NULL; on success only
 * @param trace_path  a file that is there is replaced; a device or a pipe is BERTH_E_IO
 * @param path        the file to read
 * @param options     NULL for the defaults
 * @retval BERTH_OK
 * @retval BERTH_E_FORMAT       not such a file, or damaged; the detail names the place: a row that
 *                              is no row, a number out of range, memory that is freed and is not
 *                              allocated, an address that is allocated twice, an opcode that is
 *                              not data
 * @retval BERTH_E_UNSUPPORTED  the format is not read
 * @retval BERTH_E_INVAL        no such format, or options->size is another
 * @retval BERTH_E_IO           cannot be read, or the trace cannot be written
 * @retval BERTH_E_LIMIT        a snapshot that is too large or nested too deep
 * @retval BERTH_E_OVERFLOW, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_import(berth_import_result *out,
						     const char *trace_path, const char *path,
						     berth_exchange_format format,
						     const berth_import_options *options);

BERTH_END_DECLS

#endif
