/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of a residency. All functions are called with its mutex, but for
 * berth__residency_lock().
 */
#ifndef BERTH_LIB_TENSOR_INTERNAL_H
#define BERTH_LIB_TENSOR_INTERNAL_H

#include <pthread.h>
#include <sys/queue.h>

#include <berth/tensor.h>

#include "ranges.h"
#include "slots.h"

/* Memory of a record on a site. Zero: none. */
struct berth__home {
	struct berth__site *site;
	berth_storage storage;
	bool lent; /* the caller's: not charged, not released */
	berth_geometry geometry;
};

/* What all views of a tensor share. Ranges count packed bytes, below `bytes`. */
struct berth__record {
	struct berth__slot slot;
	uint64_t serial;
	berth_layout layout;
	uint64_t bytes; /* of content on the host */
	void *host;	/* NULL: its own memory, not needed so far */
	bool owns_host;
	bool constant;
	bool has_content;
	struct berth__home home;
	struct berth__ranges stale_host;   /* newer on the device */
	struct berth__ranges stale_device; /* newer on the host; with a home only */
	uint32_t pinned, in_flight, mapped, mapped_for_write, in_working_set;
	uint64_t last_use;
	uint32_t tensor_count; /* the tensor itself and its views */
	LIST_HEAD(, berth__tensor) tensors;
	TAILQ_ENTRY(berth__record) link; /* of its site's residents */
};

/* A tensor or a view. */
struct berth__tensor {
	struct berth__slot slot;
	struct berth__record *record;
	bool is_view;
	berth_layout layout;
	uint64_t offset_bytes;
	uint64_t bytes;
	uint32_t mapped_for_read, mapped_for_write;
	berth_view view; /* in its record's home; 0: not needed so far */
	LIST_ENTRY(berth__tensor) link;
};

/* Pinned host memory: a buffer of the device, mapped for its life. */
struct berth__pinned {
	struct berth__site *site;
	uint64_t object, mapping;
	void *memory;
	uint64_t bytes;
	LIST_ENTRY(berth__pinned) link;
};

/* A prefetch that is under way, or ended and not told yet. */
struct berth__pending {
	struct berth__record *record;
	berth_tensor tensor;
	berth_transfer_fn *done;
	void *userdata;
	berth_status status;
	berth_error error;
	STAILQ_ENTRY(berth__pending) link;
};

STAILQ_HEAD(berth__pending_queue, berth__pending);

struct berth__site {
	berth_residency *residency;
	uint32_t index;
	berth_pool *pool;
	berth_site_options options;    /* with the limits settled */
	berth_site_stats stats;	       /* what is not computed when asked for */
	struct berth__pinned *staging; /* or NULL */
	TAILQ_HEAD(, berth__record) residents;
	struct berth__pending_queue pending;
};

struct berth_residency {
	pthread_mutex_t mutex;
	berth_residency_options options;
	struct berth__site **sites;
	uint32_t site_count;
	struct berth__slots tensors;
	struct berth__slots records;
	uint64_t next_serial, next_id;
	uint64_t clock;	   /* uses so far */
	uint64_t decision; /* lines so far */
	LIST_HEAD(, berth__pinned) pinned;
	struct berth__pending_queue ended; /* to be told after unlocking */
};

void berth__residency_lock(berth_residency *residency);
/* Unlock, then tell what ended meanwhile. */
void berth__residency_unlock(berth_residency *residency);

/* NULL with the detail set: BERTH_E_STATE, BERTH_E_INVAL. */
struct berth__tensor *berth__tensor_find(const berth_residency *residency, berth_tensor handle);
struct berth__site *berth__site_find(const berth_residency *residency, uint32_t index);

/* Have room for one range more in both sets, and host memory where it is asked for. */
berth_status berth__record_prepare(struct berth__record *record, bool needs_host);
/* The host's side of [start, end) is the newest now. The record is prepared. */
void berth__record_host_written(struct berth__record *record, uint64_t start, uint64_t end);
/* Nobody has it but the caller; for what would pull its memory away. @what: "destroyed". */
berth_status berth__record_check_idle(const struct berth__record *record, const char *what);
/* The bytes that are newer on the device: what an eviction moves. */
uint64_t berth__record_dirty_bytes(const struct berth__record *record);

