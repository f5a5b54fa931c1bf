/* A console without a GE: memory from a file, and a context from another. Lists are accepted, and never drawn. */
#include "machine.h"

#include <pspge.h>
#include <stdio.h>
#include <stdlib.h>

static uint8_t vram[0x200000];
static uint8_t ram[0x2000000];
static PspGeContext saved;

const uint8_t *machine_memory(uint32_t address) {
    if (address >= 0x04000000u && address < 0x04800000u) {
        return vram + address % sizeof vram;
    }
    if (address >= 0x08000000u && address < 0x08000000u + sizeof ram) {
        return ram + (address - 0x08000000u);
    }
    fprintf(stderr, "bus error at %08x\n", (unsigned)address);
    abort();
}

int machine_load(const char *image, const char *context) {
    FILE *memory = fopen(image, "rb"), *registers = fopen(context, "rb");
    int whole = memory != NULL && registers != NULL && fread(vram, 1, sizeof vram, memory) == sizeof vram &&
                fread(&saved, 1, sizeof saved, registers) == sizeof saved;
    if (whole) {
        /* The image ends early if the rest of main memory is zero. */
        whole = fread(ram, 1, sizeof ram, memory) == sizeof ram || feof(memory);
    }
    if (memory != NULL) {
        fclose(memory);
    }
    if (registers != NULL) {
        fclose(registers);
    }
    return whole ? 0 : -1;
}

int sceGeSaveContext(PspGeContext *context) {
    *context = saved;
    return 0;
}

int sceGeDrawSync(int sync_type) {
    return sync_type;
}

int sceGeListEnQueue(const void *list, void *stall, int callback, PspGeListArgs *arguments) {
    (void)list, (void)stall, (void)callback, (void)arguments;
    return 0x35000000;
}

int sceGeListUpdateStallAddr(int list, void *stall) {
    (void)list, (void)stall;
    return 0;
}
