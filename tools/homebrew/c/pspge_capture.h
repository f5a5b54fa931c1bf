/* pspge_capture.h: writes the next frame of a PSP program as a frame dump, a file that pspge and PPSSPP open.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * In one source file of the program:
 *
 *     #define PSPGE_CAPTURE_IMPLEMENTATION
 *     #include "pspge_capture.h"
 *
 * Around the frame:
 *
 *     pspge_capture_frame("ms0:/frame.ppdmp");    before the first list; the GE is idle then
 *     sceGuStart(GU_DIRECT, list);
 *     ...
 *     sceGuFinish();
 *     pspge_capture_list(list, NULL);             for each list, before its memory is used again
 *     sceGuSync(0, 0);
 *     pspge_capture_end();
 *
 * With PSPGE_CAPTURE_WRAP defined, and the program linked with
 * -Wl,--wrap=sceGeListEnQueue,--wrap=sceGeListUpdateStallAddr, lists are followed when the program sends them, also those of
 * libraries, and pspge_capture_list need not be called.
 *
 * How it works. A frame dump holds commands in the order in which they are executed, and before each draw the data that it
 * reads. So this header walks a list as the GE does, through its jumps and calls, and copies vertices, indices, textures and
 * palettes. Memory is read past the data cache, as the GE reads it: data that the program forgot to write back look in the
 * dump as they do on the console. VRAM is copied whole at the start. From then on a player draws all that is in it, so it is
 * not read again; if the CPU writes to VRAM during the frame, call pspge_capture_vram.
 *
 * The file is a version 6 dump, written while the list is walked. Its two blocks are Zstandard frames of blocks that are
 * stored, which need no compressor. The place of the first, the table of records, is kept free until the end.
 */
#ifndef PSPGE_CAPTURE_H
#define PSPGE_CAPTURE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Starts a dump in this file ("ms0:/frame.ppdmp", or "host0:/frame.ppdmp" over PSPLINK). Waits until the GE is idle. Returns 0,
 * or -1 for a failure. */
int pspge_capture_frame(const char *path);

/* Follows a list from its start to its end, or to the stall address if it is not NULL. With NULL for the list, it goes on where
 * the last list stalled. Does nothing if no dump was started. Returns 0, or -1 for a failure. */
int pspge_capture_list(const void *list, const void *stall);

/* Notes that the CPU has written to VRAM since the start of the frame. Does nothing if no dump was started. */
int pspge_capture_vram(const void *address, unsigned int bytes);

/* Completes the file. It shows the framebuffer of the last draw. Returns 0; 1 if the file is complete but for something that was
 * left out, or if a list does not end or wait as its stall addresses say; or -1 for a failure. */
int pspge_capture_end(void);

/* Says what was left out of the last dump first, or why it failed. An empty text if all is well. */
const char *pspge_capture_message(void);

#ifdef __cplusplus
}
#endif
#endif

#if defined(PSPGE_CAPTURE_IMPLEMENTATION) && !defined(PSPGE_CAPTURE_IMPLEMENTED)
#define PSPGE_CAPTURE_IMPLEMENTED

#include <pspge.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the CPU reads the byte at a 28-bit address. The bit 0x40000000 reads past the data cache. */
#ifndef PSPGE_CAPTURE_MEMORY
#define PSPGE_CAPTURE_MEMORY(address) ((const uint8_t *)(uintptr_t)(0x40000000u | (address)))
#endif
/* The main memory that a user program may read. Models with 64 MiB have more: 0x0C000000. */
#ifndef PSPGE_CAPTURE_RAM_START
#define PSPGE_CAPTURE_RAM_START 0x08800000u
#endif
#ifndef PSPGE_CAPTURE_RAM_END
#define PSPGE_CAPTURE_RAM_END 0x0A000000u
#endif
/* A frame has at most this many commands. A list that jumps in a circle ends here. */
#ifndef PSPGE_CAPTURE_COMMANDS_MAX
#define PSPGE_CAPTURE_COMMANDS_MAX 2000000u
#endif
/* A frame has at most this many records of 9 bytes: about four for each draw. */
#ifndef PSPGE_CAPTURE_RECORDS_MAX
#define PSPGE_CAPTURE_RECORDS_MAX 32768u
#endif
/* A dump holds at most this many bytes, because players refuse larger ones. */
#ifndef PSPGE_CAPTURE_PAYLOAD_MAX
#define PSPGE_CAPTURE_PAYLOAD_MAX 0x4000000u
#endif

