/* What is soldered where; every number may be set when building: make LEDS=60. */
#pragma once

#include <avr/io.h>

#ifndef LEDS
#define LEDS 24 /* WS2812 in a strip or ring, at most 80 */
#endif
#ifndef MILLIAMPERES
#define MILLIAMPERES 400 /* what the LEDs may draw; a USB port gives 500 to the whole board */
#endif

#define BUTTONS 4
#define BUTTON_MASK 0x0F /* pins A0 to A3, each to ground */
#define STRIP_PIN PD6    /* pin 6, to the strip's data input */
#define BUZZER_PIN PB3   /* pin 11, where timer 2 toggles */

#define FIRMWARE_MAJOR 1
#define FIRMWARE_MINOR 0

_Static_assert(LEDS >= 1 && LEDS <= 80, "the controller has memory for 1 to 80 LEDs");
