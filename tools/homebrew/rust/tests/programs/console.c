/* A console for the example: libgu writes real commands into the list of the program, which is below 28 bits as on a PSP
 * because of where the program is linked. There is no GE: registers follow the commands at once, so that saved contexts
 * hold them. */
#define _DEFAULT_SOURCE
#include <pspctrl.h>
#include <pspdisplay.h>
#include <pspge.h>
#include <pspgu.h>
#include <pspkernel.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static uint32_t registers[256];
static uint32_t *current;
static uint32_t clear_color;
static int list_id;

static void send(uint32_t opcode, uint32_t argument) {
    registers[opcode] = argument & 0xFFFFFF;
    *current++ = opcode << 24 | registers[opcode];
}

static void update_stall(void) {
    sceGeListUpdateStallAddr(list_id, current);
}

void sceGuInit(void) {
    /* VRAM, where programs for the PSP expect it. */
    void *vram = mmap((void *)0x04000000, 0x200000, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (vram == MAP_FAILED) {
        perror("VRAM");
        exit(3);
    }
    memset((char *)vram + 0x100000, 0x5A, 16);
}

void sceGuTerm(void) {}

void sceGuStart(int context, void *list) {
    (void)context;
    current = (uint32_t *)list;
    list_id = sceGeListEnQueue(list, list, -1, NULL);
}

int sceGuFinish(void) {
    send(0x0F, 0);
    send(0x0C, 0);
    update_stall();
    return 0;
}

int sceGuSync(int mode, int what) {
    return mode + what;
}

int sceGuDisplay(int state) {
    return state;
}

void *sceGuSwapBuffers(void) {
    return NULL;
}

void sceGuDrawBuffer(int format, void *address, int width) {
    send(0xD2, (uint32_t)format);
    send(0x9C, (uint32_t)(uintptr_t)address);
    send(0x9D, (uint32_t)width | 0x040000);
}

void sceGuDispBuffer(int width, int height, void *address, int buffer_width) {
    (void)address, (void)buffer_width;
    send(0x15, 0);
    send(0x16, (uint32_t)(height - 1) << 10 | (uint32_t)(width - 1));
}

void sceGuOffset(unsigned int x, unsigned int y) {
    send(0x4C, x << 4);
    send(0x4D, y << 4);
}

void sceGuViewport(int x, int y, int width, int height) {
    (void)x, (void)y, (void)width, (void)height;
}

void sceGuScissor(int x, int y, int width, int height) {
    send(0xD4, (uint32_t)y << 10 | (uint32_t)x);
    send(0xD5, (uint32_t)(y + height - 1) << 10 | (uint32_t)(x + width - 1));
}

void sceGuEnable(int state) {
    if (state == GU_TEXTURE_2D) {
        send(0x1E, 1);
    }
}

void sceGuClearColor(unsigned int color) {
    clear_color = color;
}

void sceGuClear(int flags) {
    struct corner {
        uint32_t color;
        uint16_t x, y, z, gap;
    } *corners = (struct corner *)sceGuGetMemory(2 * sizeof(struct corner));
    memset(corners, 0, 2 * sizeof *corners);
    corners[1].x = 480;
    corners[1].y = 272;
    corners[0].color = corners[1].color = clear_color;
    send(0xD3, (uint32_t)flags << 8 | 1);
    sceGuDrawArray(GU_SPRITES, 7 << 2 | GU_VERTEX_16BIT | GU_TRANSFORM_2D, 2, 0, corners);
    send(0xD3, 0);
}

void sceGuTexMode(int format, int levels, int reserved, int is_swizzled) {
    (void)reserved;
    send(0xC3, (uint32_t)format);
    send(0xC2, (uint32_t)levels << 16 | (uint32_t)is_swizzled);
    send(0xCB, 0);
}

void sceGuTexImage(int level, int width, int height, int buffer_width, const void *texels) {
    uint32_t address = (uint32_t)(uintptr_t)texels, opcode = (uint32_t)level;
    send(0xA0 + opcode, address);
    send(0xA8 + opcode, (address >> 8 & 0x0F0000) | (uint32_t)buffer_width);
    send(0xB8 + opcode, (uint32_t)__builtin_ctz((unsigned)height) << 8 | (uint32_t)__builtin_ctz((unsigned)width));
    send(0xCB, 0);
}

void sceGuTexFunc(int function, int component) {
    send(0xC9, (uint32_t)component << 8 | (uint32_t)function);
}

/* As libgu, this takes memory of the list and jumps over it. */
void *sceGuGetMemory(int bytes) {
    uint32_t *memory = current + 2, *after = memory + (bytes + 3) / 4;
    uint32_t address = (uint32_t)(uintptr_t)after;
    send(0x10, address >> 8 & 0x0F0000);
    send(0x08, address);
    current = after;
    return memory;
}

void sceGuDrawArray(int primitive, int type, int count, const void *indices, const void *vertices) {
    uint32_t address = (uint32_t)(uintptr_t)vertices;
    (void)indices;
    send(0x12, (uint32_t)type);
    send(0x10, address >> 8 & 0x0F0000);
    send(0x01, address);
    send(0x04, (uint32_t)primitive << 16 | (uint32_t)count);
    update_stall();
}

/* Saves registers in the order of the kernel. */
int sceGeSaveContext(PspGeContext *context) {
    static const uint8_t ranges[][2] = {
        {0x00, 0x02}, {0x10, 0x10}, {0x12, 0x28}, {0x2C, 0x33}, {0x36, 0x38}, {0x42, 0x4D}, {0x50, 0x51},
        {0x53, 0x58}, {0x5B, 0xB5}, {0xB8, 0xC3}, {0xC5, 0xD0}, {0xD2, 0xE9}, {0xEB, 0xEC}, {0xEE, 0xEE},
        {0xF0, 0xF6}, {0xF8, 0xF9},
    };
    unsigned int *word = context->context + 17;
    size_t range;
    memset(context, 0, sizeof *context);
    for (range = 0; range < sizeof ranges / sizeof *ranges; range++) {
        uint32_t opcode;
        for (opcode = ranges[range][0]; opcode <= ranges[range][1]; opcode++) {
            *word++ = opcode << 24 | registers[opcode];
        }
    }
    context->context[384] = 0x0C000000;
    return word == context->context + 226 ? 0 : -1;
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

/* START in the second frame, SELECT in the third. */
int sceCtrlReadBufferPositive(SceCtrlData *data, int count) {
    static int frame;
    memset(data, 0, sizeof *data);
    data->Buttons = frame == 1 ? PSP_CTRL_START : frame == 2 ? PSP_CTRL_SELECT : 0;
    frame += 1;
    return count;
}

void sceKernelDcacheWritebackAll(void) {}

void sceKernelExitGame(void) {}

int sceDisplayWaitVblankStart(void) {
    return 0;
}
