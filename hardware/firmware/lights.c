#include "lights.h"

#include <string.h>

#include "board.h"
#include "strip.h"

#define SHORTEST 1000UL
#define LONGEST 3600000UL
#define SHORTEST_PERIOD 20
#define FRAME 20000UL     /* microseconds from one picture of what moves to the next */
#define LATCH 300UL       /* microseconds of silence after which a strip shows what it was sent */
#define ALARM_PERIOD 500  /* milliseconds of one flash when a countdown has ended */
#define ALARM_ROUNDS 3

struct animation {
    bool on;
    uint8_t pattern, first, count, color[3], rounds;
    uint16_t period;
    uint32_t began; /* the round that plays */
};

static uint8_t held[LEDS][3], shown[LEDS][3];
static struct animation animation, alarm;
static struct {
    bool on;
    uint8_t color[3];
    uint32_t length, began; /* milliseconds, microseconds */
} countdown;
static bool changed = true; /* also at the start: a strip keeps its colors when only the controller starts anew */
static uint32_t drawn_at;

static bool fits(const uint8_t *stretch) { return stretch[0] < LEDS && stretch[1] && stretch[1] <= LEDS - stretch[0]; }

bool lights_hold(const uint8_t *stretches, uint8_t count) {
    for (uint8_t k = 0; k < count; k++)
        if (!fits(stretches + k * STRETCH)) return false;
    memset(held, 0, sizeof held);
    for (; count; count--, stretches += STRETCH)
        for (uint8_t k = 0; k < stretches[1]; k++) memcpy(held[stretches[0] + k], stretches + 2, 3);
    changed = true;
    return true;
}

static void start(struct animation *one, uint8_t pattern, const uint8_t *stretch, uint16_t period, uint8_t rounds,
                  uint32_t now) {
    *one = (struct animation){true, pattern, stretch[0], stretch[1], {0}, rounds, period, now};
    memcpy(one->color, stretch + 2, 3);
    changed = true;
}

bool lights_animate(uint8_t pattern, const uint8_t *stretch, uint16_t period, uint8_t rounds, uint32_t now) {
    if (pattern >= PATTERNS || !fits(stretch) || period < SHORTEST_PERIOD) return false;
    start(&animation, pattern, stretch, period, rounds, now);
    return true;
}

bool lights_count(uint32_t length, const uint8_t *color, uint32_t now) {
    if (length && (length < SHORTEST || length > LONGEST)) return false;
    countdown.on = length;
    countdown.length = length;
    countdown.began = now;
    memcpy(countdown.color, color, 3);
    alarm.on = false;
    changed = true;
    return true;
}

uint32_t lights_remaining(uint32_t now) {
    uint32_t length = countdown.length * 1000, passed = now - countdown.began;
    return countdown.on && passed < length ? (length - passed) / 1000 : 0; /* due, but not yet ended: nothing */
}

void lights_clear(void) {
    memset(held, 0, sizeof held);
    animation.on = false;
    changed = true;
}

static void scaled(const uint8_t *color, uint8_t level, uint8_t *out) {
    for (uint8_t k = 0; k < 3; k++) out[k] = (uint16_t)color[k] * (level + 1) >> 8;
}

/* How bright an animation's LED is, 0 to 255. */
static uint8_t level(const struct animation *one, uint8_t place, uint32_t now) {
    uint32_t at = (now - one->began) / 1000;
    uint16_t wave, behind;
    switch (one->pattern) {
        case BLINK:
            return at * 2 < one->period ? 255 : 0;
        case PULSE:
            wave = at * 510 / one->period;
            return wave > 255 ? 510 - wave : wave;
        case CHASE:
            behind = (at * one->count / one->period + one->count - place) % one->count;
            return behind < 4 ? 255 >> 2 * behind : 0;
    }
    return 255;
}

static bool animated(const struct animation *one, uint8_t led, uint32_t now, uint8_t *out) {
    if (!one->on || led < one->first || led - one->first >= one->count) return false;
    scaled(one->color, level(one, led - one->first, now), out);
    return true;
}

/* How bright the countdown's arc is at a LED: fully before its end, partly at it. */
static void counted(uint8_t led, uint8_t end, uint8_t part, uint8_t *out) {
    scaled(countdown.color, led < end ? 255 : led > end ? 0 : part, out);
}

/* End what has played all its rounds. */
static void pass(struct animation *one, uint32_t now) {
    uint32_t period = one->period * 1000UL;
    while (one->on && now - one->began >= period) {
        one->began += period;
        if (one->rounds && --one->rounds == 0) {
            one->on = false;
            changed = true;
        }
    }
}

static void end_countdown(uint32_t now) {
    uint8_t everywhere[STRETCH] = {0, LEDS, countdown.color[0], countdown.color[1], countdown.color[2]};
    uint32_t end = countdown.began + countdown.length * 1000;
    if (!countdown.on || now - countdown.began < countdown.length * 1000) return;
    countdown.on = false;
    start(&alarm, BLINK, everywhere, ALARM_PERIOD, ALARM_ROUNDS, end);
    countdown_ended(end);
}

static bool draw(uint32_t now) {
    uint8_t color[3];
    uint32_t remaining = lights_remaining(now), each = countdown.length / LEDS;
    uint8_t end = countdown.on ? remaining / each : 0, part = countdown.on ? remaining % each * 255 / each : 0;
    bool differs = false;
    for (uint8_t led = 0; led < LEDS; led++) {
        if (!animated(&animation, led, now, color) && !animated(&alarm, led, now, color)) {
            if (countdown.on)
                counted(led, end, part, color);
            else
                memcpy(color, held[led], 3);
        }
        if (!memcmp(shown[led], color, 3)) continue;
        memcpy(shown[led], color, 3);
        differs = true;
    }
    return differs;
}

void lights_step(uint32_t now) {
    static bool begun;
    end_countdown(now);
    pass(&animation, now);
    pass(&alarm, now);
    bool moves = animation.on || alarm.on || countdown.on;
    if (now - drawn_at < (changed ? LATCH : FRAME) || !(changed || moves)) return;
    if (draw(now) || !begun) strip_show(shown[0]);
    begun = true;
    changed = false;
    drawn_at = now;
}