/* The set of one range. */
#define RANGE_SET(start, end)                                                                      \
	(&(struct berth__ranges){ &(struct berth__range){ start, end }, 1, 1 })

/* Homes. Take: may evict. Give: what comes after on the queue may have the memory. */
berth_status berth__home_take(struct berth__home *out, struct berth__site *site,
			      const berth_geometry *geometry, uint64_t need_bytes);
void berth__home_give(const struct berth__home *home, bool queue_is_idle);
/* Move the record into a home, or with NULL to the host alone, giving back the old one. */
void berth__record_set_home(struct berth__record *record, const struct berth__home *home,
			    bool queue_is_idle);
/* The device's object of a tensor that is resident, made when it is not there yet. */
berth_status berth__tensor_object(uint64_t *out, struct berth__tensor *tensor);
/* Copied images: bring a change of the storage to the views of it, all but @but. */
berth_status berth__record_load_views(struct berth__record *record,
				      const struct berth__tensor *but);

/*
 * Transfers between the host and a home, or two homes; blocking but for @no_wait.
 * BERTH_E_UNSUPPORTED: homes on devices that share no memory.
 */
berth_status berth__upload(struct berth__record *record, const struct berth__home *home,
			   const struct berth__ranges *ranges, bool no_wait);
berth_status berth__upload_from(const struct berth__home *home, const void *content,
				uint64_t offset_bytes, uint64_t bytes);
berth_status berth__download(struct berth__record *record, uint64_t start, uint64_t end);
berth_status berth__copy_home(const struct berth__home *to, const struct berth__home *from,
			      uint64_t bytes);
berth_status berth__site_execute(struct berth__site *site, const berth_op *op,
				 berth_result *result);

/* The newest content of [start, end) on the host. */
berth_status berth__record_to_host(struct berth__record *record, uint64_t start, uint64_t end);

/* Pinned memory. */
berth_status berth__pinned_take(struct berth__pinned **out, struct berth__site *site,
				uint64_t bytes);
void berth__pinned_give(struct berth__pinned *pinned);

/* Complete what is in flight on a site. */
berth_status berth__site_complete(struct berth__site *site);
/* The record at rest. */
berth_status berth__record_settle(struct berth__record *record);

/* A record that shall be on a site. */
struct berth__want {
	struct berth__record *record;
	uint32_t access;	 /* READ: with content; 0: content where there is some */
	berth_storage lent;	 /* or 0 */
	struct berth__home home; /* the new one; storage 0: it is there */
	bool fetched;		 /* its content was read into host memory */
};

/*
 * Make all resident, or none. On BERTH_OK each has one more in in_working_set, which
 * berth__want_end() takes back.
 */
berth_status berth__make_resident(struct berth__site *site, struct berth__want *wants, size_t count,
				  bool no_wait);
void berth__want_end(struct berth__want *wants, size_t count);

/* Who may be evicted for what, in the order of eviction; policies. */
struct berth__plan {
	struct berth__record **victims; /* of candidates: those chosen come first */
	size_t candidate_count;
	size_t count;
	uint64_t bytes; /* of those chosen */
};

/*
 * Choose victims that free @bytes, or all when they do not suffice. @piece_bytes: what is
 * to fit in one piece. BERTH_OK, BERTH_E_NOMEM.
 */
typedef berth_status berth__choose_fn(struct berth__site *site, struct berth__plan *plan,
				      uint64_t bytes, uint64_t piece_bytes);
extern berth__choose_fn *const berth__choosers[BERTH_EVICT_END];

/* Evict, so that @need_bytes more fit the budget. @piece_bytes: the largest piece of them. */
berth_status berth__make_room(struct berth__site *site, uint64_t need_bytes, uint64_t piece_bytes);
/* The device is out of memory: evict for one request; BERTH_E_LIMIT: nobody is left. */
berth_status berth__make_room_on_device(struct berth__site *site, uint64_t need_bytes);
/* Bytes that tensors hold and eviction cannot free. */
uint64_t berth__site_protected_bytes(const struct berth__site *site);
uint64_t berth__site_obtainable_bytes(const struct berth__site *site);

/* The decision log. */
void berth__log_evict(struct berth__site *site, const struct berth__record *record,
		      uint64_t moved_bytes, uint64_t need_bytes, const char *reason);
void berth__log_refuse(struct berth__site *site, uint64_t need_bytes, uint64_t obtainable_bytes);

#endif
