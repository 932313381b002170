/* SPDX-License-Identifier: Apache-2.0 */
/* A folder for a test's files, and questions about files. */
#ifndef BERTH_TEST_SCRATCH_H
#define BERTH_TEST_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Make a fresh folder; the path is valid until scratch_remove(). */
const char *scratch_make(void);

/* Remove the folder with all that is in it. */
void scratch_remove(void);

/* Path of a file in the folder; valid until the eighth call after it. */
const char *scratch_path(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool file_exists(const char *path);

/* Names in a folder, but for "." and "..". -1: it is not there. */
int count_files(const char *folder);

/* Whole content; free(). Aborts when it cannot be read. */
unsigned char *file_read(const char *path, size_t *bytes);
void file_write(const char *path, const void *content, size_t bytes);

#endif
