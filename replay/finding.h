/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What looks for findings: a table of analysers (findings.c), each in a file of its own, that see
 * each op of a trace once.
 */
#ifndef BERTH_REPLAY_FINDING_H
#define BERTH_REPLAY_FINDING_H

#include <berth/findings.h>
#include <berth/objects.h>
#include <berth/residency_report.h>

#define BERTH__MIB (UINT64_C(1) << 20)

/* What is known of an object that is alive: berth_object.user. */
struct berth__facts {
	uint64_t created_seq;
	uint64_t own_bytes; /* 0: it lies on another */
	uint64_t first_use, last_use; /* seq of commands that touched it or what lies on it; 0: none */
	uint64_t content_seq; /* of the op that changed its content last; 0: none */
	uint64_t queue;	      /* that used it last ... */
	uint64_t enqueued;    /* ... with a command that did not block, of this seq */
	bool is_zombie;	      /* released, and held by what lies on it */
};

struct berth__finding_run {
	berth_findings *found;
	uint32_t capacity;
	berth_trace *trace;
	const berth_summary *summary;
	const berth_caps *caps;
	berth_objects *objects;
	uint64_t op_count;
	uint64_t alive_bytes; /* as the program asked, of objects that own memory */
	uint64_t peak_bytes;
	uint64_t seq;	      /* of the op that is looked at */
	uint64_t first_ns, last_ns;
	void *states[16]; /* of the analysers */
};

struct berth__analyser {
	size_t state_bytes; /* zeroed at the beginning */
	/* NULL where there is nothing to do. */
	berth_status (*begin)(struct berth__finding_run *run, void *state);
	/* Each answered op, before it takes effect on run->objects. */
	berth_status (*op)(struct berth__finding_run *run, void *state, const berth_trace_op *row);
	berth_status (*made)(struct berth__finding_run *run, void *state,
			     const berth_trace_op *row, const berth_object *object);
	/* The last of an object: its children are gone. */
	void (*end)(struct berth__finding_run *run, void *state, const berth_object *object);
	berth_status (*report)(struct berth__finding_run *run, void *state);
	void (*free)(void *state);
};

extern const struct berth__analyser berth__finding_churn, berth__finding_lifetime,
	berth__finding_backlog, berth__finding_padding, berth__finding_limits,
	berth__finding_alignment, berth__finding_parents, berth__finding_arguments,
	berth__finding_duplicates, berth__finding_zero_copy, berth__finding_waits,
	berth__finding_releases;

/* From the summary and the residency report, which look at the trace themselves. */
berth_status berth__finding_leaks(struct berth__finding_run *run);
berth_status berth__finding_transfers(struct berth__finding_run *run,
				      const berth_residency *report);

/*
 * The residency report of a trace, made by a thread of its own with a handle of its own: it
 * takes as long as all the rest.
 */
struct berth__finding_residency;
/* BERTH_OK, BERTH_E_NOMEM; what follows is to end with berth__finding_residency_end(). */
berth_status berth__finding_residency_begin(struct berth__finding_residency **out,
					    const char *path);
/* Wait for it. @report: berth_residency_free(). What failed there fails here. NULL is fine. */
berth_status berth__finding_residency_end(struct berth__finding_residency *residency,
					  berth_residency **report);

static inline struct berth__facts *berth__facts_of(const berth_object *object)
{
	return object->user;
}

/* Room for one more finding, zeroed but for its kind; NULL: no memory. */
berth_finding *berth__finding_add(struct berth__finding_run *run, berth_finding_kind kind);

/* The texts of a finding. */
void berth__finding_say(berth_finding *finding, const char *format, ...) BERTH_PRINTF(2, 3);
void berth__finding_advise(berth_finding *finding, const char *format, ...) BERTH_PRINTF(2, 3);

/* Name an object, unless the finding names enough, or this one, already. */
void berth__finding_name(berth_finding *finding, uint64_t object);

/* "3.5 MiB" and the like. */
#define BERTH__BYTES_TEXT 24
const char *berth__bytes_text(char text[BERTH__BYTES_TEXT], uint64_t bytes);

static inline uint64_t berth__percent(uint64_t part, uint64_t whole)
{
	return whole == 0 ? 0 : (uint64_t)((double)part * 100.0 / (double)whole);
}

#endif
