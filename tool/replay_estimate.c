/* SPDX-License-Identifier: Apache-2.0 */
#include "replay_estimate.h"

#include "print.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

uint64_t replay_estimate_total_ns(const berth_replay_estimate *estimate)
{
	return add(add(estimate->to_device_ns, estimate->to_host_ns),
		   add(estimate->on_device_ns, estimate->launch_ns));
}

static double ms(uint64_t ns)
{
	return (double)ns / 1e6;
}

void replay_estimate_print(const berth_replay_estimate *estimate)
{
	if (estimate->ops == 0) {
		print_text(stdout, "estimated:   no time: %s\n",
			   estimate->ops_unknown > 0 ? "the device has no transfer model"
						     : "nothing was moved");
		return;
	}
	print_text(
		stdout,
		"estimated:   %.3f ms: %.3f to the device, %.3f to the host, %.3f on the device, "
		"%.3f to start kernels\n",
		ms(replay_estimate_total_ns(estimate)), ms(estimate->to_device_ns), ms(estimate->to_host_ns),
		ms(estimate->on_device_ns), ms(estimate->launch_ns));
	if (estimate->ops_unknown > 0)
		print_text(stdout,
			   "             without %" PRIu64
			   " ops that the transfer model knows no time for\n",
			   estimate->ops_unknown);
}

void replay_estimate_set_json(json_builder *json, const berth_replay_estimate *estimate)
{
	if (estimate->ops == 0) {
		json_set_text(json, "$.estimated_ns", NULL);
		json_set_text(json, "$.estimated", NULL);
		return;
	}
	json_set_number(json, "$.estimated_ns", replay_estimate_total_ns(estimate));
	json_set_object(json, "$.estimated");
	json_set_number(json, "$.estimated.to_device_ns", estimate->to_device_ns);
	json_set_number(json, "$.estimated.to_host_ns", estimate->to_host_ns);
	json_set_number(json, "$.estimated.on_device_ns", estimate->on_device_ns);
	json_set_number(json, "$.estimated.launch_ns", estimate->launch_ns);
	json_set_number(json, "$.estimated.ops", estimate->ops);
	json_set_number(json, "$.estimated.ops_unknown", estimate->ops_unknown);
}
