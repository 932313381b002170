/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How findings are made. findings.c goes through the ops once, and what is alive is known
 * (finding_world.c); each rule (finding_<what>.c) is told of what happens, keeps its state,
 * and at the end says what it found (finding_fold.c).
 *
 * Bytes at the peak are added up although nobody knows before the end when the peak is:
 * what ends at an op was alive at the peak so far if it began before it. A later, higher
 * peak makes the sum begin again, and nothing is lost by that: all that was alive at the
 * higher peak is still to end.
 */
#ifndef BERTH_REPLAY_FINDING_H
#define BERTH_REPLAY_FINDING_H

#include <berth/findings.h>
#include <berth/objects.h>

#define FINDING_QUEUES 256u
#define FINDING_EVENTS 4096u

/* Below these a part of the peak is not worth a word. */
#define FINDING_LEAST_BYTES UINT64_C(65536)

struct berth__finding_object;

/* An object's place in the list of those that own memory, by their last use. */
struct berth__finding_share {
	struct berth__finding_object *before, *after;
	struct berth__finding_object
		*claimant; /* whose content could lie here; NULL: none, or it ended */
	struct berth__finding_object *claims;	      /* where its own could lie */
	uint64_t claimant_made_op, claimant_ended_op; /* 0: none; not ended */
	uint64_t saved_bytes;
};

/* What the last transfers of a memory moved: enough to know which ones may be needless. */
struct berth__finding_sieve {
	bool whole_known; /* the last of all of it, if nothing wrote since */
	uint8_t whole[16];
	uint64_t parts;	  /* of parts since, a bit by digest */
	bool transferred; /* any, and nothing wrote all of it since */
};

/* What the whole of an object holds, while that is known. */
struct berth__finding_whole {
	bool known;
	uint8_t digest[16];
	uint64_t copy_of;		    /* another object that held it already; 0: none */
	uint64_t copy_from_op;		    /* since when */
	struct berth__finding_object *next; /* of the same bucket */
	uint32_t fills;			    /* times that the host gave all of it */
	uint32_t other_writes;		    /* and anything else that wrote, or may have */
	uint32_t kernels;		    /* that used it */
};

/* One object that is alive; berth_object.user. */
struct berth__finding_object {
	berth_object *object;
	struct berth__finding_object *root; /* that owns the memory, maybe itself */
	uint64_t id;
	uint64_t bytes; /* as the driver says, else as asked */
	uint32_t context;
	bool external;
	uint64_t made_op, made_ns;
	uint64_t first_use_op, last_use_op, last_use_ns; /* 0: never; also through children */
	uint64_t uses;
	uint64_t last_queue;
	uint64_t let_go_op, let_go_ns; /* the program's last reference; 0: held */
	uint64_t stack; /* where it was made; 0: not recorded */
	char *label;
	/* What rules keep of it. */
	uint64_t child_bytes, held_bytes; /* what lies on it; what it held for that when let go */
	uint64_t children_end_bytes;	  /* where the last sub-buffer ended */
	uint64_t reached_bytes;		  /* of a buffer: the end of its first transfer, from 0 */
	bool reached;
	struct berth__finding_sieve sieve;
	struct berth__finding_share share;
	struct berth__finding_whole whole;
};

struct berth__finding_queue {
	uint64_t id;	    /* 0: the slot is free */
	uint64_t synced_op; /* what was enqueued before is done */
	uint64_t commands;  /* since */
	uint64_t last_kernel_op;
};

/* The command that an event is of; the last ones are kept, and waits are soon. */
struct berth__finding_event {
	uint64_t event; /* 0: none */
	uint64_t queue, op;
};

/* Many of the same, with the worst by bytes, then by time. */
struct berth__finding_fold {
	uint64_t count, bytes, time_ns, op;
	uint64_t peak_op; /* that the sum is for, of those at the peak */
	uint32_t worst_count;
	berth_finding_object worst[BERTH_FINDING_OBJECTS_MAX];
};

struct berth__finding_scan {
	berth_trace *trace;
	const berth_trace_info *info;
	const berth_caps *caps;	    /* to compare with; NULL: none is known */
	const berth_caps *recorded; /* the device of the recording; NULL: none */
	berth_objects *objects;
	const berth_trace_op *row;
	uint64_t op, now_ns;
	uint64_t alive_bytes, peak_bytes, peak_op;
	uint64_t made, let_go; /* objects */
	uint64_t moved_bytes;  /* by writes and reads */
	/* The trace has every object: a handle that is none of its is of one that is gone. */
	bool complete;
	struct berth__finding_queue queues[FINDING_QUEUES];
	struct berth__finding_event events[FINDING_EVENTS]; /* by their numbers */
	bool ending;   /* the trace is over: what is alive now was never released */
	bool closing;  /* what ends now ends without a word */
	void **states; /* of the rules */
	berth_findings *findings;
	berth_status status; /* the first failure of a hook */
};

