/* What the LEDs show, in three layers: held colors, over them a countdown, over them an animation. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define STRETCH 5 /* bytes: first LED, how many, red, green, blue */

enum { STEADY, BLINK, PULSE, CHASE, PATTERNS };

/* Hold so many stretches, and dark between them; false if one does not fit the strip. */
bool lights_hold(const uint8_t *stretches, uint8_t count);

/* Play a pattern on a stretch, so many rounds of so many milliseconds, 0 for ever; false if that cannot be. */
bool lights_animate(uint8_t pattern, const uint8_t *stretch, uint16_t period, uint8_t rounds, uint32_t now);

/* Count down from so many milliseconds, or stop counting at 0; false if that is too short or too long. */
bool lights_count(uint32_t length, const uint8_t *color, uint32_t now);

/* Milliseconds that the countdown still has to run. */
uint32_t lights_remaining(uint32_t now);

/* Drop held colors and animation; the countdown goes on. */
void lights_clear(void);

/* Go on, and send the strip what it has to show now. */
void lights_step(uint32_t now);

/* The countdown ran to its end at that time; written by whoever tells the computer. */
void countdown_ended(uint32_t at);
