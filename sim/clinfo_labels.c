/* SPDX-License-Identifier: Apache-2.0 */
/* Which labels mean what, in all layouts, and where they are in a line. */
#include "clinfo_file.h"

#include <string.h>
#include <strings.h>

#define ANYWHERE LABEL_JOINED

/* In a line, the longest that fits counts. Upper and lower case are the same. */
static const struct berth__clinfo_label labels[] = {
	/* clinfo, and where AMD's says the same */
	{ "Device Name", CLINFO_NAME, CLINFO_TEXT, ANYWHERE | LABEL_FIRST },
	{ "Device Vendor", CLINFO_VENDOR, CLINFO_TEXT, ANYWHERE },
	{ "Device Version", CLINFO_DEVICE_VERSION, CLINFO_TEXT, ANYWHERE },
	{ "Driver Version", CLINFO_DRIVER_VERSION, CLINFO_TEXT, ANYWHERE },
	{ "Device Extensions", CLINFO_EXTENSIONS, CLINFO_LIST, ANYWHERE },
	{ "Device Extensions with Version", CLINFO_EXTENSIONS, CLINFO_LIST, ANYWHERE },
	{ "Global memory size", CLINFO_GLOBAL_MEM, CLINFO_NUMBER, ANYWHERE },
	{ "Max memory allocation", CLINFO_MAX_ALLOC, CLINFO_NUMBER, ANYWHERE },
	{ "Local memory size", CLINFO_LOCAL_MEM, CLINFO_NUMBER, ANYWHERE },
	{ "Alignment of base address", CLINFO_BASE_ALIGN, CLINFO_NUMBER, ANYWHERE },
	{ "Global Memory cache line size", CLINFO_CACHELINE, CLINFO_NUMBER, ANYWHERE },
	{ "Global Memory cache line", CLINFO_CACHELINE, CLINFO_NUMBER, ANYWHERE },
	{ "Unified memory for Host and Device", CLINFO_UNIFIED, CLINFO_FLAG, ANYWHERE },
	{ "Coarse-grained buffer sharing", CLINFO_SVM_COARSE, CLINFO_FLAG, ANYWHERE },
	{ "Fine-grained buffer sharing", CLINFO_SVM_FINE, CLINFO_FLAG, ANYWHERE },
	{ "Fine-grained system sharing", CLINFO_SVM_SYSTEM, CLINFO_FLAG, ANYWHERE },
	{ "Atomics", CLINFO_SVM_ATOMICS, CLINFO_FLAG, ANYWHERE },
	{ "Image support", CLINFO_IMAGES, CLINFO_FLAG, ANYWHERE },
	{ "Max 2D image size", CLINFO_2D_WIDTH, CLINFO_SIZES, ANYWHERE },
	{ "Max 3D image size", CLINFO_3D_WIDTH, CLINFO_SIZES, ANYWHERE },
	{ "Max size for 1D images from buffer", CLINFO_BUFFER_PX, CLINFO_NUMBER, ANYWHERE },
	{ "Max 1D or 2D image array size", CLINFO_ARRAY, CLINFO_NUMBER, ANYWHERE },
	{ "Base address alignment for 2D image buffers", CLINFO_IMAGE_BASE, CLINFO_NUMBER,
	  ANYWHERE },
	{ "Pitch alignment for 2D image buffers", CLINFO_IMAGE_PITCH, CLINFO_NUMBER, ANYWHERE },
	/* AMD's clinfo */
	{ "Name", CLINFO_NAME, CLINFO_TEXT, LABEL_COLON },
	{ "Vendor", CLINFO_VENDOR, CLINFO_TEXT, LABEL_COLON },
	{ "Version", CLINFO_DEVICE_VERSION, CLINFO_TEXT, LABEL_COLON },
	{ "Extensions", CLINFO_EXTENSIONS, CLINFO_LIST, LABEL_COLON },
	{ "Alignment (bits) of base address", CLINFO_BASE_ALIGN, CLINFO_NUMBER, ANYWHERE },
	{ "Cache line size", CLINFO_CACHELINE, CLINFO_NUMBER, LABEL_COLON },
	{ "Coarse grain buffer", CLINFO_SVM_COARSE, CLINFO_FLAG, ANYWHERE },
	{ "Fine grain buffer", CLINFO_SVM_FINE, CLINFO_FLAG, ANYWHERE },
	{ "Fine grain system", CLINFO_SVM_SYSTEM, CLINFO_FLAG, ANYWHERE },
	{ "Max image 2D width", CLINFO_2D_WIDTH, CLINFO_NUMBER, ANYWHERE },
	{ "Max image 2D height", CLINFO_2D_HEIGHT, CLINFO_NUMBER, ANYWHERE },
	{ "Max image 3D width", CLINFO_3D_WIDTH, CLINFO_NUMBER, ANYWHERE },
	{ "Max image 3D height", CLINFO_3D_HEIGHT, CLINFO_NUMBER, ANYWHERE },
	{ "Max image 3D depth", CLINFO_3D_DEPTH, CLINFO_NUMBER, ANYWHERE },
	/* clinfo --raw, and listings of queries */
	{ "CL_DEVICE_NAME", CLINFO_NAME, CLINFO_TEXT, ANYWHERE },
	{ "CL_DEVICE_VENDOR", CLINFO_VENDOR, CLINFO_TEXT, ANYWHERE },
	{ "CL_DEVICE_VERSION", CLINFO_DEVICE_VERSION, CLINFO_TEXT, ANYWHERE },
	{ "CL_DRIVER_VERSION", CLINFO_DRIVER_VERSION, CLINFO_TEXT, ANYWHERE },
	{ "CL_DEVICE_EXTENSIONS", CLINFO_EXTENSIONS, CLINFO_LIST, ANYWHERE },
	{ "CL_DEVICE_EXTENSIONS_WITH_VERSION", CLINFO_EXTENSIONS, CLINFO_LIST, ANYWHERE },
	{ "CL_DEVICE_GLOBAL_MEM_SIZE", CLINFO_GLOBAL_MEM, CLINFO_NUMBER, ANYWHERE },
	{ "CL_DEVICE_MAX_MEM_ALLOC_SIZE", CLINFO_MAX_ALLOC, CLINFO_NUMBER, ANYWHERE },
	{ "CL_DEVICE_LOCAL_MEM_SIZE", CLINFO_LOCAL_MEM, CLINFO_NUMBER, ANYWHERE },
	{ "CL_DEVICE_MEM_BASE_ADDR_ALIGN", CLINFO_BASE_ALIGN, CLINFO_NUMBER, ANYWHERE },
	{ "CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE", CLINFO_CACHELINE, CLINFO_NUMBER, ANYWHERE },
	{ "CL_DEVICE_HOST_UNIFIED_MEMORY", CLINFO_UNIFIED, CLINFO_FLAG, ANYWHERE },
	{ "CL_DEVICE_SVM_CAPABILITIES", CLINFO_SVM, CLINFO_SVM_BITS, ANYWHERE },
	{ "CL_DEVICE_IMAGE_SUPPORT", CLINFO_IMAGES, CLINFO_FLAG, ANYWHERE },
	{ "CL_DEVICE_IMAGE2D_MAX_WIDTH", CLINFO_2D_WIDTH, CLINFO_NUMBER, ANYWHERE },
	{ "CL_DEVICE_IMAGE2D_MAX_HEIGHT", CLINFO_2D_HEIGHT, CLINFO_NUMBER, ANYWHERE },
	{ "CL_DEVICE_IMAGE3D_MAX_WIDTH", CLINFO_3D_WIDTH, CLINFO_NUMBER, ANYWHERE },
	{ "CL_DEVICE_IMAGE3D_MAX_HEIGHT", CLINFO_3D_HEIGHT, CLINFO_NUMBER, ANYWHERE },
	{ "CL_DEVICE_IMAGE3D_MAX_DEPTH", CLINFO_3D_DEPTH, CLINFO_NUMBER, ANYWHERE },
	{ "CL_DEVICE_IMAGE_MAX_BUFFER_SIZE", CLINFO_BUFFER_PX, CLINFO_NUMBER, ANYWHERE },
	{ "CL_DEVICE_IMAGE_MAX_ARRAY_SIZE", CLINFO_ARRAY, CLINFO_NUMBER, ANYWHERE },
	{ "CL_DEVICE_IMAGE_PITCH_ALIGNMENT", CLINFO_IMAGE_PITCH, CLINFO_NUMBER, ANYWHERE },
	{ "CL_DEVICE_IMAGE_PITCH_ALIGNMENT_KHR", CLINFO_IMAGE_PITCH, CLINFO_NUMBER, ANYWHERE },
	{ "CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT", CLINFO_IMAGE_BASE, CLINFO_NUMBER, ANYWHERE },
	{ "CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT_KHR", CLINFO_IMAGE_BASE, CLINFO_NUMBER,
	  ANYWHERE },
	/* structure */
	{ "Device Type", CLINFO_DEVICE_TYPE, CLINFO_TEXT, ANYWHERE },
	{ "Platform Name", CLINFO_PLATFORM, CLINFO_TEXT, ANYWHERE },
	{ "CL_PLATFORM_NAME", CLINFO_PLATFORM, CLINFO_TEXT, ANYWHERE },
	{ "Number of devices", CLINFO_PLATFORM, CLINFO_TEXT, ANYWHERE },
	{ "#DEVICES", CLINFO_PLATFORM, CLINFO_TEXT, 0 },
	{ "Number of platforms", CLINFO_DUMP, CLINFO_TEXT, 0 },
	{ "#PLATFORMS", CLINFO_DUMP, CLINFO_TEXT, 0 },
	{ "NULL platform behavior", CLINFO_END, CLINFO_TEXT, ANYWHERE },
	{ "NULL platform behaviour", CLINFO_END, CLINFO_TEXT, ANYWHERE },
	/* what else begins like a label above, or ends the text of one */
	{ "Device Vendor ID", CLINFO_OTHER, CLINFO_TEXT, ANYWHERE },
	{ "CL_DEVICE_VENDOR_ID", CLINFO_OTHER, CLINFO_TEXT, ANYWHERE },
	{ "Device Numeric Version", CLINFO_OTHER, CLINFO_TEXT, ANYWHERE },
	{ "Device OpenCL C Version", CLINFO_OTHER, CLINFO_TEXT, ANYWHERE },
	{ "CL_DEVICE_OPENCL_C_VERSION", CLINFO_OTHER, CLINFO_TEXT, ANYWHERE },
	{ "Device Profile", CLINFO_OTHER, CLINFO_TEXT, ANYWHERE },
	{ "Local memory size per CU (AMD)", CLINFO_OTHER, CLINFO_TEXT, ANYWHERE },
};