/* How an object was used; the first two as BERTH_ACCESS_*. */
#define FINDING_READ BERTH_ACCESS_READ
#define FINDING_WRITE BERTH_ACCESS_WRITE
#define FINDING_MAYBE_WRITE 4u /* by a kernel of which more is not known */

/* Slots that are NULL are not called. */
struct berth__finding_checker {
	size_t state_bytes; /* zeroed before the first op */
	/* An object was made. Its memory is in alive_bytes. */
	void (*made)(struct berth__finding_scan *scan, void *state,
		     struct berth__finding_object *object);
	/* A command that was accepted uses it. */
	void (*used)(struct berth__finding_scan *scan, void *state,
		     struct berth__finding_object *object, unsigned access);
	/* The program gave its last reference up; the memory may stay for what lies on it. */
	void (*let_go)(struct berth__finding_scan *scan, void *state,
		       struct berth__finding_object *object);
	/* It ends, or is alive at the end of the trace (scan->ending). */
	void (*ended)(struct berth__finding_scan *scan, void *state,
		      struct berth__finding_object *object);
	/* Every op, before it is applied to the objects; refused ones as well. */
	void (*op)(struct berth__finding_scan *scan, void *state);
	/* All is told: say what was found. */
	void (*finish)(struct berth__finding_scan *scan, void *state);
	void (*free)(void *state);
};

/* ---- finding_world.c ---- */

berth_status berth__finding_world_open(struct berth__finding_scan *scan);
void berth__finding_world_close(struct berth__finding_scan *scan);
/* Take scan->row, and tell the rules. */
void berth__finding_world_take(struct berth__finding_scan *scan);
/* Tell the rules what is alive at the end. */
void berth__finding_world_end(struct berth__finding_scan *scan);
struct berth__finding_object *berth__finding_find(struct berth__finding_scan *scan, uint64_t id);
/* NULL for queue 0 and when there are too many. */
struct berth__finding_queue *berth__finding_queue_of(struct berth__finding_scan *scan, uint64_t id);

/* ---- finding_fold.c ---- */

void berth__finding_fold_add(struct berth__finding_scan *scan, struct berth__finding_fold *fold,
			     const struct berth__finding_object *object, uint64_t bytes,
			     uint64_t time_ns);
void berth__finding_fold_add_described(struct berth__finding_scan *scan,
				       struct berth__finding_fold *fold,
				       const berth_finding_object *one);
/* Of an op; its object, which may be none or not alive, is named by its id. */
void berth__finding_fold_add_op(struct berth__finding_scan *scan, struct berth__finding_fold *fold,
				uint64_t id, uint64_t bytes, uint64_t time_ns);
/* Bytes that were there from an op on until now: counts if that was at the peak. */
void berth__finding_fold_at_peak(struct berth__finding_scan *scan, struct berth__finding_fold *fold,
				 const struct berth__finding_object *object, uint64_t from_op,
				 uint64_t bytes, uint64_t time_ns);
/* Whether a sum at the peak is for the peak of the whole trace, and a part of it worth a word. */
bool berth__finding_fold_counts(const struct berth__finding_scan *scan,
				const struct berth__finding_fold *fold, unsigned least_percent);
berth_finding_object berth__finding_describe(const struct berth__finding_object *object,
					     uint64_t bytes, uint64_t time_ns);
const char *berth__finding_kind(const struct berth__finding_object *object);
void berth__finding_emit(struct berth__finding_scan *scan, const char *rule,
			 const struct berth__finding_fold *fold, const char *format, ...)
	BERTH_PRINTF(4, 5);
/* "1536 bytes (1.5 KiB)" in one of a few static texts of this thread: for one
 * berth__finding_emit(). */
const char *berth__finding_size(uint64_t bytes);
static inline uint64_t berth__finding_add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}
/* Whether a linear or image transfer moves all of an object that owns its memory. */
bool berth__finding_is_whole(const struct berth__finding_object *object, const berth_op *op);
/* Bytes that an image takes on the device when it lies on a buffer; 0: it cannot. */
uint64_t berth__finding_image_bytes(const berth_caps *caps, const berth_object *object);

/* ---- the rules: finding_rules.c lists them ---- */

extern const berth_finding_rule berth__finding_rules[];
extern const struct berth__finding_checker *const berth__finding_checkers[];
extern const size_t berth__finding_checker_count;

extern const struct berth__finding_checker berth__finding_transfer, berth__finding_share,
	berth__finding_idle, berth__finding_churn, berth__finding_leak, berth__finding_backlog,
	berth__finding_padding, berth__finding_limit, berth__finding_alignment,
	berth__finding_parent, berth__finding_argument, berth__finding_content, berth__finding_host,
	berth__finding_wait, berth__finding_release, berth__finding_refused;

#endif
