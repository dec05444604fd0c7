/* A strip of WS2812 LEDs. */
#pragma once

#include <stdint.h>

void strip_begin(void);

/* Send red, green and blue for every LED, darker where together they would draw more than they may. */
void strip_show(const uint8_t *colors);
