/* SPDX-License-Identifier: Apache-2.0 */
/* The device contract on a fault device that fails nothing: a budget that is never reached. */
#include "contract.h"

#include <berth/fault.h>
#include <berth/open.h>

static berth_status open_faulty(berth_device **out, void *userdata)
{
	const berth_fault_spec *spec = userdata;
	berth_device *inner;
	berth_status st = berth_device_open(&inner, "sim:spec-minimum", NULL);

	if (st != BERTH_OK)
		return st;
	st = berth_fault_create(out, spec, inner);
	if (st != BERTH_OK)
		berth_device_destroy(inner);
	return st;
}

int main(void)
{
	berth_fault_spec specs[] = {
		{ .count = 0 },
		{ .count = 1, .faults = { { .kind = BERTH_FAULT_BUDGET, .number = UINT64_MAX } } },
	};
	int worst = 0;

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		const struct contract_device device = { .open = open_faulty,
							.userdata = &specs[i],
							.conforms = true };
		int status = contract_main(
			i == 0 ? "contract: no faults" : "contract: an endless budget", &device);

		if (status > worst)
			worst = status;
	}
	return worst;
}
