#include "strip.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "board.h"
#include "buttons.h"
#include "serial.h"

#define MOST_LIGHT (MILLIAMPERES * 255UL / 20) /* 20 mA for a fully lit color of one LED */

static uint8_t wire[LEDS * 3];

void strip_begin(void) { DDRD |= _BV(STRIP_PIN); }

/* One byte, highest bit first: 20 cycles a bit, high for 5 of them (0.31 us) for a 0 and for 12 (0.75 us) for a 1. */
static inline void send(uint8_t byte, uint8_t high, uint8_t low) {
    uint8_t bits = 8;
    __asm__ volatile(
        "1: out %[port], %[high] \n"
        "   rjmp .+0             \n"
        "   nop                  \n"
        "   sbrs %[byte], 7      \n"
        "   out %[port], %[low]  \n"
        "   rjmp .+0             \n"
        "   rjmp .+0             \n"
        "   rjmp .+0             \n"
        "   out %[port], %[low]  \n"
        "   lsl %[byte]          \n"
        "   rjmp .+0             \n"
        "   nop                  \n"
        "   dec %[bits]          \n"
        "   brne 1b              \n"
        : [byte] "+r"(byte), [bits] "+r"(bits)
        : [port] "I"(_SFR_IO_ADDR(PORTD)), [high] "r"(high), [low] "r"(low));
}

/* Colors as the strip wants them: green, red, blue, and darker where they would draw too much. */
static void prepare(const uint8_t *colors) {
    uint32_t sum = 0;
    for (uint16_t k = 0; k < sizeof wire; k++) sum += colors[k];
    uint16_t dimmed = sum > MOST_LIGHT ? MOST_LIGHT * 256 / sum : 256;
    for (uint16_t k = 0; k < sizeof wire; k += 3) {
        wire[k] = colors[k + 1] * dimmed >> 8;
        wire[k + 1] = colors[k] * dimmed >> 8;
        wire[k + 2] = colors[k + 2] * dimmed >> 8;
    }
}

void strip_show(const uint8_t *colors) {
    prepare(colors);
    uint8_t low = PORTD & ~_BV(STRIP_PIN), high = low | _BV(STRIP_PIN), flags = SREG;
    cli(); /* a long pause between the bits would end the picture */
    for (const uint8_t *byte = wire; byte < wire + sizeof wire;) {
        send(*byte++, high, low);
        send(*byte++, high, low);
        send(*byte++, high, low);
        serial_poll(); /* what interrupts would do, in a time that is known */
        buttons_poll();
    }
    SREG = flags;
}