enum {
    /* Kinds of records. */
    PSPGE_INIT = 0,
    PSPGE_REGISTERS = 1,
    PSPGE_VERTICES = 2,
    PSPGE_INDICES = 3,
    PSPGE_CLUT = 4,
    PSPGE_TRANSFERSRC = 5,
    PSPGE_MEMCPYDEST = 7,
    PSPGE_MEMCPYDATA = 8,
    PSPGE_DISPLAY = 9,
    PSPGE_CLUTADDR = 10,
    PSPGE_TEXTURE0 = 0x10,
    PSPGE_FRAMEBUF0 = 0x18,
    /* Flags of data in VRAM: a player has them already, because it has all of VRAM and draws what was drawn. */
    PSPGE_HAS_DATA = 1 | 2,
    /* A saved context: 512 words, of which 209 are registers from word 17 on. */
    PSPGE_CONTEXT_WORDS = 512,
    PSPGE_CONTEXT_FIRST = 17,
    PSPGE_CONTEXT_END = 226,
    /* How many calls can be inside each other. */
    PSPGE_DEPTH = 32,
    /* Bytes of a stored Zstandard block, and of the header of a frame. */
    PSPGE_BLOCK = 0x10000,
    PSPGE_FRAME_HEADER = 6,
    /* The header of the file, up to the size of the first block. */
    PSPGE_FILE_HEADER = 32,
    PSPGE_PENDING = 1024,
    PSPGE_PIECES = 4096,
    PSPGE_VRAM_CHUNK = 4096,
    PSPGE_VRAM_BYTES = 0x200000
};

/* The room for the table of records: stored blocks in a frame, and at least the header of a frame that is skipped. */
#define PSPGE_TABLE                                                                                      \
    (PSPGE_FRAME_HEADER + 9 * PSPGE_CAPTURE_RECORDS_MAX + 3 * (9 * PSPGE_CAPTURE_RECORDS_MAX / PSPGE_BLOCK + 1) + 8)

/* Data that are in the file, so that equal data of several draws are stored once. */
struct pspge_piece {
    uint64_t hash;
    uint32_t address, length, start;
};

struct pspge_return {
    uint32_t pc, offset, base;
    int is_signal;
};

struct pspge_capture {
    FILE *file;
    int failed, full, left_out;
    /* The state of the list: its place, and the registers by opcode, with arguments alone. */
    uint32_t pc, offset, vertices, indices, depth, commands;
    int is_walking, skips_finish;
    struct pspge_return stack[PSPGE_DEPTH];
    uint32_t registers[256];
    /* The framebuffer of the last draw: address, width and format. */
    uint32_t target[3];
    /* The file: the bytes of the payload so far, and those of its Zstandard frame. */
    uint32_t payload, packed, record_count, pending_count, block_length;
    uint32_t pending[PSPGE_PENDING];
    uint8_t block[3 + PSPGE_BLOCK];
    struct pspge_piece pieces[PSPGE_PIECES];
    uint8_t records[9 * PSPGE_CAPTURE_RECORDS_MAX];
    PspGeContext context;
};

static struct pspge_capture *pspge_current;
static const char *pspge_message = "";

/* The file */

static int pspge_fail(struct pspge_capture *capture, const char *message) {
    if (capture == NULL || !capture->failed) {
        pspge_message = message;
    }
    if (capture != NULL) {
        capture->failed = 1;
    }
    return -1;
}

/* The dump stays usable, but something is missing. The first message counts. */
static void pspge_leave_out(struct pspge_capture *capture, const char *message) {
    if (!capture->left_out && !capture->failed) {
        pspge_message = message;
    }
    capture->left_out = 1;
}

static void pspge_put32(uint8_t *bytes, uint32_t value) {
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
    bytes[2] = (uint8_t)(value >> 16);
    bytes[3] = (uint8_t)(value >> 24);
}

static void pspge_write(struct pspge_capture *capture, const void *bytes, uint32_t length) {
    if (!capture->failed && fwrite(bytes, 1, length, capture->file) != length) {
        (void)pspge_fail(capture, "the file cannot be written; is the memory stick full?");
    }
}

/* Starts a Zstandard frame: magic, no size, a window of 128 KiB. */
static void pspge_write_frame_header(struct pspge_capture *capture) {
    static const uint8_t header[PSPGE_FRAME_HEADER] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38};
    pspge_write(capture, header, sizeof header);
}

/* Writes the header of a stored Zstandard block. */
static void pspge_block_header(uint8_t *header, uint32_t length, int is_last) {
    header[0] = (uint8_t)(length << 3 | (is_last ? 1u : 0u));
    header[1] = (uint8_t)(length >> 5);
    header[2] = (uint8_t)(length >> 13);
}

static void pspge_write_block(struct pspge_capture *capture, int is_last) {
    pspge_block_header(capture->block, capture->block_length, is_last);
    pspge_write(capture, capture->block, 3 + capture->block_length);
    capture->packed += 3 + capture->block_length;
    capture->block_length = 0;
}

