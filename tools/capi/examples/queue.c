/* Answers the sceGe functions of a program that has a list with a signal: enqueues it with a stall address, lets it run in slices of
 * time, calls the program's functions, and waits for the end. An emulator does the same with the registers of its CPU.
 *
 * Usage: queue IMAGE START OUTPUT.ppm, where IMAGE holds the bytes of RAM from START on, such as `pspge asm` writes. */
#include <pspge.h>
#include <stdio.h>
#include <stdlib.h>

enum { RAM_SIZE = 32 << 20, VRAM_SIZE = 2 << 20, WIDTH = 480, HEIGHT = 272, STRIDE = 512 };
/* The program's structures are here, and its functions, which this example prints instead of running them. */
enum { FUNCTIONS = 0x08900000, ARGS = 0x08900100, CONTEXT = 0x08900200, ON_SIGNAL = 0x08804000, ON_FINISH = 0x08804100 };
/* How many cycles pass before the program looks at the queue again. */
enum { SLICE = 6 };

static uint8_t *ram, *vram;
static pspge *ge;
static unsigned long long now;

static void check(pspge_status status) {
    if (status != PSPGE_STATUS_OK) {
        fprintf(stderr, "pspge: %s: %s\n", pspge_status_text(status), pspge_last_error(ge));
        exit(1);
    }
}

static void poke(uint32_t address, uint32_t word) {
    for (int byte = 0; byte < 4; byte++) ram[address - 0x08000000 + byte] = (uint8_t)(word >> 8 * byte);
}

/* A system call of the program. */
static pspge_queue_answer sce_ge(uint32_t number, uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3) {
    const uint32_t arguments[4] = {a0, a1, a2, a3};
    pspge_queue_answer answer;
    check(pspge_queue_call(ge, number, arguments, &answer));
    return answer;
}

/* A function of the program. It runs as an interrupt handler, and may make calls itself. */
static void program_function(const pspge_queue_progress *due) {
    uint32_t state = sce_ge(PSPGE_SCE_GE_LIST_SYNC, due->list, 1, 0, 0).value;
    printf("%4llu function %08x(0x%04x, %u, 0x%08x), list state %u\n", now, due->function, due->arguments[0],
           due->arguments[1], due->arguments[2], state);
    /* It may not wait for the list that has called it. */
    if (sce_ge(PSPGE_SCE_GE_LIST_SYNC, due->list, 0, 0, 0).value != 0x80020064) exit(1);
}

/* Lets the GE run for a slice, with the functions that are due. Returns 0 if it has nothing to do. */
static int run_slice(void) {
    pspge_queue_progress progress;
    check(pspge_queue_advance(ge, SLICE, NULL, &progress));
    for (now += progress.cycles; progress.stop == PSPGE_QUEUE_STOP_CALLBACK; now += progress.cycles) {
        program_function(&progress);
        check(pspge_queue_callback_returned(ge, SLICE, NULL, &progress));
    }
    return progress.stop != PSPGE_QUEUE_STOP_IDLE;
}

int main(int count, char **arguments) {
    if (count != 4 || pspge_abi_version() != PSPGE_ABI_VERSION) {
        fprintf(stderr, "usage: queue IMAGE START OUTPUT.ppm (library %s)\n", pspge_version());
        return 2;
    }
    uint32_t start = (uint32_t)strtoul(arguments[2], NULL, 16);
    FILE *image = fopen(arguments[1], "rb"), *output = fopen(arguments[3], "wb");
    ram = calloc(1, RAM_SIZE);
    vram = calloc(1, VRAM_SIZE);
    if (!image || !output || !ram || !vram || start < 0x08000000 || start >= 0x08000000 + RAM_SIZE) {
        fprintf(stderr, "queue: a file, memory or START cannot be used\n");
        return 1;
    }
    fread(ram + (start - 0x08000000), 1, 0x08000000 + RAM_SIZE - start, image);
    pspge_config config = {.struct_size = sizeof config, .ram = ram, .ram_size = RAM_SIZE, .vram = vram, .vram_size = VRAM_SIZE};
    if (pspge_create(&config, &ge, NULL) != PSPGE_STATUS_OK) return 1;

    /* The callbacks, and a context, so that the list leaves the registers as they are. */
    const uint32_t functions[4] = {ON_SIGNAL, 1, ON_FINISH, 2}, args[4] = {16, CONTEXT, 0, 0};
    for (uint32_t place = 0; place < 4; place++) {
        poke(FUNCTIONS + 4 * place, functions[place]);
        poke(ARGS + 4 * place, args[place]);
    }
    sce_ge(PSPGE_SCE_GE_SET_COMPILED_SDK_VERSION, 0x06060010, 0, 0, 0);
    uint32_t callback = sce_ge(PSPGE_SCE_GE_SET_CALLBACK, FUNCTIONS, 0, 0, 0).value;

    /* The program has written two words so far. */
    uint32_t list = sce_ge(PSPGE_SCE_GE_LIST_EN_QUEUE, start, start + 8, callback, ARGS).value;
    if (sce_ge(PSPGE_SCE_GE_LIST_EN_QUEUE, start, 0, callback, ARGS).value != 0x80000021) return 1;
    while (run_slice()) {}
    printf("%4llu list %08x, state %u\n", now, list, sce_ge(PSPGE_SCE_GE_LIST_SYNC, list, 1, 0, 0).value);

    /* Now the list is complete, and a thread waits for it. */
    sce_ge(PSPGE_SCE_GE_LIST_UPDATE_STALL_ADDR, list, 0, 0, 0);
    pspge_queue_answer wait = sce_ge(PSPGE_SCE_GE_DRAW_SYNC, 0, 0, 0, 0);
    for (uint32_t is_over = wait.wait == PSPGE_QUEUE_WAIT_NONE; !is_over;) {
        printf("%4llu the thread waits\n", now);
        run_slice();
        check(pspge_queue_is_over(ge, wait.wait, wait.list, &is_over));
    }
    uint32_t state = sce_ge(PSPGE_SCE_GE_LIST_SYNC, list, 1, 0, 0).value;
    printf("%4llu all lists have ended, state %08x\n", now, state);
    pspge_destroy(ge);

    fprintf(output, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) fwrite(vram + 4 * (y * STRIDE + x), 1, 3, output);
    int failed = fclose(output) != 0 || state != 0x80000100;
    fclose(image);
    free(ram);
    free(vram);
    return failed;
}
