/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the contract suite share: the device under test and short ways to use it. */
#ifndef BERTH_TEST_CONTRACT_INTERNAL_H
#define BERTH_TEST_CONTRACT_INTERNAL_H

#include "contract.h"
#include "test_main.h"

/* Tests of each file, ended by a NULL name. */
extern const struct test contract_object_tests[];
extern const struct test contract_transfer_tests[];
extern const struct test contract_more_tests[];

/* The device that contract_main() was given. */
extern const struct contract_device *contract_current;

/* Open it; a failure ends the test. */
berth_device *contract_open(void);

/* Execute; there must be an answer. */
berth_result contract_execute(berth_device *device, const berth_op *op);

/* Execute; the answer must be CL_SUCCESS (`accept`), or anything else (`refuse`). */
#define accept(device, ...) contract_accept(device, &(berth_op){ __VA_ARGS__ }, __FILE__, __LINE__)
#define refuse(device, ...) contract_refuse(device, &(berth_op){ __VA_ARGS__ }, __FILE__, __LINE__)
berth_result contract_accept(berth_device *device, const berth_op *op, const char *file, int line);
berth_result contract_refuse(berth_device *device, const berth_op *op, const char *file, int line);

/* The host side of an op's initialiser. */
#define HOST(pointer) .host = (pointer), .host_address = (uint64_t)(uintptr_t)(pointer)

berth_result contract_buffer(berth_device *device, uint64_t id, uint64_t bytes);

/* An RGBA image of 8-bit channels, not normalised: a colour is its bytes. */
#define CONTRACT_PIXEL_BYTES 4
berth_result contract_image(berth_device *device, uint64_t id, uint64_t width, uint64_t height);

void contract_write(berth_device *device, uint64_t id, uint64_t offset, const void *from,
		    uint64_t bytes);
void contract_read(berth_device *device, uint64_t id, uint64_t offset, void *to, uint64_t bytes);

/* Write an image in whole, without gaps; read it likewise. */
void contract_write_image(berth_device *device, uint64_t id, uint64_t width, uint64_t height,
			  const void *from);
void contract_read_image(berth_device *device, uint64_t id, uint64_t width, uint64_t height,
			 void *to);

/* Bytes that differ from their neighbours and from another seed's. */
void contract_pattern(uint8_t *bytes, size_t count, unsigned seed);

/* Compare content, except of ghosts. */
#define ASSERT_CONTENT(actual, expected, bytes)                                                    \
	contract_assert_content(actual, expected, bytes, __FILE__, __LINE__)
void contract_assert_content(const void *actual, const void *expected, size_t bytes,
			     const char *file, int line);

berth_memory contract_memory(const berth_device *device);

/* Whether images of the format above can be made; says so when not. */
bool contract_has_images(const berth_device *device);

#endif
