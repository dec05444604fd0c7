/* A passive buzzer, driven by timer 2 alone. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define MOST_NOTES 16

void buzzer_begin(void);

/* Play notes, each a frequency in hertz (0: a rest) and milliseconds, both of two bytes; false if one cannot be played. */
bool buzzer_play(const uint8_t *notes, uint8_t count, uint32_t now);

void buzzer_silence(void);

/* Go on to the next note when it is time. */
void buzzer_step(uint32_t now);
