#include "session.h"

#include <stdbool.h>
#include <string.h>

#include "board.h"
#include "buttons.h"
#include "buzzer.h"
#include "clock.h"
#include "frames.h"
#include "lights.h"

#define PROTOCOL 1
#define GONE 2000000UL /* microseconds of silence after which the computer is gone */
#define AGAIN 50000UL  /* microseconds after which an event that was not acknowledged is sent again */
#define EVENTS 16

enum { HELLO = 0x01, PING, LIGHT, ANIMATE, COUNTDOWN, SOUND, OFF };
enum { ACK = 0x40, NACK, GREETING, PONG, PRESSED, FINISHED };
enum { NO_SESSION = 1, OUT_OF_ORDER, BAD };

struct event {
    uint8_t kind, length, payload[6];
};

static bool open, loud, alarmed; /* alarmed: an alarm was the newest tune */
static uint16_t session, last; /* the numbers of the Hello and of the newest command */
static bool last_done;
static uint32_t heard_at, sent_at;
static struct event events[EVENTS];
static uint8_t oldest, waiting;
static uint16_t event_number;
static bool event_sent;

static const uint8_t ALARM[] = {0x70, 0x03, 250, 0, 0, 0, 250, 0, 0x70, 0x03, 250, 0, 0, 0, 250, 0, 0x70, 0x03, 250, 0};

static void word32(uint8_t *at, uint32_t value) {
    for (uint8_t k = 0; k < 4; k++, value >>= 8) at[k] = value;
}

static void tell(uint8_t kind, const uint8_t *payload, uint8_t length) {
    if (!open || waiting == EVENTS) return;
    struct event *one = &events[(oldest + waiting++) % EVENTS];
    one->kind = kind;
    one->length = length;
    memcpy(one->payload, payload, length);
}

void button_moved(uint8_t button, bool down, uint32_t at) {
    uint8_t payload[6] = {button, down};
    word32(payload + 2, at);
    tell(PRESSED, payload, sizeof payload);
}

void countdown_ended(uint32_t at) {
    uint8_t payload[4];
    word32(payload, at);
    tell(FINISHED, payload, sizeof payload);
    if (loud) alarmed = buzzer_play(ALARM, sizeof ALARM / 4, at);
}

static bool sound(const uint8_t *notes, uint8_t count, uint32_t now) {
    if (!buzzer_play(notes, count, now)) return false;
    alarmed = false;
    return true;
}

/* Whoever comes or goes ends a tune, but no alarm. */
static void end_tune(void) {
    if (!alarmed) buzzer_silence();
}

static void everything_off(void) {
    uint8_t dark[3] = {0};
    lights_clear();
    lights_count(0, dark, 0);
    buzzer_silence();
}

static void begin(uint16_t sequence) {
    lights_clear();
    end_tune();
    waiting = event_number = 0;
    event_sent = false;
    open = last_done = true;
    session = last = sequence;
}

static void greet(uint16_t sequence, uint32_t now) {
    uint8_t payload[14] = {PROTOCOL, FIRMWARE_MAJOR, FIRMWARE_MINOR, LEDS, BUTTONS, buttons_held()};
    if (!open || sequence != session) begin(sequence); /* one that is only repeated begins nothing new */
    word32(payload + 6, lights_remaining(now));
    word32(payload + 10, now);
    frame_send(GREETING, sequence, payload, sizeof payload);
}

static bool count_down(const uint8_t *payload, uint8_t length, uint32_t now) {
    uint32_t ms = payload[0] | (uint16_t)payload[1] << 8 | (uint32_t)payload[2] << 16 | (uint32_t)payload[3] << 24;
    if (length != 8 || !lights_count(ms, payload + 4, now)) return false;
    loud = payload[7];
    return true;
}

static bool done(uint8_t kind, const uint8_t *payload, uint8_t length, uint32_t now) {
    switch (kind) {
        case LIGHT:
            return length % STRETCH == 0 && lights_hold(payload, length / STRETCH);
        case ANIMATE:
            return length == 9 && lights_animate(payload[0], payload + 1, payload[6] | (uint16_t)payload[7] << 8,
                                                 payload[8], now);
        case COUNTDOWN:
            return count_down(payload, length, now);
        case SOUND:
            return length % 4 == 0 && sound(payload, length / 4, now);
        case OFF:
            if (length) return false;
            everything_off();
            return true;
    }
    return false;
}

static void refuse(uint16_t sequence, uint8_t reason) { frame_send(NACK, sequence, &reason, 1); }

/* Each command is done once and in order: its number is one more than the last. */
static void command(uint8_t kind, uint16_t sequence, const uint8_t *payload, uint8_t length, uint32_t now) {
    if (sequence == (uint16_t)(last + 1)) {
        last = sequence;
        last_done = done(kind, payload, length, now);
    } else if (sequence != last) {
        refuse(sequence, OUT_OF_ORDER);
        return;
    }
    if (last_done)
        frame_send(ACK, sequence, 0, 0);
    else
        refuse(sequence, BAD);
}

static void acknowledged(uint16_t sequence) {
    if (!event_sent || sequence != event_number) return;
    oldest = (oldest + 1) % EVENTS;
    waiting--;
    event_sent = false;
}

void frame_came(uint8_t kind, uint16_t sequence, const uint8_t *payload, uint8_t length) {
    uint32_t now = micros();
    uint8_t pong[4];
    if (kind == HELLO) {
        greet(sequence, now);
    } else if (!open) {
        if (kind != ACK) refuse(sequence, NO_SESSION);
        return;
    } else if (kind == ACK) {
        acknowledged(sequence);
    } else if (kind == PING) {
        word32(pong, now);
        frame_send(PONG, sequence, pong, sizeof pong);
    } else {
        command(kind, sequence, payload, length, now);
    }
    heard_at = now;
}

void session_step(uint32_t now) {
    if (open && now - heard_at > GONE) {
        open = false;
        lights_clear();
        end_tune();
    }
    if (open && waiting && (!event_sent || now - sent_at > AGAIN)) {
        if (!event_sent) event_number++;
        event_sent = true;
        sent_at = now;
        frame_send(events[oldest].kind, event_number, events[oldest].payload, events[oldest].length);
    }
}
