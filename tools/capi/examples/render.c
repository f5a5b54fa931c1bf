/* Renders a display list into memory of this program. At each signal it saves the state, as an emulator does for a save
 * state, and goes on in another instance.
 *
 * Usage: render IMAGE START OUTPUT.ppm, where IMAGE holds the bytes of RAM from START on, such as `pspge asm` writes. */
#include <pspge.h>
#include <stdio.h>
#include <stdlib.h>

enum { RAM_SIZE = 32 << 20, VRAM_SIZE = 2 << 20, WIDTH = 480, HEIGHT = 272, STRIDE = 512 };

static uint8_t *ram, *vram;

static void check(pspge *ge, pspge_status status) {
    if (status != PSPGE_STATUS_OK) {
        fprintf(stderr, "pspge: %s: %s\n", pspge_status_text(status), pspge_last_error(ge));
        exit(1);
    }
}

static pspge *create(void) {
    pspge_config config = {.struct_size = sizeof config, .ram = ram, .ram_size = RAM_SIZE, .vram = vram, .vram_size = VRAM_SIZE};
    pspge *ge;
    char *message;
    if (pspge_create(&config, &ge, &message) != PSPGE_STATUS_OK) {
        fprintf(stderr, "pspge: %s\n", message);
        exit(1);
    }
    return ge;
}

int main(int count, char **arguments) {
    if (count != 4 || pspge_abi_version() != PSPGE_ABI_VERSION) {
        fprintf(stderr, "usage: render IMAGE START OUTPUT.ppm (library %s)\n", pspge_version());
        return 2;
    }
    uint32_t start = (uint32_t)strtoul(arguments[2], NULL, 16);
    FILE *image = fopen(arguments[1], "rb"), *output = fopen(arguments[3], "wb");
    ram = calloc(1, RAM_SIZE);
    vram = calloc(1, VRAM_SIZE);
    if (!image || !output || !ram || !vram || start < 0x08000000 || start >= 0x08000000 + RAM_SIZE) {
        fprintf(stderr, "render: a file, memory or START cannot be used\n");
        return 1;
    }
    fread(ram + (start - 0x08000000), 1, 0x08000000 + RAM_SIZE - start, image);

    pspge *ge = create();
    pspge_run_options options = {.struct_size = sizeof options, .flags = PSPGE_RUN_STOP_AT_SIGNAL};
    pspge_run_result result;
    check(ge, pspge_run(ge, start, &options, &result));
    while (result.ending == PSPGE_RUN_ENDING_SIGNAL) {
        printf("signal 0x%04x before 0x%08x\n", result.signal & 0xffff, result.pc);
        uint8_t state[32768];
        size_t size;
        check(ge, pspge_save_state(ge, state, sizeof state, &size));
        pspge_destroy(ge);
        ge = create();
        check(ge, pspge_restore_state(ge, state, size));
        check(ge, pspge_resume(ge, &options, &result));
    }
    pspge_counts counts;
    check(ge, pspge_get_counts(ge, &counts));
    printf("ending %u at 0x%08x, %llu pixels after the last signal\n", (unsigned)result.ending, result.pc,
           (unsigned long long)counts.pixels);
    pspge_destroy(ge);

    fprintf(output, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) fwrite(vram + 4 * (y * STRIDE + x), 1, 3, output);
    int failed = fclose(output) != 0 || result.ending != PSPGE_RUN_ENDING_FINISHED;
    fclose(image);
    free(ram);
    free(vram);
    return failed;
}
