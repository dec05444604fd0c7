/* Buttons, each with the time at which it began to move. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

void buttons_begin(void);

/* Note which buttons move. Whoever works with interrupts off calls it often. */
void buttons_poll(void);

/* A bit for each button that is down. */
uint8_t buttons_held(void);

/* Report what moved and has come to rest; calls button_moved. */
void buttons_step(uint32_t now);

/* A button went down or came up; written by whoever tells the computer. */
void button_moved(uint8_t button, bool down, uint32_t at);
