/* A textured square that moves, for pspsdk. START writes the next frame to the memory stick, SELECT ends the program.
 *
 *     psp-gcc -I. -I$(psp-config --pspsdk-path)/include -c example.c
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include <pspctrl.h>
#include <pspdisplay.h>
#include <pspgu.h>
#include <pspkernel.h>

#define PSPGE_CAPTURE_IMPLEMENTATION
#include "pspge_capture.h"

PSP_MODULE_INFO("capture example", 0, 1, 0);
PSP_MAIN_THREAD_ATTR(THREAD_ATTR_USER);

struct vertex {
    unsigned short u, v;
    short x, y, z;
};

static unsigned int __attribute__((aligned(16))) list[0x4000];
static unsigned int __attribute__((aligned(16))) texture[16 * 16];

/* Sends the commands of a frame. */
static void draw_frame(int number) {
    struct vertex *corners;
    sceGuStart(GU_DIRECT, list);
    sceGuClearColor(0xFF403020);
    sceGuClear(GU_COLOR_BUFFER_BIT);
    sceGuEnable(GU_TEXTURE_2D);
    sceGuTexMode(GU_PSM_8888, 0, 0, 0);
    sceGuTexImage(0, 16, 16, 16, texture);
    sceGuTexFunc(GU_TFX_REPLACE, GU_TCC_RGBA);
    /* Memory of the list is written past the data cache, so nothing has to be written back. */
    corners = (struct vertex *)sceGuGetMemory(2 * sizeof(struct vertex));
    corners[0].u = corners[0].v = 0;
    corners[0].x = (short)(176 + number % 64);
    corners[0].y = 72;
    corners[1].u = corners[1].v = 16;
    corners[1].x = (short)(304 + number % 64);
    corners[1].y = 200;
    corners[0].z = corners[1].z = 0;
    sceGuDrawArray(GU_SPRITES, GU_TEXTURE_16BIT | GU_VERTEX_16BIT | GU_TRANSFORM_2D, 2, 0, corners);
    sceGuFinish();
}

int main(void) {
    SceCtrlData pad;
    int number, i;
    for (i = 0; i < 16 * 16; i++) {
        texture[i] = (i / 16 + i) % 2 ? 0xFF30C0F0 : 0xFF2040A0;
    }
    /* The GE reads memory, not the data cache. */
    sceKernelDcacheWritebackAll();
    sceGuInit();
    sceGuStart(GU_DIRECT, list);
    sceGuDrawBuffer(GU_PSM_8888, (void *)0, 512);
    sceGuDispBuffer(480, 272, (void *)0x88000, 512);
    sceGuOffset(2048 - 240, 2048 - 136);
    sceGuViewport(2048, 2048, 480, 272);
    sceGuScissor(0, 0, 480, 272);
    sceGuEnable(GU_SCISSOR_TEST);
    sceGuFinish();
    sceGuSync(0, 0);
    sceGuDisplay(GU_TRUE);
    for (number = 0;; number++) {
        int captures;
        sceCtrlReadBufferPositive(&pad, 1);
        if (pad.Buttons & PSP_CTRL_SELECT) {
            break;
        }
        captures = (pad.Buttons & PSP_CTRL_START) != 0;
        if (captures && pspge_capture_frame("ms0:/frame.ppdmp") < 0) {
            printf("%s\n", pspge_capture_message());
            captures = 0;
        }
        draw_frame(number);
        if (captures) {
            pspge_capture_list(list, NULL);
        }
        sceGuSync(0, 0);
        if (captures) {
            printf("capture %d %s\n", pspge_capture_end(), pspge_capture_message());
        }
        sceDisplayWaitVblankStart();
        sceGuSwapBuffers();
    }
    sceGuTerm();
    sceKernelExitGame();
    return 0;
}
