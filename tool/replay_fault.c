/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_fault.h"

#include "print.h"

#include <inttypes.h>
#include <stdio.h>

berth_status replay_fault_add(berth_device **device, const char *spec)
{
	berth_fault_spec faults;
	berth_device *faulty;
	berth_status st = berth_fault_parse(&faults, spec);

	if (st == BERTH_OK)
		st = berth_fault_create(&faulty, &faults, *device);
	if (st == BERTH_OK)
		*device = faulty;
	return st;
}

void replay_fault_print(const berth_device *fault_device)
{
	const berth_fault_counts *counts = berth_fault_get_counts(fault_device);

	print_text(stdout, "faults:      %" PRIu64 " of %" PRIu64 " calls made to fail",
		   counts->failed, counts->ops);
	if (counts->failed > 0)
		print_text(stdout, ", the first is call %" PRIu64, counts->first);
	putchar('\n');
}

void replay_fault_set_json(json_builder *json, const berth_device *fault_device)
{
	const berth_fault_counts *counts = berth_fault_get_counts(fault_device);

	json_set_object(json, "$.faults");
	json_set_number(json, "$.faults.calls", counts->ops);
	json_set_number(json, "$.faults.failed", counts->failed);
	json_set_number(json, "$.faults.first", counts->first);
}
