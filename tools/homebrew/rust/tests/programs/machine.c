/* A console without a GE: memory from a file, and a context from another. Lists are accepted, and never drawn. */
#include "machine.h"

#include <pspge.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static int read_file(const char *path, void *bytes, size_t length) {
    FILE *file = fopen(path, "rb");
    size_t found = file == NULL ? 0 : fread(bytes, 1, length, file);
    if (file != NULL) {
        fclose(file);
    }
    return found == length ? 0 : -1;
}

int machine_load(const char *image, const char *context) {
    static uint8_t all[sizeof vram + sizeof ram];
    if (read_file(image, all, sizeof all) < 0 || read_file(context, &saved, sizeof saved) < 0) {
        return -1;
    }
    memcpy(vram, all, sizeof vram);
    memcpy(ram, all + sizeof vram, sizeof ram);
    return 0;
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
