/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Findings: what a recorded program does with device memory that costs it bytes, time or
 * safety, each with its numbers and what to change.
 *
 * One finding is one cause: thousands of the same are counted and added up in it, and
 * the worst few are named. A rule says nothing below its threshold (doc/findings.md), nor
 * where the trace cannot tell. Some rules are about bytes *at the peak*: those that were
 * in use when the program used most, so that what they save lowers the peak.
 *
 * What it does not do: replay. Whether the program runs on another device is for
 * berth_replay(); here a device gives limits and alignments to compare sizes with.
 *
 * Threads: calls on one trace are serialised by the caller; findings are only read.
 */
#ifndef BERTH_FINDINGS_H
#define BERTH_FINDINGS_H

#include <berth/caps.h>
#include <berth/trace.h>

BERTH_BEGIN_DECLS

/** A rule: what is looked for. Static. */
typedef struct berth_finding_rule {
	const char *id;	    /**< stable, as "F-CHURN" */
	const char *title;  /**< what is wrong, in a few words */
	const char *advice; /**< what to change, one sentence */
	bool note; /**< what it finds is no fault: it is worth knowing, and counts for nothing */
} berth_finding_rule;

/** An object, or a refused attempt to make one, that a finding is about. */
typedef struct berth_finding_object {
	uint64_t id;	  /**< BERTH_ID_NONE: there is none, or it is not known */
	uint64_t op;	  /**< seq of the op that it is about: its creation, or the op at fault */
	uint64_t bytes;	  /**< of this object in the finding's sum */
	uint64_t time_ns; /**< likewise */
	const char *kind; /**< "buffer", ...; NULL: it is not alive; a static string */
	uint64_t stack;	  /**< where that op was called (berth_trace_stack()); 0: not recorded */
	char label[64];	  /**< of the object, perhaps cut; empty: none */
} berth_finding_object;

/** At most so many are named in one finding. */
#define BERTH_FINDING_OBJECTS_MAX 8

/** Room for berth_finding.text. */
#define BERTH_FINDING_TEXT_BYTES 384

/** One finding. */
typedef struct berth_finding {
	const berth_finding_rule *rule;
	char text[BERTH_FINDING_TEXT_BYTES]; /**< what was found, with its numbers */
	uint64_t count;			     /**< how often, in objects or calls as the text says */
	uint64_t bytes;			     /**< together; 0: it is not about bytes */
	uint64_t time_ns;      /**< together; 0: it is not about time, or that is not known */
	uint64_t op;	       /**< seq of the first op that it is about; 0: the whole trace */
	uint32_t object_count; /**< of those that follow; fewer than @p count when many */
	berth_finding_object objects[BERTH_FINDING_OBJECTS_MAX]; /**< the worst first */
} berth_finding;

typedef struct berth_findings berth_findings;

/** Options of berth_findings_find(). Start from BERTH_FINDINGS_OPTIONS_INIT. */
typedef struct berth_findings_options {
	uint32_t size; /**< sizeof(berth_findings_options) */
	/**
	 * Limits and alignments to compare with; borrowed during the call. NULL: those of
	 * the device in the trace; of several the largest limits and smallest alignments.
	 */
	const berth_caps *caps;
	/** Called now and then with the ops that were looked at; may be NULL. */
	void (*progress)(uint64_t ops, uint64_t ops_total, void *userdata);
	void *userdata;
} berth_findings_options;

#define BERTH_FINDINGS_OPTIONS_INIT                                                                \
	{                                                                                          \
		sizeof(berth_findings_options), NULL, NULL, NULL                                   \
	}

/** @return rule @p index in the order of doc/findings.md; NULL after the last. Thread safe. */
BERTH_API const berth_finding_rule *berth_finding_rule_at(size_t index);

/**
 * Look for everything in one pass over the ops. Memory grows with the objects that are
 * alive at a time, not with the trace. Afterwards berth_trace_next() begins at the first
 * op, with BERTH_TRACE_FIELDS_ALL.
 * @param[out] out  owned by the caller (berth_findings_free())
 * @param options   NULL: the defaults
 * @retval BERTH_OK       also when nothing was found
 * @retval BERTH_E_INVAL  options->size is another
 * @retval BERTH_E_FORMAT a row is damaged; the detail names table, row and column
 * @retval BERTH_E_IO, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_findings_find(berth_findings **out,
							    berth_trace *trace,
							    const berth_findings_options *options);

/** @return finding @p index, in the order of the rules; NULL after the last. Borrowed. */
BERTH_API const berth_finding *berth_findings_at(const berth_findings *findings, size_t index);

/** @return how many findings there are that are not notes. */
BERTH_API size_t berth_findings_count(const berth_findings *findings);

/** Free findings; NULL is fine. */
BERTH_API void berth_findings_free(berth_findings *findings);

BERTH_END_DECLS

#endif
