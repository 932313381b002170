/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on a device: checks that hold for every implementation, then its slot. */
#include <berth/device.h>

#include <string.h>

#define FORM(name) (1u << BERTH_FORM_##name)
#define FORMS_HOST (FORM(LINEAR) | FORM(RECT) | FORM(IMAGE) | FORM(SVM))

/* The forms of the kinds whose meaning depends on it; of others it says nothing. */
static const uint32_t forms[BERTH_OP_KIND_END] = {
	[BERTH_OP_WRITE] = FORMS_HOST,
	[BERTH_OP_READ] = FORMS_HOST,
	[BERTH_OP_COPY] = FORMS_HOST | FORM(IMAGE_TO_BUFFER) | FORM(BUFFER_TO_IMAGE),
	[BERTH_OP_FILL] = FORM(LINEAR) | FORM(IMAGE) | FORM(SVM),
	[BERTH_OP_MAP] = FORM(LINEAR) | FORM(IMAGE) | FORM(SVM),
};

/* Only a call that takes a list can have been made without. */
static bool may_lack_list(const berth_op *op)
{
	return (op->absent & BERTH_ABSENT_LIST) && op->kind != BERTH_OP_USE &&
	       op->kind != BERTH_OP_ARG;
}

berth_status berth_device_execute(berth_device *device, const berth_op *op, berth_result *result)
{
	memset(result, 0, sizeof(*result));
	if (!berth_op_kind_is_known(op->kind))
		return berth_error_set(BERTH_E_INVAL, 0, "op kind %d is not defined",
				       (int)op->kind);
	if ((unsigned)op->form >= BERTH_FORM_END)
		return berth_error_set(BERTH_E_INVAL, 0, "op form %d is not defined",
				       (int)op->form);
	if (forms[op->kind] && !(forms[op->kind] >> op->form & 1))
		return berth_error_set(BERTH_E_INVAL, 0, "a %s has no form %d",
				       berth_op_kind_string(op->kind), (int)op->form);
	if (op->use_count > 0 && !op->uses && !may_lack_list(op))
		return berth_error_set(BERTH_E_INVAL, 0, "a %s of %u objects without their list",
				       berth_op_kind_string(op->kind), (unsigned)op->use_count);
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
