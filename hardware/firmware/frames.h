/* Frames on the wire: stuffed, numbered, with a length and a checksum (PROTOCOL.md). */
#pragma once

#include <stdint.h>

#define MOST_PAYLOAD 240

/* Take one byte of the stream; calls frame_came at the end of each whole frame. */
void frames_take(uint8_t byte);

/* Send a message with up to 24 bytes of payload. */
void frame_send(uint8_t kind, uint16_t sequence, const void *payload, uint8_t length);

/* A whole frame came; written by whoever understands messages. */
void frame_came(uint8_t kind, uint16_t sequence, const uint8_t *payload, uint8_t length);
