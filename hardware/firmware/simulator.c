/* Runs the controller's real program on simavr: its serial port is a pty, its pins are decoded, its buttons pressed.
 *
 *     simulator controller.elf LINK
 *
 * LINK becomes a symbolic link to the pty, as a port that comes and goes. Commands on standard input, one a line:
 *
 *     button N DOWN AFTER     button N goes down (1) or up (0) in AFTER microseconds
 *     speed X                 X times as fast as real time; 0: as fast as it can;
 *                             -1: that too, but only while bytes wait to be taken, so that nobody has to hurry
 *     unplug, plug            the cable; without it the controller has no power
 *     timing                  prints the extremes of the strip's bits
 *     quit
 *
 * Standard output, one line each; CYCLE counts 16 a microsecond from power on, MONOTONIC is the computer's clock:
 *
 *     plugged                 light CYCLE MONOTONIC RRGGBB...    tone CYCLE HERTZ    button CYCLE MONOTONIC N DOWN
 *     overrun CYCLE           timing T0H T0H T1H T1H LOW LOW PAUSE     (nanoseconds, smallest and largest)
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#define MEGAHERTZ 16
#define STEP (MEGAHERTZ * 50)            /* cycles from one look at the world to the next */
#define HARDWARE_BUFFER 3                /* bytes that the real chip keeps unread; simavr would keep 64 */
#define LATCH (MEGAHERTZ * 250)          /* cycles of silence that end a picture */
#define MOST_BEHIND 0.25                 /* seconds; what a busy computer owes beyond that is forgiven */
#define MOST_BITS (24 * 256)

static avr_t *avr;
static avr_uart_t *uart;
static const char *link_path;
static elf_firmware_t firmware;
static double speed = 1;
static double wall_began;
static avr_cycle_count_t cycle_began;

static double monotonic(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static void pace(void) {
    wall_began = monotonic();
    cycle_began = avr->cycle;
}

/* When the present cycle is, by the computer's clock, on a controller that never lags. */
static double planned(void) {
    return speed > 0 ? wall_began + (avr->cycle - cycle_began) / (speed * MEGAHERTZ * 1e6) : monotonic();
}

/* When the present cycle can be seen: it is worked out somewhat ahead, or late on a busy computer. */
static double seen(void) { return fmax(planned(), monotonic()); }

/* ---- the strip ---- */

static uint8_t bits[MOST_BITS];
static int bit_count;
static avr_cycle_count_t rose, fell;
static struct {
    avr_cycle_count_t low, high;
} zero, one, rest;
static avr_cycle_count_t pause_most;

static void widen(avr_cycle_count_t value, avr_cycle_count_t *low, avr_cycle_count_t *high) {
    if (!*low || value < *low) *low = value;
    if (value > *high) *high = value;
}

static void strip_changed(struct avr_irq_t *irq, uint32_t level, void *param) {
    (void)irq, (void)param;
    if (level && bit_count) {
        avr_cycle_count_t low = avr->cycle - fell;
        if (bit_count % 8)
            widen(low, &rest.low, &rest.high);
        else if (low > pause_most)
            pause_most = low;
    }
    if (level) {
        rose = avr->cycle;
        return;
    }
    avr_cycle_count_t high = avr->cycle - rose;
    int bit = high > MEGAHERTZ * 11 / 20;
    if (high > MEGAHERTZ * 10) return; /* the pin while the chip starts */
    widen(high, bit ? &one.low : &zero.low, bit ? &one.high : &zero.high);
    fell = avr->cycle;
    if (bit_count < MOST_BITS) bits[bit_count++] = bit;
}

static int byte_at(int k) {
    int value = 0;
    for (int b = 0; b < 8; b++) value = value << 1 | bits[k * 8 + b];
    return value;
}

static void end_picture(void) {
    if (!bit_count || avr->cycle - fell < LATCH) return;
    printf("light %llu %.6f ", (unsigned long long)fell, seen() - (avr->cycle - fell) / (MEGAHERTZ * 1e6));
    for (int k = 0; k + 3 <= bit_count / 8; k += 3) printf("%02x%02x%02x", byte_at(k + 1), byte_at(k), byte_at(k + 2));
    printf("%s\n", bit_count % 24 ? " cut" : "");
    bit_count = 0;
}

static unsigned long long nanoseconds(avr_cycle_count_t cycles) { return cycles * 1000 / MEGAHERTZ; }

static void print_timing(void) {
    printf("timing %llu %llu %llu %llu %llu %llu %llu\n", nanoseconds(zero.low), nanoseconds(zero.high),
           nanoseconds(one.low), nanoseconds(one.high), nanoseconds(rest.low), nanoseconds(rest.high),
           nanoseconds(pause_most));
}

/* ---- the buzzer ---- */

static avr_cycle_count_t half_began, half;
static int sounding;

static void buzzer_changed(struct avr_irq_t *irq, uint32_t level, void *param) {
    static uint32_t before;
    (void)irq, (void)param;
    if ((level & 1) == before) return;
    before = level & 1;
    avr_cycle_count_t passed = avr->cycle - half_began;
    half_began = avr->cycle;
    long difference = (long)passed - (long)half;
    half = passed;
    if (labs(difference) > 40 || sounding == (int)passed) return; /* two alike make a tone */
    if (labs(sounding - (int)passed) > 40) printf("tone %llu %.1f\n", (unsigned long long)avr->cycle, 5e5 * MEGAHERTZ / passed);
    sounding = passed;
}

static void end_tone(void) {
    if (!sounding || avr->cycle - half_began < 2 * (avr_cycle_count_t)sounding + 1000) return;
    printf("tone %llu 0\n", (unsigned long long)half_began);
    sounding = 0;
}

/* ---- the buttons ---- */

struct move {
    int number, down;
};

static avr_cycle_count_t button_moves(struct avr_t *of, avr_cycle_count_t when, void *param) {
    struct move *move = param;
    avr_raise_irq(avr_io_getirq(of, AVR_IOCTL_IOPORT_GETIRQ('C'), move->number), !move->down);
    printf("button %llu %.6f %d %d\n", (unsigned long long)when, planned(), move->number, move->down);
    free(move);
    return 0;
}

static void move_button(int number, int down, long after) {
    struct move *move = malloc(sizeof *move);
    *move = (struct move){number, down};
    avr_cycle_timer_register(avr, after * MEGAHERTZ + 1, button_moves, move);
}

/* ---- the serial port ---- */

static int master = -1, slave = -1;

static void byte_out(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    uint8_t byte = value;
    if (master >= 0 && write(master, &byte, 1) < 0 && errno != EAGAIN) perror("pty");
}

static uint8_t come_bytes[4];
static int come, come_at;

static int unread(void) { return (uart->input.write - uart->input.read) & (uart_fifo_fifo_size - 1); }

static void bytes_in(void) {
    if (come_at < come) return;
    ssize_t got = master >= 0 ? read(master, come_bytes, sizeof come_bytes) : 0;
    come_at = 0;
    come = got > 0 ? got : 0;
}

/* Bytes come no faster than the wire carries them, and a chip that is busy too long loses them. */
static avr_cycle_count_t wire_carries(struct avr_t *of, avr_cycle_count_t when, void *param) {
    (void)param;
    if (come_at < come) {
        uint8_t byte = come_bytes[come_at++];
        if (unread() >= HARDWARE_BUFFER)
            printf("overrun %llu\n", (unsigned long long)when);
        else
            avr_raise_irq(avr_io_getirq(of, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
    }
    return when + uart->cycles_per_byte + 16; /* simavr counts 11 bits for a byte */
}

static void plug(void) {
    struct termios raw;
    if (master >= 0) return;
    master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (master < 0 || grantpt(master) || unlockpt(master)) {
        perror("pty");
        _exit(1);
    }
    slave = open(ptsname(master), O_RDWR | O_NOCTTY); /* kept open: a port without a reader is no error */
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    unlink(link_path);
    if (symlink(ptsname(master), link_path)) perror(link_path);
    printf("plugged\n");
}

static void power_on(void) {
    avr_reset(avr);
    for (int k = 0; k < 8; k++) avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), k % 4), k / 4);
    come = come_at = bit_count = 0;
    avr_cycle_timer_register(avr, MEGAHERTZ * 100, wire_carries, NULL);
}