/* Appends to the payload. */
static void pspge_append(struct pspge_capture *capture, const uint8_t *bytes, uint32_t length) {
    capture->payload += length;
    while (length > 0) {
        uint32_t room = PSPGE_BLOCK - capture->block_length;
        uint32_t part = length < room ? length : room;
        memcpy(capture->block + 3 + capture->block_length, bytes, part);
        capture->block_length += part;
        bytes += part;
        length -= part;
        if (capture->block_length == PSPGE_BLOCK) {
            pspge_write_block(capture, 0);
        }
    }
}

/* Adds a record of data that are in the payload. */
static void pspge_add_record(struct pspge_capture *capture, uint32_t kind, uint32_t start, uint32_t length) {
    uint8_t *record = capture->records + 9 * capture->record_count;
    record[0] = (uint8_t)kind;
    pspge_put32(record + 1, length);
    pspge_put32(record + 5, start);
    capture->record_count += 1;
}

/* Whether a record fits, with its data and with the last one, which shows the picture. */
static int pspge_has_room(struct pspge_capture *capture, uint32_t length) {
    if (capture->record_count + 2 > PSPGE_CAPTURE_RECORDS_MAX || length > PSPGE_CAPTURE_PAYLOAD_MAX - 64 ||
        capture->payload > PSPGE_CAPTURE_PAYLOAD_MAX - 64 - length) {
        capture->full = 1;
        pspge_leave_out(capture, "the frame is too large: later draws are left out");
    }
    return !capture->full && !capture->failed;
}

/* Appends data and their record. Textures have to start at a multiple of 16. */
static void pspge_store(struct pspge_capture *capture, uint32_t kind, const void *bytes, uint32_t length) {
    static const uint8_t zeros[16] = {0};
    pspge_append(capture, zeros, (16 - capture->payload % 16) % 16);
    pspge_add_record(capture, kind, capture->payload, length);
    pspge_append(capture, (const uint8_t *)bytes, length);
}

static void pspge_push(struct pspge_capture *capture, uint32_t kind, const void *bytes, uint32_t length) {
    if (pspge_has_room(capture, length)) {
        pspge_store(capture, kind, bytes, length);
    }
}

/* Writes the commands since the last data. */
static void pspge_flush(struct pspge_capture *capture) {
    if (capture->pending_count > 0) {
        pspge_push(capture, PSPGE_REGISTERS, capture->pending, 4 * capture->pending_count);
        capture->pending_count = 0;
    }
}

static void pspge_push_command(struct pspge_capture *capture, uint32_t word) {
    if (capture->pending_count == PSPGE_PENDING) {
        pspge_flush(capture);
    }
    capture->pending[capture->pending_count++] = word;
}

/* Memory */

/* Returns how many bytes of memory there are from an address on. */
static uint32_t pspge_bytes_at(uint32_t address) {
    if (address >= 0x04000000u && address < 0x04800000u) {
        return PSPGE_VRAM_BYTES - address % PSPGE_VRAM_BYTES;
    }
    if (address >= PSPGE_CAPTURE_RAM_START && address < PSPGE_CAPTURE_RAM_END) {
        return PSPGE_CAPTURE_RAM_END - address;
    }
    return 0;
}

static int pspge_is_vram(uint32_t address) {
    return address >= 0x04000000u && address < 0x05000000u;
}

static uint32_t pspge_read32(uint32_t address) {
    uint32_t word;
    memcpy(&word, PSPGE_CAPTURE_MEMORY(address), sizeof word);
    return word;
}

/* Stores memory, or refers to equal bytes from the same place that are stored already. Ends at the end of memory. */
static void pspge_push_memory(struct pspge_capture *capture, uint32_t kind, uint32_t address, uint64_t bytes) {
    uint32_t there = pspge_bytes_at(address);
    uint32_t length = bytes < there ? (uint32_t)bytes : there;
    const uint8_t *data = length > 0 ? PSPGE_CAPTURE_MEMORY(address) : (const uint8_t *)"";
    uint64_t hash = 0xCBF29CE484222325u ^ address;
    uint32_t at = 0, word;
    struct pspge_piece *piece;
    for (; length - at >= 4; at += 4) {
        memcpy(&word, data + at, sizeof word);
        hash = (hash ^ word) * 0x100000001B3u;
    }
    for (; at < length; at++) {
        hash = (hash ^ data[at]) * 0x100000001B3u;
    }
    piece = &capture->pieces[(hash ^ hash >> 32) % PSPGE_PIECES];
    if (piece->hash == hash && piece->address == address && piece->length == length) {
        if (pspge_has_room(capture, 0)) {
            pspge_add_record(capture, kind, piece->start, length);
        }
    } else if (pspge_has_room(capture, length)) {
        pspge_store(capture, kind, data, length);
        piece->hash = hash;
        piece->address = address;
        piece->length = length;
        piece->start = capture->payload - length;
    }
}

