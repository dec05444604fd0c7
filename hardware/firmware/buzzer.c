#include "buzzer.h"

#include <avr/io.h>
#include <avr/pgmspace.h>
#include <string.h>

#include "board.h"

#define LOWEST 31
#define HIGHEST 20000

static uint8_t tune[MOST_NOTES * 4], notes_left, note;
static uint32_t began;

/* What timer 2 divides the clock by, as a power of two, for each of its settings. */
static const uint8_t SHIFTS[] PROGMEM = {0, 3, 5, 6, 7, 8, 10};

static uint16_t word(uint8_t at) { return tune[at] | (uint16_t)tune[at + 1] << 8; }

void buzzer_begin(void) {
    DDRB |= _BV(BUZZER_PIN);
    buzzer_silence();
}

static void quiet(void) {
    TCCR2A = TCCR2B = 0;
    PORTB &= ~_BV(BUZZER_PIN);
}

void buzzer_silence(void) {
    notes_left = 0;
    quiet();
}

static void sound(uint16_t hertz) {
    quiet();
    if (!hertz) return;
    uint8_t setting = 0;
    uint32_t half = F_CPU / 2 / hertz; /* clock cycles from one toggle to the next */
    while ((half >> pgm_read_byte(&SHIFTS[setting])) > 256) setting++;
    uint8_t shift = pgm_read_byte(&SHIFTS[setting]);
    OCR2A = ((half + ((1UL << shift) >> 1)) >> shift) - 1;
    TCNT2 = 0;
    TCCR2A = _BV(COM2A0) | _BV(WGM21);
    TCCR2B = setting + 1;
}

bool buzzer_play(const uint8_t *notes, uint8_t count, uint32_t now) {
    if (count > MOST_NOTES) return false;
    for (uint8_t k = 0; k < count; k++) {
        uint16_t hertz = notes[4 * k] | (uint16_t)notes[4 * k + 1] << 8;
        if (hertz && (hertz < LOWEST || hertz > HIGHEST)) return false;
    }
    memcpy(tune, notes, count * 4);
    buzzer_silence();
    notes_left = count;
    note = 0;
    began = now;
    if (count) sound(word(0));
    return true;
}

void buzzer_step(uint32_t now) {
    while (notes_left && now - began >= word(note * 4 + 2) * 1000UL) {
        began += word(note * 4 + 2) * 1000UL;
        note++;
        if (--notes_left)
            sound(word(note * 4));
        else
            quiet();
    }
}
