/* Draws a scene twice: as a display list, and as assembled primitives through the backend of twelve calls, as a recompiler with a
 * front end of its own would. Says whether all bytes of VRAM are the same, colour and depth. */
#include <pspge_backend.h>
#include <stdio.h>
#include <stdlib.h>

enum { RAM = 0x08000000, VRAM_SIZE = 2 << 20, RAM_SIZE = 1 << 20, LIST = 0x1000, TEXELS = 0x2000, PALETTE = 0x4000, DATA = 0x5000 };

static uint8_t ram[RAM_SIZE], vram[2][VRAM_SIZE];
static uint32_t list_end = LIST, data_end = DATA;

static void word(uint32_t value) {
    memcpy(ram + list_end, &value, 4);
    list_end += 4;
}

/* Texture coordinates and positions of a vertex, as the list has them in through mode. */
typedef struct vertex {
    uint16_t u, v;
    uint32_t color;
    int16_t x, y;
    uint16_t z, padding;
} vertex;

/* Draws vertices in both ways. */
static void draw(pspge_backend *backend, uint32_t primitive, const vertex *vertices, uint32_t count) {
    pspge_backend_vertex assembled[16];
    for (uint32_t i = 0; i < count; i++) {
        memset(&assembled[i], 0, sizeof assembled[i]);
        assembled[i].x = vertices[i].x * 16;
        assembled[i].y = vertices[i].y * 16;
        assembled[i].z = vertices[i].z;
        assembled[i].s = (float)vertices[i].u / 16;
        assembled[i].t = (float)vertices[i].v / 16;
        assembled[i].q = 1;
        assembled[i].color = vertices[i].color;
    }
    backend->flags = PSPGE_BACKEND_THROUGH;
    pspge_backend_draw(backend, primitive, assembled, count);
    word(0x12000000 | 1 << 23 | 2 << 7 | 7 << 2 | 2); /* VTYPE */
    word(0x10080000);                                 /* BASE */
    word(0x01000000 | data_end);                      /* VADDR */
    word(0x04000000 | primitive << 16 | count);       /* PRIM */
    memcpy(ram + data_end, vertices, count * sizeof *vertices);
    data_end += count * (uint32_t)sizeof *vertices;
}

/* A strip in clip space, whose screen positions are the front end's work: 256 times the position, from the middle of the target. */
static void draw_transformed(pspge_backend *backend) {
    static const float corners[4][2] = {{-0.25f, -0.125f}, {0.25f, -0.375f}, {-0.125f, 0.25f}, {0.375f, 0.125f}};
    pspge_backend_vertex assembled[4];
    const uint32_t scale = pspge_backend_float(256), center = pspge_backend_float(2048 + 128);
    const uint32_t viewport[] = {0x42000000 | scale,  0x43000000 | scale,  0x44000000 | pspge_backend_float(16384),
                                 0x45000000 | center, 0x46000000 | center, 0x47000000 | pspge_backend_float(32768),
                                 0x4C000000 | 2048 * 16, 0x4D000000 | 2048 * 16, 0x12000000 | 3 << 7 | 7 << 2};
    for (uint32_t i = 0; i < sizeof viewport / 4; i++) {
        word(viewport[i]);
    }
    for (uint32_t matrix = 0x3A; matrix <= 0x3E; matrix += 2) { /* World, view and projection do nothing. */
        const uint32_t columns = matrix == 0x3E ? 4 : 3;
        word(matrix << 24);
        for (uint32_t i = 0; i < columns * 4; i++) {
            word((matrix + 1) << 24 | (i / columns == i % columns ? pspge_backend_float(1) : 0));
        }
    }
    word(0x01000000 | data_end);
    word(0x04000000 | PSPGE_BACKEND_TRIANGLE_STRIP << 16 | 4);
    for (uint32_t i = 0; i < 4; i++) {
        const float position[3] = {corners[i][0], corners[i][1], 0.25f};
        const uint32_t color = 0xFF000000u | 0x3F << 8 * (i % 3) | 0x20 * i;
        memset(&assembled[i], 0, sizeof assembled[i]);
        assembled[i].x = (int32_t)((corners[i][0] * 256 + 128) * 16);
        assembled[i].y = (int32_t)((corners[i][1] * 256 + 128) * 16);
        assembled[i].z = 32768 + 4096;
        assembled[i].color = color;
        memcpy(ram + data_end, &color, 4);
        memcpy(ram + data_end + 4, position, 12);
        data_end += 16;
    }
    backend->flags = 0;
    pspge_backend_set_texture(backend, NULL);
    pspge_backend_draw(backend, PSPGE_BACKEND_TRIANGLE_STRIP, assembled, 4);
}