/* The list */

/* The absolute address of a register for bits 0 to 23 and one with bits 24 to 27. */
static uint32_t pspge_address(struct pspge_capture *capture, int low, int high) {
    return (capture->registers[low] & 0xFFFFF0u) | (capture->registers[high] << 8 & 0xF000000u);
}

static uint32_t pspge_relative(struct pspge_capture *capture, uint32_t argument) {
    return (capture->offset + ((capture->registers[0x10] << 8 & 0xF000000u) | argument)) & 0xFFFFFFFu;
}

static uint32_t pspge_aligned(uint32_t value, uint32_t size) {
    return size > 1 ? (value + size - 1) / size * size : value;
}

/* Computes the size of a vertex: each component is aligned to its elements. */
static uint32_t pspge_vertex_bytes(uint32_t type) {
    static const uint8_t number[4] = {0, 1, 2, 4}, color[8] = {0, 0, 0, 0, 2, 2, 2, 4};
    const uint32_t elements[5][2] = {
        {number[type >> 9 & 3], (type >> 14 & 7) + 1}, /* weights */
        {number[type & 3], 2},                         /* texture coordinates */
        {color[type >> 2 & 7], 1},
        {number[type >> 5 & 3], 3}, /* normal */
        {number[type >> 7 & 3], 3}, /* position */
    };
    uint32_t end = 0, largest = 1;
    int i;
    for (i = 0; i < 5; i++) {
        uint32_t size = elements[i][0];
        end = size > 0 ? pspge_aligned(end, size) + size * elements[i][1] : end;
        largest = size > largest ? size : largest;
    }
    return pspge_aligned(end, largest) * ((type >> 18 & 7) + 1);
}

/* Moves the pointers past the vertices or indices of a draw. */
static void pspge_advance(struct pspge_capture *capture, uint32_t count, uint32_t index_bytes) {
    if (index_bytes > 0) {
        capture->indices = (capture->indices + count * index_bytes) & 0xFFFFFFFu;
    } else {
        capture->vertices = (capture->vertices + count * pspge_vertex_bytes(capture->registers[0x12])) & 0xFFFFFFFu;
    }
}

static uint32_t pspge_index_bytes(uint32_t type) {
    static const uint8_t bytes[4] = {0, 1, 2, 4};
    return bytes[type >> 11 & 3];
}

/* Keeps the framebuffer of a draw, for the last one is shown. */
static void pspge_keep_target(struct pspge_capture *capture) {
    capture->target[0] = capture->registers[0x9C];
    capture->target[1] = capture->registers[0x9D];
    capture->target[2] = capture->registers[0xD2];
}

/* Stores the levels of the texture. Those in VRAM are only named. */
static void pspge_push_textures(struct pspge_capture *capture) {
    static const uint8_t bits[16] = {16, 16, 16, 32, 4, 8, 16, 32, 4, 8, 8};
    uint32_t texel = bits[capture->registers[0xC3] & 15];
    uint32_t level, last = capture->registers[0xC2] >> 16 & 7;
    for (level = 0; level <= last; level++) {
        uint32_t address = pspge_address(capture, (int)(0xA0 + level), (int)(0xA8 + level));
        uint32_t buffer = capture->registers[0xA8 + level], size = capture->registers[0xB8 + level];
        if (pspge_is_vram(address)) {
            uint32_t words[4] = {0, 0, PSPGE_HAS_DATA, 0};
            words[0] = address;
            words[1] = buffer & 0xFFFF;
            pspge_push(capture, PSPGE_FRAMEBUF0 + level, words, sizeof words);
        } else if (pspge_bytes_at(address) > 0 && texel > 0) {
            /* Rows of the buffer or of the texture, whichever are longer, in whole blocks: 16 bytes by 8 rows. */
            uint32_t width = 1u << (size & 15), height = 1u << (size >> 8 & 15);
            width = pspge_aligned(width < 512 ? width : 512, 128 / texel);
            height = pspge_aligned(height < 512 ? height : 512, 8);
            width = width > (buffer & 0x7FF) ? width : (buffer & 0x7FF);
            pspge_push_memory(capture, PSPGE_TEXTURE0 + level, address, (uint64_t)width * height * texel / 8);
        } else {
            pspge_leave_out(capture, "a texture is outside the memory of the program");
        }
    }
}

