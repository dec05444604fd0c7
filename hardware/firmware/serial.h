/* The serial port at 115,200 baud: bytes in and out, without waiting. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define TO_SEND 128 /* bytes that may wait to be sent; a power of two */

void serial_begin(void);

/* Keep a byte that has come, if one has. Whoever works with interrupts off calls it at least every 150 microseconds. */
void serial_poll(void);

/* The next byte that came; false if there is none. */
bool serial_next(uint8_t *byte);

/* Whether bytes wait to be read. */
bool serial_waits(void);

/* Send bytes; all or, where there is no room, none. */
void serial_send(const uint8_t *bytes, uint8_t count);