int main(void) {
    static const vertex sprite[] = {{0, 0, 0xFF80FFFF, 10, 10, 100, 0}, {16, 16, 0xC0FFFFFF, 74, 58, 100, 0}};
    static const vertex fan[] = {{0, 0, 0xFF0000FF, 40, 30, 90, 0},  {16, 0, 0xFF00FF00, 200, 20, 120, 0},
                                 {16, 16, 0x80FF0000, 220, 140, 60, 0}, {0, 16, 0x40FFFFFF, 30, 160, 110, 0}};
    static const pspge_backend_texture texture = {RAM + TEXELS, 16, 4, 4, 5, 0, 0x100, 0x101, 0};
    pspge_backend backend;
    pspge_config config = {.struct_size = sizeof config, .ram = ram, .ram_size = RAM_SIZE, .vram = vram[0], .vram_size = VRAM_SIZE};
    pspge_run_result result;
    for (uint32_t i = 0; i < 1024; i++) {
        ram[TEXELS + i] = (uint8_t)(i * 37 + i / 16);
        ram[PALETTE + i] = (uint8_t)(i * 91 + 13);
    }
    /* The backend draws into the first VRAM. */
    pspge_backend_init(&backend, &config);
    pspge_backend_set_target(&backend, 0, 256, 3);
    pspge_backend_set_scissor(&backend, 5, 5, 240, 200);
    pspge_backend_set_depth(&backend, 0x110000, 256, 7, 1);
    pspge_backend_set_palette(&backend, RAM + PALETTE, 32, 0xFF03);
    pspge_backend_set_texture(&backend, &texture);
    pspge_backend_set_blend(&backend, 2 | 3 << 4, 0, 0);
    pspge_backend_set_alpha_test(&backend, 6, 0x10, 0xFF);
    pspge_backend_set_mask(&backend, 0x0000000F, 0);
    const uint32_t state[] = {0x9D000100, 0xD2000003, 0x16000000 | 1023 | 1023 << 10, 0xD4000000 | 5 | 5 << 10,
                              0xD5000000 | 240 | 200 << 10, 0x9E110000, 0x9F000100, 0x23000001, 0xDE000007, 0xD700FFFF, 0xC500FF03,
                              0xB0000000 | PALETTE, 0xB1080000, 0xC4000020, 0x1E000001, 0xA0000000 | TEXELS, 0xA8080010, 0xB8000404,
                              0xC3000005, 0xC9000100, 0xC6000101, 0xCB000000, 0x21000001, 0xDF000032, 0x22000001, 0xDBFF1006,
                              0xE800000F, 0x50000001};
    for (uint32_t i = 0; i < sizeof state / 4; i++) {
        word(state[i]);
    }
    draw(&backend, PSPGE_BACKEND_SPRITES, sprite, 2);
    draw(&backend, PSPGE_BACKEND_TRIANGLE_FAN, fan, 4);
    word(0x1E000000);
    draw_transformed(&backend);
    word(0x0F000000);
    word(0x0C000000);
    if (pspge_backend_finish(&backend) != PSPGE_STATUS_OK) {
        fprintf(stderr, "pspge: %s\n", pspge_last_error(backend.ge));
        return 1;
    }
    pspge_backend_shutdown(&backend);
    /* The list draws into the second. */
    config.vram = vram[1];
    pspge *ge;
    if (pspge_create(&config, &ge, NULL) != PSPGE_STATUS_OK || pspge_run(ge, RAM + LIST, NULL, &result) != PSPGE_STATUS_OK) {
        return 1;
    }
    pspge_destroy(ge);
    uint32_t drawn = 0, different = 0;
    for (uint32_t i = 0; i < VRAM_SIZE; i++) {
        drawn += vram[1][i] != 0;
        different += vram[0][i] != vram[1][i];
    }
    printf("%u draws, %s, %u bytes differ\n", (unsigned)result.draws, drawn > 100000 ? "much is drawn" : "little is drawn", different);
    return different != 0;
}