/* Stores what a draw reads, then the draw. */
static void pspge_draw(struct pspge_capture *capture, uint32_t word, uint32_t count) {
    uint32_t type = capture->registers[0x12], bytes = pspge_vertex_bytes(type), index_bytes = pspge_index_bytes(type);
    uint64_t vertices = count;
    if (count == 0) {
        return;
    }
    /* The GE does not draw then, and leaves the pointers. A player would draw the data before. */
    if (pspge_bytes_at(capture->vertices) == 0) {
        pspge_leave_out(capture, "the vertices of a draw are outside the memory of the program");
        return;
    }
    pspge_flush(capture);
    /* A clear is not textured, whatever the registers say. */
    if (!(capture->registers[0xD3] & 1) && ((capture->registers[0x1E] & 1) || (type & 3))) {
        pspge_push_textures(capture);
    }
    if (index_bytes > 0) {
        uint32_t length = count * index_bytes, there = pspge_bytes_at(capture->indices), at;
        vertices = 0;
        for (at = 0; at < length && at < there; at += index_bytes) {
            uint32_t index = 0;
            memcpy(&index, PSPGE_CAPTURE_MEMORY(capture->indices + at), index_bytes);
            vertices = index >= vertices ? (uint64_t)index + 1 : vertices;
        }
        if (length > there) {
            pspge_leave_out(capture, "indices of a draw are outside the memory of the program");
        }
        pspge_push_memory(capture, PSPGE_INDICES, capture->indices, length);
    }
    pspge_push_memory(capture, PSPGE_VERTICES, capture->vertices, vertices * bytes);
    pspge_push_command(capture, word);
    pspge_keep_target(capture);
    pspge_advance(capture, count, index_bytes);
}

/* Stores a palette, then its load. Players move palettes in main memory, so the address of one in VRAM is set again. */
static void pspge_load_palette(struct pspge_capture *capture, uint32_t word) {
    uint32_t address = pspge_address(capture, 0xB0, 0xB1), bytes = (word & 0x3F) * 32;
    if (pspge_is_vram(address)) {
        uint32_t words[2] = {0, PSPGE_HAS_DATA};
        words[0] = address;
        pspge_push_command(capture, 0xB1000000u | capture->registers[0xB1]);
        pspge_push_command(capture, 0xB0000000u | capture->registers[0xB0]);
        pspge_flush(capture);
        pspge_push(capture, PSPGE_CLUTADDR, words, sizeof words);
        pspge_push(capture, PSPGE_CLUT, "", 0);
    } else if (pspge_bytes_at(address) > 0) {
        pspge_flush(capture);
        pspge_push_memory(capture, PSPGE_CLUT, address, bytes);
    } else {
        pspge_leave_out(capture, "a palette is outside the memory of the program");
        return;
    }
    pspge_push_command(capture, word);
}

/* Stores the source of a block transfer, then the transfer. Players move sources in main memory, too. */
static void pspge_transfer(struct pspge_capture *capture, uint32_t word) {
    const uint32_t *registers = capture->registers;
    uint32_t source = pspge_address(capture, 0xB2, 0xB3);
    uint32_t rows = (registers[0xEB] >> 10 & 0x3FF) + (registers[0xEE] >> 10 & 0x3FF);
    uint32_t columns = (registers[0xEB] & 0x3FF) + (registers[0xEE] & 0x3FF) + 1;
    uint64_t pixels = (uint64_t)rows * (registers[0xB3] & 0x7F8) + columns;
    if (!pspge_is_vram(pspge_address(capture, 0xB4, 0xB5))) {
        pspge_leave_out(capture, "a block transfer into main memory is left out");
    } else if (pspge_is_vram(source)) {
        pspge_push_command(capture, 0xB2000000u | registers[0xB2]);
        pspge_push_command(capture, 0xB3000000u | registers[0xB3]);
        pspge_push_command(capture, word);
    } else if (pspge_bytes_at(source) > 0) {
        pspge_flush(capture);
        pspge_push_memory(capture, PSPGE_TRANSFERSRC, source, pixels * (word & 1 ? 4 : 2));
        pspge_push_command(capture, word);
    } else {
        pspge_leave_out(capture, "the source of a block transfer is outside the memory of the program");
    }
}

static void pspge_end_list(struct pspge_capture *capture, const char *message) {
    capture->is_walking = 0;
    if (message != NULL) {
        pspge_leave_out(capture, message);
    }
}

static void pspge_call(struct pspge_capture *capture, uint32_t target, int is_signal) {
    /* As the GE, a call is ignored if the stack is full. */
    if (capture->depth < PSPGE_DEPTH) {
        struct pspge_return *back = &capture->stack[capture->depth++];
        back->pc = capture->pc;
        back->offset = capture->offset;
        back->base = capture->registers[0x10];
        back->is_signal = is_signal;
        capture->pc = target;
    }
}

static void pspge_leave(struct pspge_capture *capture) {
    if (capture->depth > 0) {
        struct pspge_return *back = &capture->stack[--capture->depth];
        capture->pc = back->pc;
        capture->offset = back->offset;
        if (back->is_signal) {
            capture->registers[0x10] = back->base;
        }
    }
}

/* Carries out an END, which belongs to the FINISH or SIGNAL before it. */
static void pspge_end(struct pspge_capture *capture, uint32_t at, uint32_t end) {
    uint32_t before = pspge_bytes_at(at - 4) > 0 ? pspge_read32(at - 4) : 0;
    uint32_t distance = ((before & 0xFFFF) << 16 | (end & 0xFFFF)) & ~3u, behavior = before >> 16 & 0xFF;
    if (before >> 24 == 0x0F && capture->skips_finish) {
        capture->skips_finish = 0;
    } else if (before >> 24 == 0x0F) {
        pspge_end_list(capture, NULL);
    } else if (before >> 24 != 0x0E) {
        pspge_end_list(capture, "a list has an END without FINISH or SIGNAL, at which the GE hangs");
    } else if (behavior == 0x08) {
        capture->skips_finish = 1;
    } else if (behavior == 0x12) {
        pspge_leave(capture);
    } else if (behavior == 0x10 || behavior == 0x13 || behavior == 0x15) {
        uint32_t from = behavior == 0x10 ? 0 : behavior == 0x13 ? at - 4 : capture->offset;
        capture->pc = (from + distance) & 0xFFFFFFFu;
    } else if (behavior == 0x11 || behavior == 0x14 || behavior == 0x16) {
        uint32_t from = behavior == 0x11 ? 0 : behavior == 0x14 ? at - 4 : capture->offset;
        pspge_call(capture, (from + distance) & 0xFFFFFFFu, 1);
    } else if (behavior >= 0x20 && behavior <= 0x3F) {
        pspge_leave_out(capture, "a signal that sets the address of a texture is left out");
    }
    /* Other signals call the program, and the list goes on. */
}

/* Follows the list to its end, or to the stall address, if it is not 0. */
static void pspge_walk(struct pspge_capture *capture, uint32_t stall) {
    int was_walking = capture->is_walking;
    while (capture->is_walking && !capture->full && !capture->failed && capture->pc != stall) {
        uint32_t at = capture->pc, word, argument;
        if (pspge_bytes_at(at) < 4) {
            pspge_end_list(capture, "a list leaves the memory of the program");
            return;
        }
        if (capture->commands++ >= PSPGE_CAPTURE_COMMANDS_MAX) {
            pspge_end_list(capture, "a list has too many commands; does it jump in a circle?");
            return;
        }
        word = pspge_read32(at);
        argument = word & 0xFFFFFF;
        capture->registers[word >> 24] = argument;
        capture->pc = at + 4;
        switch (word >> 24) {
        case 0x01: /* VADDR */
            capture->vertices = pspge_relative(capture, argument);
            break;
        case 0x02: /* IADDR */
            capture->indices = pspge_relative(capture, argument);
            break;
        case 0x04: /* PRIM */
            pspge_draw(capture, word, argument & 0xFFFF);
            break;
        case 0x05: /* BEZIER */
        case 0x06: /* SPLINE */
            pspge_draw(capture, word, (argument & 0xFF) * (argument >> 8 & 0xFF));
            break;
        case 0x07: /* BBOX */
            pspge_advance(capture, argument & 0xFFFF, pspge_index_bytes(capture->registers[0x12]));
            break;
        case 0x08: /* JUMP */
            capture->pc = pspge_relative(capture, argument & ~3u);
            break;
        case 0x09: /* BJUMP leaves out what is outside the picture. To draw it makes no difference. */
            break;
        case 0x0A: /* CALL */
            pspge_call(capture, pspge_relative(capture, argument & ~3u), 0);
            break;
        case 0x0B: /* RET */
            pspge_leave(capture);
            break;
        case 0x0C: /* END */
            pspge_end(capture, at, word);
            break;
        case 0x0E: /* SIGNAL */
        case 0x0F: /* FINISH */
        case 0x10: /* BASE */
            break;
        case 0x13: /* OFFSETADDR */
            capture->offset = argument << 8;
            break;
        case 0x14: /* ORIGIN */
            capture->offset = at;
            break;
        case 0xC4: /* LOADCLUT */
            pspge_load_palette(capture, word);
            break;
        case 0xEA: /* TRANSFERSTART */
            pspge_transfer(capture, word);
            break;
        case 0xF7: /* VAP draws a vertex that is in registers. */
            pspge_flush(capture);
            if ((argument >> 21 & 1) || (capture->registers[0x1E] & 1)) {
                pspge_push_textures(capture);
            }
            pspge_push_command(capture, word);
            pspge_keep_target(capture);
            break;
        default:
            pspge_push_command(capture, word);
        }
    }
    /* END is the word before. A list that ends after its stall address has not waited there. */
    if (was_walking && !capture->is_walking && stall != 0 && capture->pc > stall) {
        pspge_leave_out(capture, "a list jumps over its stall address, where a PSP does not wait for the words after it");
    }
}