static void unplug(void) {
    if (master < 0) return;
    unlink(link_path);
    close(slave);
    close(master);
    master = -1;
    power_on();
}

/* ---- the world ---- */

static void obey(const char *line) {
    int number, down;
    long after;
    if (sscanf(line, "button %d %d %ld", &number, &down, &after) == 3)
        move_button(number, down, after);
    else if (sscanf(line, "speed %lf", &speed) == 1)
        pace();
    else if (!strncmp(line, "unplug", 6))
        unplug();
    else if (!strncmp(line, "plug", 4))
        plug();
    else if (!strncmp(line, "timing", 6))
        print_timing();
    else {
        unlink(link_path);
        fflush(stdout);
        _exit(0);
    }
}

static void commands_in(void) {
    static char line[256];
    static size_t used;
    char byte;
    ssize_t got;
    while ((got = read(0, &byte, 1)) == 1) {
        if (byte != '\n' && used < sizeof line - 1) {
            line[used++] = byte;
            continue;
        }
        line[used] = 0;
        used = 0;
        obey(line);
    }
    if (got == 0) obey("quit");
}

static void keep_pace(void) {
    if (speed <= 0) return;
    double ahead = planned() - monotonic();
    struct timespec wait = {0, ahead < 0.002 ? ahead * 1e9 : 2000000};
    if (ahead > 0.0001) nanosleep(&wait, NULL);
    if (ahead < -MOST_BEHIND) pace();
}

static void dozing(avr_t *of, avr_cycle_count_t cycles) { (void)of, (void)cycles; }

static void load(const char *path) {
    if (elf_read_firmware(path, &firmware)) {
        fprintf(stderr, "%s cannot be read: build it with make\n", path);
        _exit(1);
    }
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->frequency = MEGAHERTZ * 1000000;
    avr->sleep = dozing;
    avr_load_firmware(avr, &firmware);
    avr->frequency = MEGAHERTZ * 1000000;
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart")) uart = (avr_uart_t *)io;
    uint32_t flags = 0; /* no echo of its own on the console */
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
}

static void listen_to_pins(void) {
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 6), strip_changed, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 3), buzzer_changed, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), byte_out, NULL);
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: simulator controller.elf LINK\n");
        return 2;
    }
    link_path = arguments[2];
    setvbuf(stdout, NULL, _IOLBF, 0);
    fcntl(0, F_SETFL, O_NONBLOCK);
    load(arguments[1]);
    listen_to_pins();
    power_on();
    plug();
    pace();
    for (unsigned looks = 0;;) {
        avr_cycle_count_t until = avr->cycle + (speed == 0 ? 40 * STEP : STEP);
        while (avr->cycle < until) {
            int state = avr_run(avr);
            if (state == cpu_Done || state == cpu_Crashed) {
                printf("crashed %llu\n", (unsigned long long)avr->cycle);
                _exit(1);
            }
            if (bit_count) end_picture();
            if (sounding) end_tone();
        }
        bytes_in();
        while (speed < 0 && come_at == come) {
            usleep(200);
            commands_in();
            bytes_in();
        }
        if (++looks % 8 == 0 || speed == 0) commands_in();
        keep_pace();
    }
}
