/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles, and the real devices that they stand in front of. */
#include "simulate.h"

#include <berth/fault.h>
#include <berth/record.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROFILES_MAX 16
#define DEVICES_MAX 64

static struct {
	pthread_mutex_t lock; /* over the devices and contexts; devices, once there, stay */
	berth_profile *profiles;
	size_t profile_count;
	berth_fault_spec fault;
	struct simulated devices[DEVICES_MAX];
	size_t device_count;
	_Atomic(_Atomic(struct simulated *) *) contexts; /* by id */
	_Atomic uint32_t context_room;
	_Atomic(struct simulated *) first; /* that a context was made on */
} state = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Paths with a ':' between: the tool writes them. */
static bool load_profiles(const char *paths)
{
	char path[PATH_MAX];

	state.profiles = calloc(PROFILES_MAX, sizeof(*state.profiles));
	while (state.profiles && *paths && state.profile_count < PROFILES_MAX) {
		size_t length = strcspn(paths, ":");

		snprintf(path, sizeof(path), "%.*s", (int)length, paths);
		if (berth_profile_load(&state.profiles[state.profile_count], path) != BERTH_OK) {
			berth__simulate_say("cannot simulate: %s", berth_error_get()->message);
			return false;
		}
		state.profile_count++;
		paths += length + (paths[length] == ':');
	}
	return state.profile_count > 0;
}

bool berth__simulate_devices_start(void)
{
	const char *paths = secure_getenv(BERTH_ENV_SIMULATE);
	const char *fault = secure_getenv(BERTH_ENV_SIMULATE_FAULT);

	if (!paths || !*paths || !load_profiles(paths))
		return false;
	if (fault && berth_fault_parse(&state.fault, fault) != BERTH_OK) {
		berth__simulate_say("cannot simulate: %s", berth_error_get()->message);
		return false;
	}
	return true;
}

/*
 * The simulators are begun anew. In a forked child another thread may have held what is below a
 * lock, so nothing is freed.
 */
void berth__simulate_devices_forget(void)
{
	pthread_mutex_init(&state.lock, NULL);
	state.device_count = 0;
	memset(state.devices, 0, sizeof(state.devices));
	atomic_store(&state.contexts, NULL);
	atomic_store(&state.first, NULL);
	atomic_store(&state.context_room, 0);
}

static bool make_simulator(struct simulated *simulated)
{
	berth_sim_options options = BERTH_SIM_OPTIONS_INIT;
	berth_device *device = NULL;

	options.ghost = true;
	if (berth_sim_create(&device, simulated->profile, &options) != BERTH_OK)
		return false;
	if (state.fault.count > 0 &&
	    berth_fault_create(&simulated->simulator, &state.fault, device) != BERTH_OK) {
		berth_device_destroy(device);
		return false;
	}
	if (state.fault.count == 0)
		simulated->simulator = device;
	return true;
}

/* The n-th real device that the program looks at gets the n-th profile, all further ones the last.
 */
static struct simulated *add_device(cl_device_id device)
{
	size_t at = state.device_count;
	size_t profile = at < state.profile_count ? at : state.profile_count - 1;
	struct simulated *simulated = &state.devices[at];

	if (at == DEVICES_MAX)
		return NULL;
	simulated->device = device;
	simulated->profile = &state.profiles[profile];
	pthread_mutex_init(&simulated->lock, NULL);
	if (!make_simulator(simulated)) {
		berth__simulate_say("cannot simulate '%s': %s", simulated->profile->name,
				    berth_error_get()->message);
		return NULL;
	}
	state.device_count++;
	return simulated;
}

struct simulated *berth__simulate_device(cl_device_id device)
{
	struct simulated *found = NULL;

	pthread_mutex_lock(&state.lock);
	for (size_t i = 0; i < state.device_count && !found; i++)
		if (state.devices[i].device == device)
			found = &state.devices[i];
	if (!found && device)
		found = add_device(device);
	pthread_mutex_unlock(&state.lock);
	return found;
}

struct simulated *berth__simulate_of_context_handle(cl_context context)
{
	cl_device_id *devices = NULL;
	struct simulated *found = NULL;
	size_t bytes = 0;

	if (berth__simulate_real.clGetContextInfo &&
	    berth__simulate_real.clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &bytes) ==
		    CL_SUCCESS)
		devices = malloc(bytes);
	if (devices && bytes >= sizeof(*devices) &&
	    berth__simulate_real.clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, devices,
						  NULL) == CL_SUCCESS)
		found = berth__simulate_device(devices[0]);
	free(devices);
	return found;
}

/* Room for `id`. Who reads the old array meanwhile finds in it what was there: it is not freed. */
static bool reserve(uint32_t id)
{
	uint32_t room = atomic_load(&state.context_room), wanted = room ? room : 64;
	_Atomic(struct simulated *) *old = atomic_load(&state.contexts), *more;

	if (id < room)
		return true;
	while (wanted <= id)
		wanted *= 2;
	more = calloc(wanted, sizeof(*more));
	if (!more)
		return false;
	for (uint32_t i = 0; i < room; i++)
		more[i] = atomic_load(&old[i]);
	atomic_store(&state.contexts, more);
	atomic_store(&state.context_room, wanted);
	return true;
}

void berth__simulate_context(uint32_t id, cl_context context)
{
	struct simulated *simulated = berth__simulate_of_context_handle(context);

	pthread_mutex_lock(&state.lock);
	if (simulated && !atomic_load(&state.first))
		atomic_store(&state.first, simulated);
	if (simulated && id < UINT32_MAX / 2 && reserve(id))
		atomic_store(&atomic_load(&state.contexts)[id], simulated);
	pthread_mutex_unlock(&state.lock);
}

struct simulated *berth__simulate_of_context(uint32_t id)
{
	/* A context that lives on by its queues alone has no id any more; most programs have one.
	 */
	if (id == 0)
		return atomic_load_explicit(&state.first, memory_order_acquire);
	if (id >= atomic_load_explicit(&state.context_room, memory_order_acquire))
		return NULL;
	return atomic_load_explicit(&atomic_load(&state.contexts)[id], memory_order_acquire);
}
