/* The talk with the computer: commands in, answers and events out. */
#pragma once

#include <stdint.h>

/* End the session when the computer has been silent too long, and repeat the event that it has not acknowledged. */
void session_step(uint32_t now);
