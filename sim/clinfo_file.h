/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading dumps of clinfo, in three steps: lines become items (a label and its value,
 * clinfo_labels.c, clinfo_values.c), items become devices (clinfo_devices.c), a device
 * becomes a profile (clinfo_profile.c).
 */
#ifndef BERTH_SIM_CLINFO_FILE_H
#define BERTH_SIM_CLINFO_FILE_H

#include <berth/clinfo.h>

/* What a profile takes of a device, and the labels that only give structure. */
enum berth__clinfo_field {
	CLINFO_NAME,
	CLINFO_VENDOR,
	CLINFO_DEVICE_VERSION,
	CLINFO_DRIVER_VERSION,
	CLINFO_GLOBAL_MEM,
	CLINFO_MAX_ALLOC,
	CLINFO_LOCAL_MEM,
	CLINFO_BASE_ALIGN,
	CLINFO_CACHELINE,
	CLINFO_UNIFIED,
	CLINFO_SVM,
	CLINFO_SVM_COARSE,
	CLINFO_SVM_FINE,
	CLINFO_SVM_SYSTEM,
	CLINFO_SVM_ATOMICS,
	CLINFO_IMAGES,
	CLINFO_2D_WIDTH,
	CLINFO_2D_HEIGHT,
	CLINFO_3D_WIDTH,
	CLINFO_3D_HEIGHT,
	CLINFO_3D_DEPTH,
	CLINFO_BUFFER_PX,
	CLINFO_ARRAY,
	CLINFO_IMAGE_PITCH,
	CLINFO_IMAGE_BASE,
	CLINFO_EXTENSIONS,
	CLINFO_FIELD_COUNT,
	CLINFO_DEVICE_TYPE = CLINFO_FIELD_COUNT,
	CLINFO_PLATFORM, /* the device before it, if any, is complete */
	CLINFO_DUMP,	 /* so is the dump before it */
	CLINFO_END,	 /* what follows, up to the next dump, repeats devices */
	CLINFO_OTHER,
};

enum berth__clinfo_kind {
	CLINFO_TEXT,
	CLINFO_NUMBER,
	CLINFO_FLAG,
	CLINFO_SVM_BITS,
	CLINFO_SIZES, /* of AxB or AxBxC, into the field and those behind it */
	CLINFO_LIST,  /* of extensions: whether images on buffers are one */
};

/* How a label may stand. */
enum {
	LABEL_JOINED = 1u << 0, /* also behind another item of its line */
	LABEL_COLON = 1u << 1,	/* only with a colon: it is a common word */
	LABEL_FIRST = 1u << 2,	/* a device begins with it */
};

struct berth__clinfo_label {
	const char *text;
	enum berth__clinfo_field field;
	enum berth__clinfo_kind kind;
	unsigned how;
};

/* A label and the text behind it, up to the next label of the line. */
struct berth__clinfo_item {
	const struct berth__clinfo_label *label;
	const char *value;
	size_t length;
	bool is_first; /* of its line: no words before it */
};

/*
 * The next item of a line whose blanks are single, from *rest on, which moves behind it.
 * out->is_first says on entry whether *rest is the line's beginning. False: none is left.
 */
bool berth__clinfo_next_item(struct berth__clinfo_item *out, char **rest);

struct berth__clinfo_value {
	uint32_t line; /* 0: the dump does not have it */
	uint64_t number;
	char text[128];
};

enum berth__clinfo_reading {
	CLINFO_READ,
	CLINFO_ABSENT, /* as "(n/a)" */
	CLINFO_NONSENSE,
};

/*
 * What @p text says; for CLINFO_SIZES *count numbers, else one number or a text.
 * @p numbers has room for 3.
 */
enum berth__clinfo_reading berth__clinfo_read_value(uint64_t *numbers, uint32_t *count,
						    enum berth__clinfo_kind kind, const char *text);

struct berth__clinfo_device {
	uint32_t first_line, last_line;
	bool begins_with_name; /* else the name may come at its end */
	struct berth__clinfo_value values[CLINFO_FIELD_COUNT];
	/* Values that could not be read or contradict, one a line. */
	char problems[1024];
	uint32_t problem_count;
};

struct berth__clinfo_dump {
	struct berth__clinfo_device *devices;
	uint32_t count;
	uint32_t lines;
};

/*
 * Find the devices in @p text, which is changed. @p file is for messages.
 * *out is valid, though perhaps incomplete, whatever the status; free(out->devices).
 */
berth_status berth__clinfo_find_devices(struct berth__clinfo_dump *out, const char *file,
					char *text, size_t bytes);

/* A device as a profile; what the dump lacks or has wrong goes to @p report. */
berth_status berth__clinfo_profile(berth_profile *out, const struct berth__clinfo_device *device,
				   const char *path, uint32_t index, berth_clinfo_report *report);

/* Append a line to a text of lines; what does not fit is left out, whole. */
void berth__clinfo_note(char *text, size_t room, uint32_t *count, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif
