/* A software backend of twelve calls for programs that have a front end of their own: it walks the lists, decodes vertices and
 * transforms them, and hands over assembled primitives in screen space with the state that they need. The pixels are those of
 * the engine, bit for bit, so that a front end can be compared with it draw by draw. Everything else is in pspge.h, and its
 * functions take the member `ge`; pspge_write_register sets whatever has no call here: stencil, fog colour, colour test, dither.
 *
 * The calls follow the shape that recompilers use: init, shutdown, set_target, draw, finish as in psprecomp's backend table
 * (https://github.com/sp00nznet/psprecomp, MIT), and setters for the state that such a table leaves to the backend. A frame is on
 * the screen when the host shows its VRAM, so there is no call to present it. C99 to C23, C++11 to C++23.
 */
#ifndef PSPGE_BACKEND_H
#define PSPGE_BACKEND_H

#include <pspge.h>

#include <string.h>

/* Primitives, as the hardware numbers them. */
enum {
    PSPGE_BACKEND_POINTS = 0,
    PSPGE_BACKEND_LINES = 1,
    PSPGE_BACKEND_LINE_STRIP = 2,
    PSPGE_BACKEND_TRIANGLES = 3,
    PSPGE_BACKEND_TRIANGLE_STRIP = 4,
    PSPGE_BACKEND_TRIANGLE_FAN = 5,
    PSPGE_BACKEND_SPRITES = 6
};

/* How primitives are drawn; a sum of these is the member `flags` of the backend. */
enum {
    /* As vertices in through mode: texture coordinates are not divided by q, and neither fog nor secondary colour applies. */
    PSPGE_BACKEND_THROUGH = 1,
    /* The last vertex of a primitive gives its colour. */
    PSPGE_BACKEND_FLAT = 2,
    PSPGE_BACKEND_FOG = 4,
    PSPGE_BACKEND_DITHER = 8
};

/* Switches a test or blending off, in place of a function. */
#define PSPGE_BACKEND_OFF 0xFFFFFFFFu

/* A vertex in screen space. */
typedef struct pspge_backend_vertex {
    /* Sixteenths of a pixel, -2048 to 2047 pixels. */
    int32_t x, y;
    /* Depth, 0 to 65535. */
    uint32_t z;
    /* s/q and t/q are fractions of the texture's size. Only the upper 24 bits count. */
    float s, t, q;
    /* Red, green, blue, alpha from the lowest byte on. */
    uint32_t color;
    /* Added after texturing if LIGHTMODE is 1: red, green, blue from the lowest byte on. */
    uint32_t secondary;
    /* 255 for no fog, 0 for nothing else. */
    uint32_t fog;
} pspge_backend_vertex;

/* A texture in memory. Numbers are those of the hardware. */
typedef struct pspge_backend_texture {
    uint32_t address;
    /* Texels from one row to the next. */
    uint32_t stride;
    /* Logarithms of width and height. */
    uint32_t width_log2, height_log2;
    /* TEXFORMAT: 0 to 3 colours, 4 and 5 CLUT4 and CLUT8, and the others. */
    uint32_t format;
    int is_swizzled;
    /* The arguments of TEXFUNC, TEXFILTER and TEXWRAP. */
    uint32_t function, filter, wrap;
} pspge_backend_texture;

/* The backend. Set `flags` between draws as you like. */
typedef struct pspge_backend {
    pspge *ge;
    uint32_t flags;
    int is_textured;
    /* The first status that was not PSPGE_STATUS_OK; calls after it do nothing. */
    pspge_status status;
} pspge_backend;

/* Writes a register, without effect after a failure. */
static inline void pspge_backend_write(pspge_backend *backend, uint32_t opcode, uint32_t argument) {
    if (backend->status == PSPGE_STATUS_OK) {
        backend->status = (pspge_status)pspge_write_register(backend->ge, opcode << 24 | (argument & 0xFFFFFF));
    }
}

/* Executes a command, without effect after a failure. */
static inline void pspge_backend_execute(pspge_backend *backend, uint32_t opcode, uint32_t argument) {
    if (backend->status == PSPGE_STATUS_OK) {
        backend->status = (pspge_status)pspge_execute(backend->ge, opcode << 24 | (argument & 0xFFFFFF), NULL);
    }
}

