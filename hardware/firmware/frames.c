#include "frames.h"

#include <avr/pgmspace.h>
#include <stdbool.h>

#include "serial.h"

#define HEADER 4
#define CHECKSUM 4

static const uint32_t NIBBLES[16] PROGMEM = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

static uint8_t body[HEADER + MOST_PAYLOAD + CHECKSUM];
static uint8_t size, left;
static bool begun, spoilt;

static uint32_t checksum(const uint8_t *bytes, uint8_t count) {
    uint32_t sum = 0xffffffff;
    while (count--) {
        sum ^= *bytes++;
        sum = (sum >> 4) ^ pgm_read_dword(&NIBBLES[sum & 15]);
        sum = (sum >> 4) ^ pgm_read_dword(&NIBBLES[sum & 15]);
    }
    return ~sum;
}

static uint32_t read32(const uint8_t *at) {
    return at[0] | (uint16_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void keep(uint8_t byte) {
    if (size < sizeof body)
        body[size++] = byte;
    else
        spoilt = true;
}

static void frame_ends(void) {
    uint8_t length = body[3];
    if (spoilt || left || size < HEADER + CHECKSUM) return;
    if (length > MOST_PAYLOAD || size != HEADER + length + CHECKSUM) return;
    if (checksum(body, HEADER + length) != read32(body + HEADER + length)) return;
    frame_came(body[0], body[1] | (uint16_t)body[2] << 8, body + HEADER, length);
}

void frames_take(uint8_t byte) {
    if (byte == 0) {
        frame_ends();
        size = left = 0;
        begun = spoilt = false;
    } else if (left) {
        left--;
        keep(byte);
    } else {
        if (begun) keep(0);
        begun = true;
        left = byte - 1;
    }
}

void frame_send(uint8_t kind, uint16_t sequence, const void *payload, uint8_t length) {
    uint8_t plain[HEADER + 24 + CHECKSUM] = {kind, sequence, sequence >> 8, length};
    uint8_t wire[sizeof plain + 3] = {0}, count = HEADER, mark = 1, end = 2;
    const uint8_t *bytes = payload;
    for (uint8_t k = 0; k < length; k++) plain[count++] = bytes[k];
    uint32_t sum = checksum(plain, count);
    for (uint8_t k = 0; k < CHECKSUM; k++, sum >>= 8) plain[count++] = sum;
    for (uint8_t k = 0; k < count; k++) { /* a zero becomes the distance to the next */
        if (plain[k])
            wire[end++] = plain[k];
        else {
            wire[mark] = end - mark;
            mark = end++;
        }
    }
    wire[mark] = end - mark;
    wire[end++] = 0;
    serial_send(wire, end);
}
