/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Probing a device: does it keep to the specification, and what does it do where it does not?
 *
 * Cases on either side of each rule's boundary (rules.h), made from the device's own
 * capabilities, are executed in child processes: drivers crash and hang on some of
 * them. A process that has loaded a driver is not one to fork, so the caller's never
 * does: devices are opened in the children only.
 *
 * Each case makes its own objects, executes one op, uses what the op made, and
 * releases everything. What the driver prints is dropped.
 *
 * Threads: calls on one probe are serialised by the caller. berth_probe_run() forks:
 * call it from a process without other threads.
 */
#ifndef BERTH_PROBE_H
#define BERTH_PROBE_H

#include <berth/rules.h>
#include <berth/sim.h>

BERTH_BEGIN_DECLS

/** X(name, value, string): what comes of a case, the worse the later. */
#define BERTH_PROBE_OUTCOME_MAP(X)                                             \
	X(BERTH_PROBE_NOT_APPLICABLE, 0, "not applicable")                     \
	X(BERTH_PROBE_AGREES, 1, "agrees")                                     \
	X(BERTH_PROBE_DEVIATES, 2, "deviates")                                 \
	X(BERTH_PROBE_HANGS, 3, "hangs")                                       \
	X(BERTH_PROBE_CRASHES, 4, "crashes")

typedef enum berth_probe_outcome {
#define X(name, value, string) name = value,
	BERTH_PROBE_OUTCOME_MAP(X)
#undef X
} berth_probe_outcome;

/** One more than the largest berth_probe_outcome. */
#define BERTH_PROBE_OUTCOME_END 5

/** @return "agrees" and the like; a static string, "unknown" otherwise. Thread safe. */
BERTH_API const char *berth_probe_outcome_string(berth_probe_outcome outcome);

/** One case and its answer. */
typedef struct berth_probe_case {
	const berth_rule *rule; /**< that the case is about */
	const char *name;	/**< unique among the cases of its rule and side; static */
	bool breaks;		/**< false: it lies just on the legal side */
	berth_op_kind kind;	/**< of its op */
	berth_op_form form;
	berth_probe_outcome outcome;
	char reason[192]; /**< one line: why it is not applicable, or what is wrong; else empty */
	bool answered;	  /**< false: not executed, or the process ended or hung in the op */
	int32_t expected; /**< the specification's first answer; CL_SUCCESS: accept it */
	uint32_t code_count;
	int32_t codes[BERTH_RESULT_CODES_MAX]; /**< other answers that conform as well */
	int32_t answer; /**< the device's */
	bool used;	/**< what the op made was used afterwards */
	int32_t use_answer; /**< of the first use: CL_SUCCESS or why not */
	int signal;	/**< that ended the process; 0: none */
} berth_probe_case;

typedef struct berth_probe berth_probe;

typedef void berth_probe_visit_fn(const berth_probe_case *one, void *userdata);

typedef struct berth_probe_progress {
	size_t done;
	size_t total;
} berth_probe_progress;

/** Called after each case. */
typedef void berth_probe_progress_fn(const berth_probe_progress *progress, void *userdata);

/** Options of berth_probe_run(). Start from BERTH_PROBE_OPTIONS_INIT. */
typedef struct berth_probe_options {
	uint32_t size; /**< sizeof(berth_probe_options) */
	uint32_t timeout_ms; /**< for one case, and for opening the device; 0: 20 s */
	/** Ids of rules, ended by NULL: only their cases ("R100" stands for "R100.bounds" too). */
	const char *const *only;
	bool plan_only; /**< execute no case: what would be done */
	berth_probe_progress_fn *progress; /**< may be NULL */
	void *userdata;
} berth_probe_options;

#define BERTH_PROBE_OPTIONS_INIT { sizeof(berth_probe_options), 0, NULL, false, NULL, NULL }

