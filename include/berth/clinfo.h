/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Profiles from what clinfo printed about a device: the file that people attach to
 * bug reports.
 *
 * Read are clinfo's own output and that of `clinfo --raw`, AMD's clinfo, and listings
 * of "CL_DEVICE_...: value"; also when a web page collapsed their columns, joined
 * lines, or put "> " before them. Nothing is guessed: what is missing or makes no
 * sense is said.
 */
#ifndef BERTH_CLINFO_H
#define BERTH_CLINFO_H

#include <berth/sim.h>

BERTH_BEGIN_DECLS

/** An index of berth_profile_from_clinfo(): the file's only device. */
#define BERTH_CLINFO_ONLY_DEVICE UINT32_MAX

/** What was found out while reading; a plain value. */
typedef struct berth_clinfo_report {
	uint32_t device_count; /**< devices in the file */
	uint32_t first_line;   /**< of the device that was taken, from 1; 0: none was */
	uint32_t last_line;
	uint32_t finding_count; /**< also those for which `findings` has no room */
	/**
	 * One a line: what the dump lacks, and what stands there instead; numbers that
	 * make no sense.
	 */
	char findings[4096];
} berth_clinfo_report;

/**
 * Make a profile of a device in a dump. Its memory model is the specification's at the
 * reported sizes; its image formats are not known, so none is refused.
 * @param[out] out     written only on BERTH_OK
 * @param path         of the dump
 * @param index        device of the file, from 0, or BERTH_CLINFO_ONLY_DEVICE; several
 *                     that are alike count as one for the latter
 * @param[out] report  written always; NULL: not wanted
 * @retval BERTH_OK
 * @retval BERTH_E_NOT_FOUND  no such device, or several and no index; the detail lists
 *                            what there is
 * @retval BERTH_E_FORMAT     no dump, or one that lacks what no minimum of the
 *                            specification can stand for; the detail names all of that,
 *                            and the lines
 * @retval BERTH_E_IO, BERTH_E_NOMEM
 * Thread safe.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_profile_from_clinfo(berth_profile *out,
								  const char *path, uint32_t index,
								  berth_clinfo_report *report);

/**
 * As berth_profile_from_clinfo(), of "FILE" or "FILE:N". A file whose whole name ends in
 * ":N" is that file when it exists.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_profile_from_clinfo_name(berth_profile *out,
								       const char *name,
								       berth_clinfo_report *report);

BERTH_END_DECLS

#endif