#define LABEL_COUNT (sizeof(labels) / sizeof(labels[0]))

static const char *behind_blank(const char *text)
{
	return text + (*text == ' ');
}

/* Where the value behind @p label begins when @p text begins with the label, or NULL. */
static const char *value_behind(const struct berth__clinfo_label *label, const char *text)
{
	size_t length = strlen(label->text);
	const char *rest = text + length;

	if (strncasecmp(text, label->text, length) != 0)
		return NULL;
	rest = behind_blank(rest);
	if (*rest == ':' || *rest == '=')
		return behind_blank(rest + 1);
	if (label->how & LABEL_COLON)
		return NULL;
	return rest > text + length || !*rest ? rest : NULL;
}

/* The longest label with which @p text begins, or NULL; @p value: what is behind it. */
static const struct berth__clinfo_label *label_at(const char **value, const char *text,
						  unsigned how)
{
	const struct berth__clinfo_label *found = NULL;
	size_t longest = 0;

	for (size_t i = 0; i < LABEL_COUNT; i++) {
		const char *behind;

		if ((labels[i].how & how) != how || strlen(labels[i].text) <= longest ||
		    !(behind = value_behind(&labels[i], text)))
			continue;
		found = &labels[i];
		longest = strlen(labels[i].text);
		*value = behind;
	}
	return found;
}

/* Where the item whose value this is ends: at the next label of the line, or with it. */
static char *end_of_value(char *value)
{
	const char *behind;
	char *word = value;

	while (*word && !label_at(&behind, word, LABEL_JOINED)) {
		word += strcspn(word, " ");
		word += *word == ' ';
	}
	return word;
}

bool berth__clinfo_next_item(struct berth__clinfo_item *out, char **rest)
{
	char *text = *rest;
	const char *value;

	out->label = label_at(&value, text, out->is_first ? 0 : LABEL_JOINED);
	while (!out->label && *text) {
		text += strcspn(text, " ");
		text += *text == ' ';
		out->is_first = false;
		out->label = label_at(&value, text, LABEL_JOINED);
	}
	if (!out->label)
		return false;
	*rest = end_of_value(text + (value - text));
	out->value = value;
	out->length = (size_t)(*rest - value);
	while (out->length > 0 && value[out->length - 1] == ' ')
		out->length--;
	return true;
}