/**
 * Execute the cases on a device.
 * @param device  as berth_device_open() takes it
 * @param options NULL: the defaults
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL      options->size is another
 * @retval BERTH_E_NOT_FOUND  a rule in `only` is none
 * @retval BERTH_E_IO         no child process can be made
 * @retval BERTH_E_LOST       the driver crashed or hung when it was opened
 * @retval BERTH_E_NOMEM
 * Other statuses are those of berth_device_open().
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_probe_run(berth_probe **out, const char *device,
							const berth_probe_options *options);

/** What was measured; 0 is not known. */
typedef struct berth_probe_measures {
	berth_transfer_times transfer;
	/** The life of a buffer: its size, and how much more memory the process had, then. */
	uint64_t buffer_bytes;
	uint64_t created_bytes;	 /**< after its creation */
	uint64_t used_bytes;	 /**< after the first write of all of it */
	uint64_t released_bytes; /**< after its release */
	uint64_t finished_bytes; /**< after the sync that followed */
	uint64_t create_ns;
	uint64_t first_write_ns;
	uint64_t second_write_ns;
	/** A 2D image without memory of the program, of rows that no usual alignment divides. */
	uint64_t image_row_bytes;
	uint64_t image_row_pitch_bytes;
	uint64_t image_slice_pitch_bytes;
	uint64_t map_row_pitch_bytes; /**< of its mapping */
} berth_probe_measures;

/**
 * Measure, in a child process: transfers of 4 KiB to 64 MiB (medians, and a straight line
 * through them), when memory is taken and given back, pitches. Simulated devices move
 * no bytes: what is measured of them means nothing.
 * @retval BERTH_OK
 * @retval BERTH_E_IO    no child process can be made
 * @retval BERTH_E_LOST  the driver crashed or hung
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_probe_measure(berth_probe *probe);

/** @return what berth_probe_measure() found; all 0 before. Borrowed. */
BERTH_API const berth_probe_measures *berth_probe_measured(const berth_probe *probe);

/** How many buffers of one size fit together. */
typedef struct berth_probe_filled {
	uint64_t bytes; /**< of each */
	uint64_t count;
	int32_t code;  /**< that ended it */
	bool complete; /**< false: time ran out, at least so many fit */
} berth_probe_filled;

/**
 * Fill the device with buffers of a size, each written to once, in a child process, until
 * one is refused or a minute is over.
 * @param[out] out  written on BERTH_OK
 * @retval BERTH_OK
 * @retval BERTH_E_UNSUPPORTED  the device has the host's memory, which is not filled
 * @retval BERTH_E_IO    no child process can be made
 * @retval BERTH_E_LOST  the driver crashed or hung
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_probe_fill(berth_probe_filled *out,
							 const berth_probe *probe, uint64_t bytes);

/**
 * The memory model that explains how many buffers of several sizes fit: capacity,
 * granularity, and up to which size objects share. The smallest granularity that does.
 * @param[in,out] model  its other fields stay; unchanged but on BERTH_OK
 * @retval BERTH_OK
 * @retval BERTH_E_NOT_FOUND  none of the usual granularities does
 * Thread safe.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_probe_fit_memory(berth_memory_model *model,
							       const berth_probe_filled *filled,
							       size_t count);

/** Free a probe; NULL is fine. */
BERTH_API void berth_probe_destroy(berth_probe *probe);

/** @return the device's capabilities; borrowed. */
BERTH_API const berth_caps *berth_probe_caps(const berth_probe *probe);

/** @return the number of cases. */
BERTH_API size_t berth_probe_count(const berth_probe *probe);

/** @return case @p index, in the order of the rules table; NULL past the end. Borrowed. */
BERTH_API const berth_probe_case *berth_probe_at(const berth_probe *probe, size_t index);

/**
 * The profile of a simulated device that answers the cases as the device did: its
 * capabilities, deviations, order of checks and behaviour; with berth_probe_measure()
 * before, transfer times and pitches as well.
 * @param differs  called for each case that it does not answer as the device did, as when
 *                 one rule's cases were answered in several ways; may be NULL
 * @retval BERTH_OK, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_probe_learn(berth_profile *out,
							  const berth_probe *probe,
							  berth_probe_visit_fn *differs,
							  void *userdata);

/**
 * Write what was executed, with the device's answers, as a trace. Cases that ended or
 * hung the process are left out: a trace ends where its program does.
 * @retval BERTH_OK, BERTH_E_IO, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_probe_record(const berth_probe *probe,
							   const char *path);

BERTH_END_DECLS

#endif