/* The frame */

/* Stores the registers and the palette. The kernel's context has the form of the record, but for the load of the palette
 * that it may hold: a context in a dump has none, so the palette becomes a record. */
static void pspge_push_context(struct pspge_capture *capture) {
    uint32_t words[PSPGE_CONTEXT_WORDS], load = 0, i;
    uint8_t palette[1024] = {0};
    memcpy(words, &capture->context, sizeof words);
    if (words[PSPGE_CONTEXT_END] >> 24 == 0xC4) {
        load = words[PSPGE_CONTEXT_END];
        memmove(words + PSPGE_CONTEXT_END, words + PSPGE_CONTEXT_END + 1,
                sizeof(uint32_t) * (PSPGE_CONTEXT_WORDS - PSPGE_CONTEXT_END - 1));
    }
    /* Pointers of the last list. */
    memset(words, 0, sizeof(uint32_t) * PSPGE_CONTEXT_FIRST);
    for (i = PSPGE_CONTEXT_FIRST; i < PSPGE_CONTEXT_END; i++) {
        capture->registers[words[i] >> 24] = words[i] & 0xFFFFFF;
    }
    pspge_keep_target(capture);
    pspge_push(capture, PSPGE_INIT, words, sizeof words);
    if (load != 0) {
        uint32_t address = pspge_address(capture, 0xB0, 0xB1), there = pspge_bytes_at(address);
        uint32_t bytes = (load & 0x3F) * 32;
        bytes = bytes < there ? bytes : there;
        bytes = bytes < sizeof palette ? bytes : (uint32_t)sizeof palette;
        if (bytes > 0) {
            memcpy(palette, PSPGE_CAPTURE_MEMORY(address), bytes);
            pspge_push(capture, PSPGE_CLUT, palette, sizeof palette);
        }
    }
    /* Players take the widths of textures from commands. */
    for (i = 0xA8; i <= 0xAF; i++) {
        if (capture->registers[i] != 0) {
            pspge_push_command(capture, i << 24 | capture->registers[i]);
        }
    }
}

/* Stores a range of VRAM as a copy by the CPU. */
static void pspge_push_copy(struct pspge_capture *capture, uint32_t address, uint32_t bytes) {
    pspge_push(capture, PSPGE_MEMCPYDEST, &address, sizeof address);
    pspge_push_memory(capture, PSPGE_MEMCPYDATA, address, bytes);
}

/* Stores all of VRAM but zeros, because a player starts with zeros. */
static void pspge_push_vram(struct pspge_capture *capture) {
    uint32_t start = 0, end, at;
    for (end = 0; end <= PSPGE_VRAM_BYTES; end += PSPGE_VRAM_CHUNK) {
        uint32_t any = 0;
        for (at = end; at < PSPGE_VRAM_BYTES && at < end + PSPGE_VRAM_CHUNK; at += 4) {
            any |= pspge_read32(0x04000000u + at);
        }
        if (any == 0) {
            if (start < end) {
                pspge_push_copy(capture, 0x04000000u + start, end - start);
            }
            start = end + PSPGE_VRAM_CHUNK;
        }
    }
}

int pspge_capture_frame(const char *path) {
    static const uint8_t zeros[1024] = {0};
    struct pspge_capture *capture;
    uint32_t room = PSPGE_FILE_HEADER + 4 + PSPGE_TABLE + 4;
    pspge_message = "";
    if (pspge_current != NULL) {
        return pspge_fail(NULL, "a frame is being captured already");
    }
    capture = (struct pspge_capture *)calloc(1, sizeof *capture);
    if (capture == NULL) {
        return pspge_fail(NULL, "there is no memory to capture a frame");
    }
    sceGeDrawSync(0);
    if (sceGeSaveContext(&capture->context) < 0) {
        free(capture);
        return pspge_fail(NULL, "the GE is busy, so its registers cannot be read");
    }
    capture->file = fopen(path, "wb");
    if (capture->file == NULL) {
        free(capture);
        return pspge_fail(NULL, "the file cannot be created");
    }
    while (room > 0) {
        uint32_t part = room < sizeof zeros ? room : (uint32_t)sizeof zeros;
        pspge_write(capture, zeros, part);
        room -= part;
    }
    pspge_write_frame_header(capture);
    capture->packed = PSPGE_FRAME_HEADER;
    pspge_current = capture;
    pspge_push_context(capture);
    pspge_push_vram(capture);
    return capture->failed ? -1 : 0;
}