/* Upper 24 bits of a float, as registers hold them. */
static inline uint32_t pspge_backend_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 8;
}

/* 1: creates an instance with the memory of the configuration. */
static inline pspge_status pspge_backend_init(pspge_backend *backend, const pspge_config *config) {
    memset(backend, 0, sizeof *backend);
    backend->status = (pspge_status)pspge_create(config, &backend->ge, NULL);
    pspge_backend_write(backend, 0x4C, 0x8000);              /* OFFSETX, so that positions may be negative */
    pspge_backend_write(backend, 0x4D, 0x8000);              /* OFFSETY */
    pspge_backend_write(backend, 0x16, 1023 | 1023 << 10);   /* REGION2 */
    pspge_backend_write(backend, 0xD5, 479 | 271 << 10);     /* SCISSOR2 */
    pspge_backend_write(backend, 0xD7, 0xFFFF);              /* MAXZ */
    return backend->status;
}

/* 2: destroys the instance. */
static inline void pspge_backend_shutdown(pspge_backend *backend) {
    pspge_destroy(backend->ge);
    backend->ge = NULL;
    backend->status = PSPGE_STATUS_NULL_POINTER;
}

/* 3: selects the colour buffer, by FRAMEBUFPTR, its pixels in a row, and its format. */
static inline void pspge_backend_set_target(pspge_backend *backend, uint32_t address, uint32_t stride, uint32_t format) {
    pspge_backend_write(backend, 0x9C, address);
    pspge_backend_write(backend, 0x9D, stride);
    pspge_backend_write(backend, 0xD2, format);
}

/* 4: limits drawing to pixels from (left, top) to (right, bottom), these included. */
static inline void pspge_backend_set_scissor(pspge_backend *backend, uint32_t left, uint32_t top, uint32_t right, uint32_t bottom) {
    pspge_backend_write(backend, 0xD4, left | top << 10);
    pspge_backend_write(backend, 0xD5, right | bottom << 10);
}

/* 5: selects the depth buffer, its test (ZTEST, or PSPGE_BACKEND_OFF), and whether it is written. */
static inline void pspge_backend_set_depth(pspge_backend *backend, uint32_t address, uint32_t stride, uint32_t function, int is_written) {
    pspge_backend_write(backend, 0x9E, address);
    pspge_backend_write(backend, 0x9F, stride);
    pspge_backend_write(backend, 0x23, function != PSPGE_BACKEND_OFF);
    pspge_backend_write(backend, 0xDE, function != PSPGE_BACKEND_OFF ? function : 1);
    pspge_backend_write(backend, 0xE7, !is_written);
}

/* 6: selects a texture, or none. Its texels are read anew, because the cache is emptied. */
static inline void pspge_backend_set_texture(pspge_backend *backend, const pspge_backend_texture *texture) {
    backend->is_textured = texture != NULL;
    if (texture == NULL) {
        return;
    }
    pspge_backend_write(backend, 0xA0, texture->address);
    pspge_backend_write(backend, 0xA8, (texture->address >> 8 & 0xFF0000) | texture->stride);
    pspge_backend_write(backend, 0xB8, texture->width_log2 | texture->height_log2 << 8);
    pspge_backend_write(backend, 0xC2, texture->is_swizzled != 0);
    pspge_backend_write(backend, 0xC3, texture->format);
    pspge_backend_write(backend, 0xC9, texture->function);
    pspge_backend_write(backend, 0xC6, texture->filter);
    pspge_backend_write(backend, 0xC7, texture->wrap);
    pspge_backend_execute(backend, 0xCB, 0);
}

/* 7: loads blocks of 32 bytes into palette memory, and sets CLUTFORMAT. */
static inline void pspge_backend_set_palette(pspge_backend *backend, uint32_t address, uint32_t blocks, uint32_t clut_format) {
    pspge_backend_write(backend, 0xC5, clut_format);
    pspge_backend_write(backend, 0xB0, address);
    pspge_backend_write(backend, 0xB1, address >> 8 & 0xFF0000);
    pspge_backend_execute(backend, 0xC4, blocks);
}

