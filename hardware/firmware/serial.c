#include "serial.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#define BAUD 115200UL

static volatile uint8_t come[256], come_head; /* indexes of one byte go round by themselves */
static uint8_t come_tail;
static volatile uint8_t sending[TO_SEND], sending_head, sending_tail;

void serial_begin(void) {
    UCSR0A = _BV(U2X0);
    UBRR0 = (F_CPU + 4 * BAUD) / (8 * BAUD) - 1;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

void serial_poll(void) {
    if (UCSR0A & _BV(RXC0)) come[come_head++] = UDR0;
}

ISR(USART_RX_vect) { serial_poll(); }

bool serial_waits(void) { return come_head != come_tail; }

bool serial_next(uint8_t *byte) {
    if (!serial_waits()) return false;
    *byte = come[come_tail++];
    return true;
}

ISR(USART_UDRE_vect) {
    if (sending_tail == sending_head) {
        UCSR0B &= ~_BV(UDRIE0);
        return;
    }
    UDR0 = sending[sending_tail];
    sending_tail = (sending_tail + 1) % TO_SEND;
}

void serial_send(const uint8_t *bytes, uint8_t count) {
    uint8_t waiting = (uint8_t)(sending_head - sending_tail) % TO_SEND;
    if (count >= TO_SEND - waiting) return; /* whoever misses it asks again */
    for (uint8_t k = 0; k < count; k++) {
        sending[sending_head] = bytes[k];
        sending_head = (sending_head + 1) % TO_SEND;
    }
    UCSR0B |= _BV(UDRIE0);
}
