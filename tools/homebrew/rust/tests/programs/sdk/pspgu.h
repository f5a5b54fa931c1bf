/* The part of pspsdk's pspgu.h that the example uses, for tests without the SDK. */
#ifndef FAKE_PSPGU_H
#define FAKE_PSPGU_H

#define GU_TRUE 1
#define GU_DIRECT 0
#define GU_SCISSOR_TEST 2
#define GU_TEXTURE_2D 9
#define GU_PSM_8888 3
#define GU_SPRITES 6
#define GU_COLOR_BUFFER_BIT 1
#define GU_TFX_REPLACE 3
#define GU_TCC_RGBA 1
#define GU_TEXTURE_16BIT 2
#define GU_VERTEX_16BIT (2 << 7)
#define GU_TRANSFORM_2D (1 << 23)

void sceGuInit(void);
void sceGuTerm(void);
void sceGuStart(int context, void *list);
int sceGuFinish(void);
int sceGuSync(int mode, int what);
int sceGuDisplay(int state);
void *sceGuSwapBuffers(void);
void sceGuDrawBuffer(int format, void *address, int width);
void sceGuDispBuffer(int width, int height, void *address, int buffer_width);
void sceGuOffset(unsigned int x, unsigned int y);
void sceGuViewport(int x, int y, int width, int height);
void sceGuScissor(int x, int y, int width, int height);
void sceGuEnable(int state);
void sceGuClearColor(unsigned int color);
void sceGuClear(int flags);
void sceGuTexMode(int format, int levels, int reserved, int is_swizzled);
void sceGuTexImage(int level, int width, int height, int buffer_width, const void *texels);
void sceGuTexFunc(int function, int component);
void *sceGuGetMemory(int bytes);
void sceGuDrawArray(int primitive, int type, int count, const void *indices, const void *vertices);
#endif