/* 8: sets BLENDMODE, or PSPGE_BACKEND_OFF, and the two fixed colours. */
static inline void pspge_backend_set_blend(pspge_backend *backend, uint32_t mode, uint32_t fixed_source, uint32_t fixed_target) {
    pspge_backend_write(backend, 0x21, mode != PSPGE_BACKEND_OFF);
    if (mode != PSPGE_BACKEND_OFF) {
        pspge_backend_write(backend, 0xDF, mode);
        pspge_backend_write(backend, 0xE0, fixed_source);
        pspge_backend_write(backend, 0xE1, fixed_target);
    }
}

/* 9: sets the alpha test: its function or PSPGE_BACKEND_OFF, reference and mask. */
static inline void pspge_backend_set_alpha_test(pspge_backend *backend, uint32_t function, uint32_t reference, uint32_t mask) {
    pspge_backend_write(backend, 0x22, function != PSPGE_BACKEND_OFF);
    if (function != PSPGE_BACKEND_OFF) {
        pspge_backend_write(backend, 0xDB, function | reference << 8 | mask << 16);
    }
}

/* 10: protects the bits of the mask from being written, alpha in the highest byte. `clear` is the argument of CLEARMODE: 0, or
 * 1 and the planes that draws clear: 0x100 colour, 0x200 alpha, 0x400 depth. */
static inline void pspge_backend_set_mask(pspge_backend *backend, uint32_t protected_bits, uint32_t clear) {
    pspge_backend_write(backend, 0xE8, protected_bits);
    pspge_backend_write(backend, 0xE9, protected_bits >> 24);
    pspge_backend_write(backend, 0xD3, clear);
}

/* 11: draws a primitive, strip or fan. Culling is the front end's. */
static inline void pspge_backend_draw(pspge_backend *backend, uint32_t primitive, const pspge_backend_vertex *vertices, size_t count) {
    const uint32_t flags = backend->flags;
    uint32_t first = primitive << 8;
    size_t number;
    first |= (flags & PSPGE_BACKEND_FLAT) != 0 ? 0 : 1u << 18;
    first |= backend->is_textured ? 1u << 21 : 0;
    first |= (flags & PSPGE_BACKEND_FOG) != 0 ? 1u << 22 : 0;
    first |= (flags & PSPGE_BACKEND_DITHER) != 0 ? 1u << 23 : 0;
    pspge_backend_write(backend, 0x12, (flags & PSPGE_BACKEND_THROUGH) != 0 ? 1u << 23 : 0);
    for (number = 0; number < count; number++) {
        const pspge_backend_vertex *vertex = &vertices[number];
        pspge_backend_write(backend, 0xF0, ((uint32_t)vertex->x + 0x8000) & 0xFFFF);
        pspge_backend_write(backend, 0xF1, ((uint32_t)vertex->y + 0x8000) & 0xFFFF);
        pspge_backend_write(backend, 0xF2, vertex->z);
        pspge_backend_write(backend, 0xF3, pspge_backend_float(vertex->s));
        pspge_backend_write(backend, 0xF4, pspge_backend_float(vertex->t));
        pspge_backend_write(backend, 0xF5, pspge_backend_float(vertex->q));
        pspge_backend_write(backend, 0xF6, vertex->color);
        pspge_backend_write(backend, 0xF8, vertex->fog);
        pspge_backend_write(backend, 0xF9, vertex->secondary);
        pspge_backend_execute(backend, 0xF7, (number == 0 ? first : 7u << 8) | vertex->color >> 24);
    }
}

/* 12: completes all draws, so that the host may read its VRAM. Returns the first failure since pspge_backend_init. */
static inline pspge_status pspge_backend_finish(pspge_backend *backend) {
    if (backend->status == PSPGE_STATUS_OK) {
        backend->status = (pspge_status)pspge_flush(backend->ge);
    }
    return backend->status;
}

#endif /* PSPGE_BACKEND_H */
