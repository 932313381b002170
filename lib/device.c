/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on a device: checks that hold for every implementation, then its slot. */
#include <berth/device.h>

#include <string.h>

berth_status berth_device_execute(berth_device *device, const berth_op *op, berth_result *result)
{
	memset(result, 0, sizeof(*result));
	if (!berth_op_kind_is_known(op->kind))
		return berth_error_set(BERTH_E_INVAL, 0, "op kind %d is not defined",
				       (int)op->kind);
	if ((unsigned)op->form >= BERTH_FORM_END)
		return berth_error_set(BERTH_E_INVAL, 0, "op form %d is not defined",
				       (int)op->form);
	return device->ops->execute(device, op, result);
}

berth_status berth_device_borrow(berth_device *device, uint64_t object, berth_device *from,
				 uint64_t from_object)
{
	/* The slot is behind the end of what an older implementation has. */
	if (device->ops->version < 2 || !device->ops->borrow)
		return berth_error_set(BERTH_E_UNSUPPORTED, 0, "%s shares no memory with %s",
				       device->name, from->name);
	return device->ops->borrow(device, object, from, from_object);
}

const berth_caps *berth_device_caps(const berth_device *device)
{
	return device->caps;
}

const char *berth_device_name(const berth_device *device)
{
	return device->name;
}

void berth_device_memory(const berth_device *device, berth_memory *out)
{
	memset(out, 0, sizeof(*out));
	device->ops->memory(device, out);
}

void berth_device_destroy(berth_device *device)
{
	if (device)
		device->ops->destroy(device);
}
