/* pipsight's controller for an Arduino Uno or Nano: lights, a buzzer and buttons at the end of a serial port. */
#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "buttons.h"
#include "buzzer.h"
#include "clock.h"
#include "frames.h"
#include "lights.h"
#include "serial.h"
#include "session.h"
#include "strip.h"

/* Wait for a byte, a button or the next thousandth of a second. */
static void doze(void) {
    cli();
    if (!serial_waits()) {
        sleep_enable();
        sei(); /* takes effect after the next instruction, so nothing can come in between */
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

int main(void) {
    uint8_t byte;
    clock_begin();
    serial_begin();
    strip_begin();
    buzzer_begin();
    buttons_begin();
    sei();
    for (;;) {
        while (serial_next(&byte)) frames_take(byte);
        buttons_step(micros());
        buzzer_step(micros());
        lights_step(micros());
        session_step(micros());
        doze();
    }
}
