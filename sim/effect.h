/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an op does to content, in two steps: prepared (may run out of memory,
 * changes nothing that can be seen), then performed (cannot fail).
 */
#ifndef BERTH_SIM_EFFECT_H
#define BERTH_SIM_EFFECT_H

#include <berth/objects.h>

#include "colour.h"
#include "content.h"

struct berth__effect {
	const berth_op *op;
	struct berth__content *target; /* what changes; NULL: nothing does */
	struct berth__content *source; /* what is read; NULL: the host's memory, or nothing */
	struct berth__box target_box;  /* of a read: behind the host pointer */
	struct berth__box source_box;
	/* Of the target: what becomes known, and after that what becomes unknown. */
	struct berth__ranges known;
	struct berth__ranges unknown;
	/* Of a migrate or use: what becomes unknown of each object. */
	struct berth__marking *markings;
	uint32_t marking_count;
	/* Of a fill: what is repeated, and whether it is the only result. */
	uint8_t pattern[128];
	size_t pattern_bytes;
	uint64_t unknown_bytes; /* of a read or map */
	void *mapped;		/* of a map */
};

/*
 * @p op is accepted by the rules. On BERTH_E_NOMEM there is nothing to finish.
 * Afterwards: perform, or give up, by either of which the effect is finished.
 */
berth_status berth__effect_prepare(struct berth__effect *effect, const berth_objects *objects,
				   const berth_op *op);
void berth__effect_perform(struct berth__effect *effect);
void berth__effect_finish(struct berth__effect *effect);

/*
 * The effect of an op that moves no bytes although it was accepted: what it could have
 * changed becomes unknown. Its objects may not exist. Prepared, then performed or finished.
 */
berth_status berth__effect_prepare_unknown(struct berth__effect *effect,
					   const berth_objects *objects, const berth_op *op);
void berth__effect_perform_unknown(struct berth__effect *effect);

#endif
