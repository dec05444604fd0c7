/* The one clock from which every time on the controller is told. */
#pragma once

#include <stdint.h>

void clock_begin(void);

/* Microseconds since the start; begins again at 0 after 2^32, so only differences count. */
uint32_t micros(void);
