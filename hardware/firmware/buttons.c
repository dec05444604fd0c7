#include "buttons.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "board.h"
#include "clock.h"

#define REST 5000 /* microseconds without a move after which a button has stopped bouncing */

static volatile uint8_t seen, moving;
static volatile uint32_t began[BUTTONS], last[BUTTONS];
static uint8_t told;

static inline uint8_t pins(void) { return ~PINC & BUTTON_MASK; }

void buttons_begin(void) {
    PORTC |= BUTTON_MASK; /* pull-ups */
    for (volatile uint8_t k = 0; k < 50; k++) {} /* until they have charged the wires */
    seen = told = pins();
    PCMSK1 = BUTTON_MASK;
    PCICR = _BV(PCIE1);
}

void buttons_poll(void) {
    uint8_t now_seen = pins(), changed = now_seen ^ seen;
    if (!changed) return;
    uint32_t now = micros();
    for (uint8_t k = 0; k < BUTTONS; k++) {
        if (!(changed & _BV(k))) continue;
        if (!(moving & _BV(k))) began[k] = now;
        last[k] = now;
    }
    moving |= changed;
    seen = now_seen;
}

ISR(PCINT1_vect) { buttons_poll(); }

uint8_t buttons_held(void) { return told; }

/* Whether a button has stopped bouncing, where, and when it began. */
static bool settled(uint8_t button, uint32_t now, uint8_t *down, uint32_t *at) {
    bool rests = false;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        if ((moving & _BV(button)) && (int32_t)(now - last[button]) > REST) {
            rests = true;
            *down = seen & _BV(button); /* here, for it may move again at once */
            *at = began[button];
            moving &= ~_BV(button);
        }
    }
    return rests;
}

void buttons_step(uint32_t now) {
    uint8_t down;
    uint32_t at;
    for (uint8_t k = 0; k < BUTTONS; k++) {
        if (!settled(k, now, &down, &at)) continue;
        if (down == (told & _BV(k))) continue; /* it only twitched */
        told ^= _BV(k);
        button_moved(k, down, at);
    }
}