int pspge_capture_list(const void *list, const void *stall) {
    struct pspge_capture *capture = pspge_current;
    if (capture == NULL) {
        return 0;
    }
    if (list != NULL) {
        if (capture->is_walking) {
            pspge_end_list(capture, "a list was sent before the end of the one before: its rest is left out");
        }
        capture->pc = (uint32_t)(uintptr_t)list & 0xFFFFFFCu;
        capture->offset = capture->depth = 0;
        capture->is_walking = 1;
        capture->skips_finish = 0;
    }
    pspge_walk(capture, (uint32_t)(uintptr_t)stall & 0xFFFFFFCu);
    return capture->failed ? -1 : 0;
}

int pspge_capture_vram(const void *address, unsigned int bytes) {
    struct pspge_capture *capture = pspge_current;
    if (capture == NULL) {
        return 0;
    }
    pspge_flush(capture);
    pspge_push_copy(capture, (uint32_t)(uintptr_t)address & 0xFFFFFFFu, bytes);
    return capture->failed ? -1 : 0;
}

/* Writes the header and the table of records into their place. */
static void pspge_write_table(struct pspge_capture *capture) {
    uint8_t header[PSPGE_FILE_HEADER + 4] = {0}, word[4];
    uint32_t bytes = 9 * capture->record_count, at, used = PSPGE_FRAME_HEADER;
    /* Magic, version, and the place of a game's id. */
    memcpy(header, "PPSSPPGE", 8);
    pspge_put32(header + 8, 6);
    memcpy(header + 12, "HOMEBREW", 8);
    pspge_put32(header + 24, capture->record_count);
    pspge_put32(header + 28, capture->payload);
    pspge_put32(header + 32, PSPGE_TABLE);
    pspge_write(capture, header, sizeof header);
    pspge_write_frame_header(capture);
    for (at = 0; at < bytes; at += PSPGE_BLOCK) {
        uint32_t part = bytes - at < PSPGE_BLOCK ? bytes - at : (uint32_t)PSPGE_BLOCK;
        pspge_block_header(word, part, at + part == bytes);
        pspge_write(capture, word, 3);
        pspge_write(capture, capture->records + at, part);
        used += 3 + part;
    }
    /* The rest of the place is a frame that readers skip. */
    pspge_put32(word, 0x184D2A50u);
    pspge_write(capture, word, 4);
    pspge_put32(word, PSPGE_TABLE - used - 8);
    pspge_write(capture, word, 4);
    if (!capture->failed && fseek(capture->file, PSPGE_FILE_HEADER + 4 + PSPGE_TABLE, SEEK_SET) != 0) {
        (void)pspge_fail(capture, "the file cannot be written");
    }
    pspge_put32(word, capture->packed);
    pspge_write(capture, word, 4);
}

int pspge_capture_end(void) {
    struct pspge_capture *capture = pspge_current;
    uint32_t words[3];
    int result;
    if (capture == NULL) {
        return pspge_fail(NULL, "no frame is being captured");
    }
    if (capture->is_walking && !capture->full) {
        pspge_end_list(capture, "a list waits at its stall address, where a PSP hangs in sceGeDrawSync: its rest is left out");
    }
    pspge_flush(capture);
    words[0] = 0x04000000u | (capture->target[0] & 0x1FFFF0u);
    words[1] = capture->target[1] & 0x7FC;
    words[2] = capture->target[2] & 3;
    pspge_store(capture, PSPGE_DISPLAY, words, sizeof words);
    pspge_write_block(capture, 1);
    if (!capture->failed && fseek(capture->file, 0, SEEK_SET) != 0) {
        (void)pspge_fail(capture, "the file cannot be written");
    }
    pspge_write_table(capture);
    if (fclose(capture->file) != 0) {
        (void)pspge_fail(capture, "the file cannot be written");
    }
    result = capture->failed ? -1 : capture->left_out;
    free(capture);
    pspge_current = NULL;
    return result;
}

const char *pspge_capture_message(void) {
    return pspge_message;
}

#ifdef PSPGE_CAPTURE_WRAP
/* The linker makes calls of sceGeListEnQueue those of __wrap_sceGeListEnQueue. Lists are followed before the GE starts them. */
#ifdef __cplusplus
extern "C" {
#endif
int __real_sceGeListEnQueue(const void *list, void *stall, int callback, PspGeListArgs *arguments);
int __real_sceGeListUpdateStallAddr(int list, void *stall);

int __wrap_sceGeListEnQueue(const void *list, void *stall, int callback, PspGeListArgs *arguments) {
    (void)pspge_capture_list(list, stall);
    return __real_sceGeListEnQueue(list, stall, callback, arguments);
}

int __wrap_sceGeListUpdateStallAddr(int list, void *stall) {
    (void)pspge_capture_list(NULL, stall);
    return __real_sceGeListUpdateStallAddr(list, stall);
}
#ifdef __cplusplus
}
#endif
#endif

#endif
