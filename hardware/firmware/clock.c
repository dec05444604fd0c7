#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>

static volatile uint32_t rounds; /* of timer 1, each 32,768 microseconds */

ISR(TIMER1_OVF_vect) { rounds++; }

/* Nothing that this timer does: it wakes the main loop a thousand times a second. */
EMPTY_INTERRUPT(TIMER0_COMPA_vect)

void clock_begin(void) {
    TCCR1A = 0;
    TCCR1B = _BV(CS11); /* half a microsecond a tick */
    TIMSK1 = _BV(TOIE1);
    TCCR0A = _BV(WGM01);
    TCCR0B = _BV(CS01) | _BV(CS00);
    OCR0A = 249;
    TIMSK0 = _BV(OCIE0A);
}

uint32_t micros(void) {
    uint8_t flags = SREG;
    cli();
    uint16_t ticks = TCNT1;
    uint32_t high = rounds;
    if ((TIFR1 & _BV(TOV1)) && ticks < 0x8000) high++; /* it went round while interrupts were off */
    SREG = flags;
    return (high << 15) | (ticks >> 1);
}
