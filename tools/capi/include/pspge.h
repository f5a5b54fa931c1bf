/* pspge: executes display lists of the PSP's Graphics Engine, bit for bit.
 *
 * Made from the sources of tools/capi by cbindgen; do not edit. README.md next to them is the guide.
 *
 * Each function returns a status; pspge_last_error has a sentence for any but PSPGE_STATUS_OK. An instance may be used from
 * any thread, by one call at a time. Memory that was given to an instance belongs to it during a call, and only then.
 */

#ifndef PSPGE_H
#define PSPGE_H

#include <stddef.h>
#include <stdint.h>

/**
 * Use the hardware's arithmetic, bit for bit.
 */
#define PSPGE_ARITHMETIC_HARDWARE 0

/**
 * Use single precision, as PPSSPP does.
 */
#define PSPGE_ARITHMETIC_SINGLE 1

/**
 * The host reports each change to its memory by pspge_memory_changed, so that the library need not expect changes
 * anywhere before each call. This keeps decoded textures from call to call.
 */
#define PSPGE_FLAG_REPORTS_CHANGES 1

/**
 * All views of VRAM show its bytes in linear order, as in PPSSPP, because the host maps the same pages at each. The
 * depth buffer is then linear, too, and pspge_set_edram_translation only changes the mode returned by
 * pspge_get_edram_translation. README.md explains the CPU's view of VRAM with and without this flag.
 */
#define PSPGE_FLAG_LINEAR_VRAM 2

/**
 * How many entries the call stack has.
 */
#define PSPGE_STACK_ENTRIES 32

/**
 * The thread may wait.
 */
#define PSPGE_THREAD_MAY_WAIT 0

/**
 * Interrupts or thread switches are disabled, so the thread may not wait.
 */
#define PSPGE_THREAD_DISABLED 1

/**
 * An interrupt handler runs, other than the queue's own callbacks.
 */
#define PSPGE_THREAD_INTERRUPT_HANDLER 2

/**
 * Eight bone matrices, 96 elements.
 */
#define PSPGE_MATRIX_BONE 0

/**
 * Model to world, 12 elements.
 */
#define PSPGE_MATRIX_WORLD 1

/**
 * World to view, 12 elements.
 */
#define PSPGE_MATRIX_VIEW 2

/**
 * View to clip space, 16 elements.
 */
#define PSPGE_MATRIX_PROJECTION 3

/**
 * Texture matrix, 12 elements.
 */
#define PSPGE_MATRIX_TEXTURE 4

/**
 * Stop before each SIGNAL's END, to let the host act as the firmware. Then pspge_resume acts as the firmware does,
 * and pspge_skip_signal goes on after END.
 */
#define PSPGE_RUN_STOP_AT_SIGNAL 1

/**
 * Leave draws pending at the end of the call, until pspge_flush, so that a list with many stall addresses draws as
 * fast as a list without. With PSPGE_FLAG_REPORTS_CHANGES other threads go on drawing meanwhile. Until then the
 * host must neither read nor write VRAM, and it must not change textures or palettes used by draws so far. Lists,
 * vertices and all other memory are free, and pspge_write_memory may write anything at any time.
 */
#define PSPGE_RUN_KEEP_PENDING 2

/**
 * Execute everything, but draw nothing, to skip a frame: registers, list flow, signals, block transfers and the
 * draw callback work as ever, but no draw changes VRAM.
 */
#define PSPGE_RUN_NO_DRAWING 4

/**
 * Stop before the END of a FINISH that the list skips because of a SYNC signal, to let the host see it.
 * pspge_resume goes on after it.
 */
#define PSPGE_RUN_STOP_AT_SKIPPED_FINISH 8

/**
 * No stall address; 0 means the same, as for sceGeListEnQueue.
 */
#define PSPGE_NO_STALL 4294967295

/**
 * How many words a saved context has.
 */
#define PSPGE_CONTEXT_WORDS 512

/**
 * The version of functions, structures and numbers. A change means that hosts must be compiled anew.
 */
#define PSPGE_ABI_VERSION 2

/**
 * How a call ended.
 */
enum pspge_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Success.
     */
    PSPGE_STATUS_OK = 0,
    /**
     * A pointer is null that must not be.
     */
    PSPGE_STATUS_NULL_POINTER = 1,
    /**
     * A number is outside its range, or a flag is unknown.
     */
    PSPGE_STATUS_BAD_ARGUMENT = 2,
    /**
     * This version does not know the size given in a structure.
     */
    PSPGE_STATUS_BAD_STRUCT_SIZE = 3,
    /**
     * The host's memory does not fit the machine.
     */
    PSPGE_STATUS_BAD_MEMORY = 4,
    /**
     * A buffer is too small. The needed size is returned.
     */
    PSPGE_STATUS_BUFFER_TOO_SMALL = 5,
    /**
     * Saved state is damaged, or of another version.
     */
    PSPGE_STATUS_BAD_STATE = 6,
    /**
     * Another call is at work on this instance, or this is a callback.
     */
    PSPGE_STATUS_BUSY = 7,
    /**
     * The library has failed. This instance can only be destroyed.
     */
    PSPGE_STATUS_PANIC = 8,
    /**
     * The question has no answer, for example on a pixel outside its buffer.
     */
    PSPGE_STATUS_NO_ANSWER = 9,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum pspge_status pspge_status;
#else
typedef uint32_t pspge_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Why a thread waits.
 */
enum pspge_queue_wait
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * It does not: the call returns.
     */
    PSPGE_QUEUE_WAIT_NONE = 0,
    /**
     * For a list to end.
     */
    PSPGE_QUEUE_WAIT_LIST = 1,
    /**
     * For all lists to end.
     */
    PSPGE_QUEUE_WAIT_DRAWING = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum pspge_queue_wait pspge_queue_wait;
#else
typedef uint32_t pspge_queue_wait;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Why the GE has stopped.
 */
enum pspge_queue_stop
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The cycles have passed.
     */
    PSPGE_QUEUE_STOP_CYCLES = 0,
    /**
     * A function of the program is due. Call it, then pspge_queue_callback_returned.
     */
    PSPGE_QUEUE_STOP_CALLBACK = 1,
    /**
     * Nothing happens before the next call.
     */
    PSPGE_QUEUE_STOP_IDLE = 2,
    /**
     * The draw callback or the command callback asked for it.
     */
    PSPGE_QUEUE_STOP_STOPPED = 3,
    /**
     * The list has reached its limit on vertices or pixels.
     */
    PSPGE_QUEUE_STOP_LIMIT = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum pspge_queue_stop pspge_queue_stop;
#else
typedef uint32_t pspge_queue_stop;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Why a run returned.
 */
enum pspge_run_ending
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * FINISH and END.
     */
    PSPGE_RUN_ENDING_FINISHED = 0,
    /**
     * The next word is a SIGNAL's END (only with PSPGE_RUN_STOP_AT_SIGNAL).
     */
    PSPGE_RUN_ENDING_SIGNAL = 1,
    /**
     * The next word is at the stall address.
     */
    PSPGE_RUN_ENDING_STALLED = 2,
    /**
     * A signal asked to pause at this FINISH.
     */
    PSPGE_RUN_ENDING_PAUSED = 3,
    /**
     * The next word is at an address without memory.
     */
    PSPGE_RUN_ENDING_BAD_ADDRESS = 4,
    /**
     * The command budget is used up.
     */
    PSPGE_RUN_ENDING_BUDGET = 5,
    /**
     * The draw callback or the command callback asked for it.
     */
    PSPGE_RUN_ENDING_STOPPED = 6,
    /**
     * A signal unknown to the firmware: the hardware waits forever. pspge_resume returns this again, without
     * executing a command, until pspge_run, pspge_set_flow, pspge_restore_state or pspge_reset gives the GE
     * something else to do.
     */
    PSPGE_RUN_ENDING_HUNG = 7,
    /**
     * The limit on vertices or pixels is reached, perhaps inside a draw, whose rest is then missing.
     */
    PSPGE_RUN_ENDING_LIMIT = 8,
    /**
     * A patch is divided more than 64 times: the hardware waits forever, as for PSPGE_RUN_ENDING_HUNG.
     */
    PSPGE_RUN_ENDING_HUNG_AT_PATCH = 9,
    /**
     * The next word is the END of a FINISH skipped by a SYNC signal (only with PSPGE_RUN_STOP_AT_SKIPPED_FINISH).
     */
    PSPGE_RUN_ENDING_FINISH_SKIPPED = 10,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum pspge_run_ending pspge_run_ending;
#else
typedef uint32_t pspge_run_ending;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The program's functions answered by pspge_queue_call. The arguments are the function's own.
 */
enum pspge_sce_ge
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * sceGeListEnQueue
     */
    PSPGE_SCE_GE_LIST_EN_QUEUE = 0,
    /**
     * sceGeListEnQueueHead
     */
    PSPGE_SCE_GE_LIST_EN_QUEUE_HEAD = 1,
    /**
     * sceGeListDeQueue
     */
    PSPGE_SCE_GE_LIST_DE_QUEUE = 2,
    /**
     * sceGeListUpdateStallAddr
     */
    PSPGE_SCE_GE_LIST_UPDATE_STALL_ADDR = 3,
    /**
     * sceGeListSync
     */
    PSPGE_SCE_GE_LIST_SYNC = 4,
    /**
     * sceGeDrawSync
     */
    PSPGE_SCE_GE_DRAW_SYNC = 5,
    /**
     * sceGeBreak
     */
    PSPGE_SCE_GE_BREAK = 6,
    /**
     * sceGeContinue
     */
    PSPGE_SCE_GE_CONTINUE = 7,
    /**
     * sceGeSetCallback
     */
    PSPGE_SCE_GE_SET_CALLBACK = 8,
    /**
     * sceGeUnsetCallback
     */
    PSPGE_SCE_GE_UNSET_CALLBACK = 9,
    /**
     * sceGeSaveContext
     */
    PSPGE_SCE_GE_SAVE_CONTEXT = 10,
    /**
     * sceGeRestoreContext
     */
    PSPGE_SCE_GE_RESTORE_CONTEXT = 11,
    /**
     * sceGeGetCmd
     */
    PSPGE_SCE_GE_GET_CMD = 12,
    /**
     * sceGeGetMtx
     */
    PSPGE_SCE_GE_GET_MTX = 13,
    /**
     * sceGeGetStack
     */
    PSPGE_SCE_GE_GET_STACK = 14,
    /**
     * sceGeEdramSetAddrTranslation
     */
    PSPGE_SCE_GE_EDRAM_SET_ADDR_TRANSLATION = 15,
    /**
     * sceKernelSetCompiledSdkVersion; the kernel's answers depend on it
     */
    PSPGE_SCE_GE_SET_COMPILED_SDK_VERSION = 16,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum pspge_sce_ge pspge_sce_ge;
#else
typedef uint32_t pspge_sce_ge;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * An instance of the Graphics Engine.
 */
typedef struct pspge pspge;

/**
 * A vertex as decoded from memory, before morphing, skinning and transformation.
 */
typedef struct pspge_vertex {
    /**
     * Where its bytes start.
     */
    uint32_t address;
    /**
     * Its index, or its position in the array if there are no indices.
     */
    uint32_t index;
    /**
     * Position in model units, or in pixels in through mode.
     */
    float position[3];
    /**
     * Normal; 0 if vertices have none.
     */
    float normal[3];
    /**
     * Texture coordinates as fractions of the texture, or in texels in through mode; 0 if vertices have none.
     */
    float texcoord[2];
    /**
     * Skinning weights; unused ones are 0.
     */
    float weights[8];
    /**
     * Red, green, blue, alpha; the material's ambient colour if vertices have none.
     */
    uint8_t color[4];
} pspge_vertex;

/**
 * Registers for a callback to read. The pointers are valid during the callback only.
 */
typedef struct pspge_state {
    /**
     * The last words written to all 256 registers, by opcode.
     */
    const uint32_t *registers;
    /**
     * All 148 matrix elements as used for drawing, 24 bits each: bones (96), world (12), view (12), projection
     * (16), texture (12).
     */
    const uint32_t *matrices;
    /**
     * Palette memory, 1024 bytes.
     */
    const uint8_t *palette;
} pspge_state;

/**
 * A draw that is about to happen.
 */
typedef struct pspge_draw {
    /**
     * This draw's number since the list started, from 0.
     */
    uint64_t number;
    /**
     * Where its command word is.
     */
    uint32_t address;
    /**
     * The command word. For an immediate primitive, this is the VAP that completes it.
     */
    uint32_t word;
    /**
     * Primitive type, 0 to 7, as the hardware numbers them: points, lines, line strip, triangles, triangle strip,
     * triangle fan, rectangles, continue. A patch has the primitive type that it is drawn with.
     */
    uint32_t primitive;
    /**
     * How many vertices or control points it has.
     */
    uint32_t count;
    /**
     * Where its vertices are; 0 for an immediate primitive.
     */
    uint32_t vertices;
    /**
     * Where its indices are, if it has any.
     */
    uint32_t indices;
    /**
     * The registers to draw it with. The pointers are valid during the callback only.
     */
    struct pspge_state state;
} pspge_draw;

/**
 * Called before each draw. If it returns anything but 0, the list stops after this draw (PSPGE_RUN_ENDING_STOPPED),
 * and can be resumed. The callback must not touch memory given to the instance, and each call on the instance
 * returns PSPGE_STATUS_BUSY.
 */
typedef int (*pspge_draw_callback)(void *user, const struct pspge_draw *draw);

/**
 * A command that is about to be executed.
 */
typedef struct pspge_command {
    /**
     * This command's number since the list started, from 0.
     */
    uint64_t number;
    /**
     * How many draws the list has made so far.
     */
    uint64_t draws;
    /**
     * Where its word is.
     */
    uint32_t address;
    /**
     * The word itself.
     */
    uint32_t word;
    /**
     * The offset register before this command.
     */
    uint32_t offset;
    /**
     * The vertex pointer before this command.
     */
    uint32_t vertices;
    /**
     * The index pointer before this command.
     */
    uint32_t indices;
    /**
     * How many calls are open.
     */
    uint32_t depth;
    /**
     * The registers before this command. The pointers are valid during the callback only.
     */
    struct pspge_state state;
} pspge_command;

/**
 * Called before each command. If it returns anything but 0, the list stops before this command
 * (PSPGE_RUN_ENDING_STOPPED); pspge_resume then executes it without asking again. The draw callback's rules hold
 * here, too.
 */
typedef int (*pspge_command_callback)(void *user, const struct pspge_command *command);

/**
 * Called at the end of a call for each range of bytes that it may have changed, by rising address and without
 * overlap: 16 KiB pages with scissor rows that draws wrote to, and the bytes written by block transfers. The
 * callback may read and write memory, but each call on the instance returns PSPGE_STATUS_BUSY.
 */
typedef void (*pspge_dirty_callback)(void *user, uint32_t address, uint32_t size);

/**
 * Work done since the instance was created, or since pspge_reset_counts.
 */
typedef struct pspge_counts {
    /**
     * Commands executed.
     */
    uint64_t commands;
    /**
     * Draws: PRIM, BEZIER, SPLINE and completed immediate primitives.
     */
    uint64_t draws;
    /**
     * Vertices and control points, read for draws and for BBOX.
     */
    uint64_t vertices;
    /**
     * Block transfers.
     */
    uint64_t transfers;
    /**
     * Pixels moved by block transfers.
     */
    uint64_t transferred_pixels;
    /**
     * Bytes of these pixels, which have 2 or 4 each. The hardware's time depends on them.
     */
    uint64_t transferred_bytes;
    /**
     * Primitives after clipping and culling, including triangles.
     */
    uint64_t primitives;
    /**
     * Triangles after clipping and culling.
     */
    uint64_t triangles;
    /**
     * Pixels that passed all tests.
     */
    uint64_t pixels;
} pspge_counts;

/**
 * A call to return from.
 */
typedef struct pspge_stack_entry {
    /**
     * Where to return to.
     */
    uint32_t pc;
    /**
     * The offset register before this call.
     */
    uint32_t offset;
    /**
     * BASE's argument before this call, if `restores_base` is not 0.
     */
    uint32_t base;
    /**
     * 1 after a call by signal, which restores BASE on return; else 0.
     */
    uint32_t restores_base;
} pspge_stack_entry;

/**
 * The state owned by a list. To run several lists in turns, a host keeps a copy for each. Everything else belongs
 * to the machine and passes from list to list: registers, matrices, palette memory, and the pointers of
 * pspge_get_pointers.
 */
typedef struct pspge_flow {
    /**
     * Where the next word is.
     */
    uint32_t pc;
    /**
     * The stall address; PSPGE_NO_STALL or 0 for none.
     */
    uint32_t stall;
    /**
     * The offset register.
     */
    uint32_t offset;
    /**
     * BASE's argument, 24 bits. BASE is a register, but the kernel gives it back to each list that goes on.
     */
    uint32_t base;
    /**
     * 1 if the last BBOX was visible, else 0, which makes BJUMP jump.
     */
    uint32_t box_visible;
    /**
     * 1 if a signal asked to ignore the next FINISH; else 0.
     */
    uint32_t skip_finish;
    /**
     * 1 if a signal asked to pause at the next FINISH; else 0.
     */
    uint32_t pause_at_finish;
    /**
     * How many call stack entries are in use.
     */
    uint32_t depth;
    /**
     * The call stack; entry `depth - 1` is the innermost call.
     */
    struct pspge_stack_entry stack[PSPGE_STACK_ENTRIES];
} pspge_flow;

/**
 * The machine's pointers, which draws move. A list that starts takes them over from the list before.
 */
typedef struct pspge_pointers {
    /**
     * The vertex pointer.
     */
    uint32_t vertices;
    /**
     * The index pointer.
     */
    uint32_t indices;
} pspge_pointers;

/**
 * A memory region at addresses where a PSP has none.
 */
typedef struct pspge_region {
    /**
     * Where it starts, a multiple of 4096.
     */
    uint32_t address;
    /**
     * The bytes, which must live as long as the instance.
     */
    uint8_t *bytes;
    /**
     * How many bytes it has, a multiple of 4096.
     */
    size_t size;
} pspge_region;

/**
 * Configures an instance. Set all bytes to 0, then `struct_size`, then the members that matter.
 */
typedef struct pspge_config {
    /**
     * sizeof(pspge_config).
     */
    size_t struct_size;
    /**
     * Main RAM from address 0x08000000 on, which must live as long as the instance; null lets the instance have 64
     * MiB of its own.
     */
    uint8_t *ram;
    /**
     * Bytes of main RAM, a multiple of 64 KiB up to 128 MiB. Bytes above 64 MiB are at 0x0C000000, where a PSP has
     * no memory; no texture, vertex array or palette may cross that address.
     */
    size_t ram_size;
    /**
     * VRAM in linear order, 2 MiB, which must live as long as the instance; null lets the instance have its own.
     */
    uint8_t *vram;
    /**
     * Bytes of VRAM: 0x200000.
     */
    size_t vram_size;
    /**
     * The scratchpad, 16 KiB, which must live as long as the instance; null lets the instance have its own.
     */
    uint8_t *scratchpad;
    /**
     * Bytes of the scratchpad: 0x4000.
     */
    size_t scratchpad_size;
    /**
     * Further memory regions; null if there are none.
     */
    const struct pspge_region *regions;
    /**
     * How many further regions there are, up to 64.
     */
    size_t region_count;
    /**
     * How many threads draw; 0 and 1 draw on the caller's thread alone. The bytes drawn are the same for any
     * number.
     */
    uint32_t threads;
    /**
     * PSPGE_ARITHMETIC_HARDWARE or PSPGE_ARITHMETIC_SINGLE.
     */
    uint32_t arithmetic;
    /**
     * The sum of PSPGE_FLAG numbers.
     */
    uint32_t flags;
    /**
     * Must be 0.
     */
    uint32_t reserved;
} pspge_config;

/**
 * A colour buffer.
 */
typedef struct pspge_target {
    /**
     * Where its first pixel is.
     */
    uint32_t address;
    /**
     * Pixels from a row to the next; 0 takes stride and format from the last draw to this address.
     */
    uint32_t stride;
    /**
     * The format as the hardware numbers it: 0 BGR5650, 1 ABGR5551, 2 ABGR4444, 3 ABGR8888.
     */
    uint32_t format;
} pspge_target;

/**
 * How a call is answered.
 */
typedef struct pspge_queue_answer {
    /**
     * The function's return value, errors included; 0 for a thread that waits.
     */
    uint32_t value;
    /**
     * Why the thread waits, a PSPGE_QUEUE_WAIT number. See pspge_queue_is_over.
     */
    pspge_queue_wait wait;
    /**
     * The list to wait for.
     */
    uint32_t list;
} pspge_queue_answer;

/**
 * How to run. Set all bytes to 0, then `struct_size`, then the members that matter.
 */
typedef struct pspge_run_options {
    /**
     * sizeof(pspge_run_options).
     */
    size_t struct_size;
    /**
     * How many commands to execute before the list stops; 0 for any number.
     */
    uint64_t max_commands;
    /**
     * After how many vertices, or vertices of divided patches, the list stops; 0 for any number.
     */
    uint64_t max_vertices;
    /**
     * After how many pixels, including those only tested, the list stops; 0 for any number. Without this, a single
     * draw can take minutes.
     */
    uint64_t max_pixels;
    /**
     * The sum of PSPGE_RUN numbers.
     */
    uint32_t flags;
    /**
     * Must be 0.
     */
    uint32_t reserved;
} pspge_run_options;

/**
 * How far the GE has come.
 */
typedef struct pspge_queue_progress {
    /**
     * How many cycles have passed: one for each command. pspge_get_counts tells how much work they did.
     */
    uint64_t cycles;
    /**
     * Why it has stopped, a PSPGE_QUEUE_STOP number. The other members are 0 unless a function is due.
     */
    pspge_queue_stop stop;
    /**
     * 1 if a list has ended, 0 for a signal.
     */
    uint32_t is_finish;
    /**
     * The list.
     */
    uint32_t list;
    /**
     * Where the function to call is.
     */
    uint32_t function;
    /**
     * The three arguments to pass to it.
     */
    uint32_t arguments[3];
} pspge_queue_progress;

/**
 * How to record. Set all bytes to 0, then `struct_size`, then the members that matter.
 */
typedef struct pspge_record_options {
    /**
     * sizeof(pspge_record_options).
     */
    size_t struct_size;
    /**
     * How many frames to record, as pspge_record_frame counts them; 0 records until pspge_record_end.
     */
    uint32_t frames;
    /**
     * How many bytes of data the recording may have, to bound its memory if nobody ends it; 0 for 64 MiB, the most
     * that a dump can have.
     */
    uint32_t max_bytes;
    /**
     * The program's id, such as "ULUS10336": nine characters, the others 0. All 0 for none.
     */
    uint8_t game_id[16];
} pspge_record_options;

/**
 * How a run ended.
 */
typedef struct pspge_run_result {
    /**
     * Why it returned, a PSPGE_RUN_ENDING number.
     */
    pspge_run_ending ending;
    /**
     * Where the next word is.
     */
    uint32_t pc;
    /**
     * The SIGNAL or FINISH word before the END that it stopped at; else 0.
     */
    uint32_t signal;
    /**
     * That END; else 0.
     */
    uint32_t end;
    /**
     * Where that END is; else 0.
     */
    uint32_t end_address;
    /**
     * Always 0.
     */
    uint32_t reserved;
    /**
     * How many commands this call executed.
     */
    uint64_t commands;
    /**
     * How many draws the list has made since it started.
     */
    uint64_t draws;
    /**
     * How many notes this call has on missing memory and other problems; see pspge_notes_json.
     */
    uint64_t notes;
} pspge_run_result;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Decodes the texture selected by the registers at mip level 0 to 7, to 8-bit red, green, blue and alpha, rows from
 * the top. This sets `*width` and `*height` to its size even if `capacity` bytes are too few
 * (PSPGE_STATUS_BUFFER_TOO_SMALL); nothing else is written then. Texels come from memory, not from the texture
 * cache, and palette colours from palette memory.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `pixels` is null or valid for writes of `capacity`
 * bytes; `width` and `height` are null or valid for writes. During this call, nobody else uses memory given to the
 * instance.
 */
pspge_status pspge_get_texture(const struct pspge *instance,
                               uint32_t level,
                               uint8_t *pixels,
                               size_t capacity,
                               uint32_t *width,
                               uint32_t *height);

/**
 * Decodes `count` vertices as the next draw would read them, with its indices, starting at the vertex and index
 * pointers. Ask before a draw: a run stops there if you set a command budget or let the command callback stop it.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `vertices` is null or valid for writes of `count`
 * structures. During this call, nobody else uses memory given to the instance.
 */
pspge_status pspge_get_vertices(const struct pspge *instance,
                                struct pspge_vertex *vertices,
                                uint32_t count);

/**
 * Copies the upper left part of the depth buffer selected by the registers, row by row, as 16-bit numbers in
 * picture order: this undoes the order used to store depth in VRAM. At most 1024 columns and rows.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `values` is null or valid for writes of
 * `width * height` numbers. During this call, nobody else uses memory given to the instance.
 */
pspge_status pspge_get_depth(const struct pspge *instance, uint32_t width, uint32_t height, uint16_t *values);

/**
 * Frees text returned by the library for you to free. Null is fine.
 *
 * # Safety
 * `text` is null, or was returned by a function whose documentation asks for this call, and not freed yet.
 */
void pspge_free_string(char *text);

/**
 * Sets a function to call for each draw; null for none.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `function` may be called with `user` in every later
 * call, on that call's thread, and does not unwind.
 */
pspge_status pspge_set_draw_callback(const struct pspge *instance,
                                     pspge_draw_callback function,
                                     void *user);

/**
 * Sets a function to call for each command; null for none. This slows lists down.
 *
 * # Safety
 * As for pspge_set_draw_callback.
 */
pspge_status pspge_set_command_callback(const struct pspge *instance,
                                        pspge_command_callback function,
                                        void *user);

/**
 * Sets a function to call for changed memory; null for none.
 *
 * # Safety
 * As for pspge_set_draw_callback.
 */
pspge_status pspge_set_dirty_callback(const struct pspge *instance,
                                      pspge_dirty_callback function,
                                      void *user);

/**
 * Returns the counts. Primitives and pixels of pending draws count after pspge_flush.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `counts` is valid for writes.
 */
pspge_status pspge_get_counts(const struct pspge *instance, struct pspge_counts *counts);

/**
 * Sets all counts to 0.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed.
 */
pspge_status pspge_reset_counts(const struct pspge *instance);

/**
 * Returns the state owned by the list.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `flow` is null or valid for writes.
 */
pspge_status pspge_get_flow(const struct pspge *instance, struct pspge_flow *flow);

/**
 * Replaces the state owned by the list. pspge_resume goes on with it, even after PSPGE_RUN_ENDING_HUNG.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `flow` is null or valid for reads.
 */
pspge_status pspge_set_flow(const struct pspge *instance, const struct pspge_flow *flow);

/**
 * Returns the machine's pointers.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `pointers` is null or valid for writes.
 */
pspge_status pspge_get_pointers(const struct pspge *instance, struct pspge_pointers *pointers);

/**
 * Replaces the machine's pointers.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `pointers` is null or valid for reads.
 */
pspge_status pspge_set_pointers(const struct pspge *instance, const struct pspge_pointers *pointers);

/**
 * Selects the eDRAM address translation, as sceGeEdramSetAddrTranslation does: 0, 0x200, 0x400 (after power-on),
 * 0x800 or 0x1000. The bytes in VRAM stay in place. This completes pending draws.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. During this call, nobody else uses memory given to the
 * instance.
 */
pspge_status pspge_set_edram_translation(const struct pspge *instance,
                                         uint32_t mode);

/**
 * Returns the eDRAM address translation selected last.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `mode` is null or valid for writes.
 */
pspge_status pspge_get_edram_translation(const struct pspge *instance, uint32_t *mode);

/**
 * Creates an instance as after power-on and stores it in `*instance`. If this fails, `*instance` is null, and
 * `*message`, unless `message` is null, is a sentence to be freed by pspge_free_string.
 *
 * # Safety
 * `config` points to a structure as its `struct_size` says; its memory is valid for reads and writes until the
 * instance is destroyed, and its parts do not overlap. `instance` is valid for writes; `message` is null or valid
 * for writes.
 */
pspge_status pspge_create(const struct pspge_config *config,
                          struct pspge **instance,
                          char **message);

/**
 * Destroys an instance, with its pending draws. Null is fine. If a call is at work on it, this destroys nothing and
 * returns PSPGE_STATUS_BUSY.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. No other call uses it from now on.
 */
pspge_status pspge_destroy(struct pspge *instance);

/**
 * Resets registers, matrices, palette memory, list flow, the queue, the eDRAM translation and the texture cache to
 * their state after power-on. Memory, callbacks and counts stay, and a recording goes on.
 *
 * # Safety
 * As for pspge_last_error.
 */
pspge_status pspge_reset(const struct pspge *instance);

/**
 * Returns a sentence that explains why the last call on this instance failed; empty after a success. The text is
 * valid until the next call on this instance.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed.
 */
const char *pspge_last_error(const struct pspge *instance);

/**
 * Returns the state for the next draw, by topic: the member `state` of the document `pspge.state`. Free the text by
 * pspge_free_string.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `json` is null or valid for writes. During this call,
 * nobody else uses memory given to the instance.
 */
pspge_status pspge_state_json(const struct pspge *instance,
                              char **json);

/**
 * Returns notes on the last call that executed commands: missing memory, ignored commands and the like. Free the
 * text by pspge_free_string.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `json` is null or valid for writes.
 */
pspge_status pspge_notes_json(const struct pspge *instance,
                              char **json);

/**
 * Explains a pixel's colour: runs the list at `address` on a copy of memory and registers, and returns everything
 * that touched this pixel, in order, as the document `pspge.pixel`. `target` is the colour buffer to look at; null
 * takes the last draw's. The instance does not change. The vertex pointer, the index pointer and unfinished
 * primitives left by earlier lists do not count. The command's limits bound this run. Free the text by
 * pspge_free_string.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `target` is null or valid for reads, `json` is null or
 * valid for writes. During this call, nobody else uses memory given to the instance.
 */
pspge_status pspge_pixel_json(const struct pspge *instance,
                              uint32_t address,
                              uint32_t x,
                              uint32_t y,
                              const struct pspge_target *target,
                              char **json);

/**
 * Copies bytes from memory as the GE reads them, with everything drawn so far, and through the permuted views of
 * VRAM.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `bytes` is null or valid for writes of `size` bytes
 * apart from the instance's memory. During this call, nobody else uses memory given to the instance.
 */
pspge_status pspge_read_memory(const struct pspge *instance,
                               uint32_t address,
                               uint8_t *bytes,
                               size_t size);

/**
 * Writes bytes to memory as the CPU does. This needs no report by pspge_memory_changed, and pending draws do not
 * see the new bytes. Threads that draw go on as far as possible, which makes this the fastest way into VRAM while
 * draws are pending.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `bytes` is null or valid for reads of `size` bytes
 * apart from the instance's memory. During this call, nobody else uses memory given to the instance.
 */
pspge_status pspge_write_memory(const struct pspge *instance,
                                uint32_t address,
                                const uint8_t *bytes,
                                size_t size);

/**
 * Tells the instance that the host has changed `size` bytes from `address` on. Only PSPGE_FLAG_REPORTS_CHANGES
 * makes this necessary.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. During this call, nobody else uses memory given to the
 * instance.
 */
pspge_status pspge_memory_changed(const struct pspge *instance,
                                  uint32_t address,
                                  uint32_t size);

/**
 * Answers a program's function, a PSPGE_SCE_GE number, with its four argument registers. Structures and contexts
 * are read from and written to memory. This runs no list: call pspge_queue_advance after it, to let the program see
 * the effects.
 *
 * The queue and pspge_run use the same machine, but do not know of each other: use only one of them for a program.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `arguments` is null or valid for reads of four words,
 * `answer` is null or valid for writes. During this call, nobody else uses memory given to the instance.
 */
pspge_status pspge_queue_call(const struct pspge *instance,
                              uint32_t number,
                              const uint32_t *arguments,
                              struct pspge_queue_answer *answer);

/**
 * Runs the lists in the queue for some cycles, one for each command. This returns early if a function of the
 * program is due, or if nothing happens before the next call. Afterwards memory holds everything drawn, unless
 * PSPGE_RUN_KEEP_PENDING is set. `options` is null, or limits each list's vertices and pixels, and has the flags
 * PSPGE_RUN_KEEP_PENDING and PSPGE_RUN_NO_DRAWING or none; its other members are 0.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `options` is null, or points to a structure as its
 * `struct_size` says. `progress` is null or valid for writes. During this call, nobody else uses memory given to
 * the instance.
 */
pspge_status pspge_queue_advance(const struct pspge *instance,
                                 uint64_t cycles,
                                 const struct pspge_run_options *options,
                                 struct pspge_queue_progress *progress);

/**
 * Goes on like pspge_queue_advance, once the function of PSPGE_QUEUE_STOP_CALLBACK has returned. Calls made by this
 * function come before it.
 *
 * # Safety
 * As for pspge_queue_advance.
 */
pspge_status pspge_queue_callback_returned(const struct pspge *instance,
                                           uint64_t cycles,
                                           const struct pspge_run_options *options,
                                           struct pspge_queue_progress *progress);

/**
 * Asks whether a thread's wait is over, and sets `*is_over` to 1 or 0. Ask after each pspge_queue_advance, before
 * the next list is enqueued.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `is_over` is null or valid for writes.
 */
pspge_status pspge_queue_is_over(const struct pspge *instance,
                                 uint32_t wait,
                                 uint32_t list,
                                 uint32_t *is_over);

/**
 * Tells whether the thread that makes the next calls may wait, a PSPGE_THREAD number. The queue itself knows when
 * its callbacks run.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed.
 */
pspge_status pspge_queue_set_thread(const struct pspge *instance,
                                    uint32_t thread);

/**
 * Begins to record draws, for a frame dump that replays alone: `pspge render` shows it, and leaves the same bytes
 * in VRAM. Commands are recorded with the memory they read, and between calls the host may change everything, as
 * ever. This completes pending draws and empties the texture cache, and until the recording ends
 * PSPGE_RUN_KEEP_PENDING has no effect. `options` may be null. A recording that has ended, but was not fetched, is
 * lost.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `options` is null, or points to a structure as its
 * `struct_size` says. During this call, nobody else uses memory given to the instance.
 */
pspge_status pspge_record_begin(const struct pspge *instance,
                                const struct pspge_record_options *options);

/**
 * Tells a recording that the screen shows a buffer from now on, which ends a frame. `*is_over`, unless it is null,
 * becomes 1 if nothing more is recorded, because all frames are there or the recording is too large; else 0.
 * Without such calls, a recording is a single frame, whose picture is the last colour buffer.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `shown` is null or valid for reads, `is_over` is null
 * or valid for writes. During this call, nobody else uses memory given to the instance.
 */
pspge_status pspge_record_frame(const struct pspge *instance,
                                const struct pspge_target *shown,
                                uint32_t *is_over);

/**
 * Ends a recording and returns the dump's file. This sets `*size` to its byte count even if `capacity` is too small
 * (PSPGE_STATUS_BUFFER_TOO_SMALL): nothing is written then, and the next call returns the same file. Once returned,
 * it is gone. A recording that grew too large has no file (PSPGE_STATUS_NO_ANSWER). `*is_exact`, unless it is null,
 * becomes 1 if the file replays to the same bytes in VRAM; 0 if draws before the recording have left vertices or
 * attributes for its first draws that no list can repeat.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `bytes` is null or valid for writes of `capacity`
 * bytes, `size` and `is_exact` are null or valid for writes. During this call, nobody else uses memory given to the
 * instance.
 */
pspge_status pspge_record_end(const struct pspge *instance,
                              uint8_t *bytes,
                              size_t capacity,
                              size_t *size,
                              uint32_t *is_exact);

/**
 * Writes a command word to its register, or matrix data to its matrix, without executing the command; see
 * pspge_execute for that.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed.
 */
pspge_status pspge_write_register(const struct pspge *instance, uint32_t word);

/**
 * Returns the last words written to all 256 registers, by opcode.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `words` is null or valid for writes of 256 words.
 */
pspge_status pspge_get_registers(const struct pspge *instance, uint32_t *words);

/**
 * Replaces all registers by words in opcode order. Matrices and palette memory stay, and so do the vertex pointer,
 * the index pointer and the offset register (pspge_set_flow).
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `words` is null or valid for reads of 256 words.
 */
pspge_status pspge_set_registers(const struct pspge *instance,
                                 const uint32_t *words);

/**
 * Returns a matrix's elements (PSPGE_MATRIX numbers) as the CPU reads them, 24 bits each.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `elements` is null or valid for writes of `count`
 * words.
 */
pspge_status pspge_get_matrix(const struct pspge *instance,
                              uint32_t matrix,
                              uint32_t *elements,
                              size_t count);

/**
 * Sets a matrix's elements, for drawing and for the CPU to read. The number register stays.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `elements` is null or valid for reads of `count` words.
 */
pspge_status pspge_set_matrix(const struct pspge *instance,
                              uint32_t matrix,
                              const uint32_t *elements,
                              size_t count);

/**
 * Returns palette memory, 1024 bytes.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `bytes` is null or valid for writes of 1024 bytes.
 */
pspge_status pspge_get_palette(const struct pspge *instance,
                               uint8_t *bytes);

/**
 * Replaces palette memory, 1024 bytes.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `bytes` is null or valid for reads of 1024 bytes.
 */
pspge_status pspge_set_palette(const struct pspge *instance, const uint8_t *bytes);

/**
 * Runs the list at `address` until it ends or stops. It starts with offset register 0 and an empty call stack; all
 * other state is kept. Afterwards memory holds everything drawn, unless PSPGE_RUN_KEEP_PENDING is set.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `options` is null, or points to a structure as its
 * `struct_size` says. `result` is null or valid for writes. During this call, nobody else uses memory given to the
 * instance.
 */
pspge_status pspge_run(const struct pspge *instance,
                       uint32_t address,
                       const struct pspge_run_options *options,
                       struct pspge_run_result *result);

/**
 * Goes on where the last list stopped, with the current list flow (pspge_set_flow). After PSPGE_RUN_ENDING_SIGNAL
 * this acts as the firmware does.
 *
 * # Safety
 * As for pspge_run.
 */
pspge_status pspge_resume(const struct pspge *instance,
                          const struct pspge_run_options *options,
                          struct pspge_run_result *result);

/**
 * Executes a command as the list's next word, without moving the list on. JUMP, BJUMP, CALL, RET and END only write
 * their register. Draws stay pending as with PSPGE_RUN_KEEP_PENDING: call pspge_flush before you read memory.
 *
 * # Safety
 * As for pspge_run.
 */
pspge_status pspge_execute(const struct pspge *instance,
                           uint32_t word,
                           struct pspge_run_result *result);

/**
 * Executes a block transfer with the operands in the registers, TRANSFERSTART included. If draws are pending, call
 * pspge_flush before you read VRAM.
 *
 * # Safety
 * As for pspge_run.
 */
pspge_status pspge_transfer(const struct pspge *instance,
                            struct pspge_run_result *result);

/**
 * Moves a list stopped at a signal (PSPGE_RUN_ENDING_SIGNAL) to the word after END, because the host has acted as
 * the firmware.
 *
 * # Safety
 * As for pspge_run.
 */
pspge_status pspge_skip_signal(const struct pspge *instance);

/**
 * Sets the stall address, to stop lists before the word there; PSPGE_NO_STALL or 0 for none.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed.
 */
pspge_status pspge_set_stall(const struct pspge *instance, uint32_t address);

/**
 * Completes pending draws (PSPGE_RUN_KEEP_PENDING, pspge_execute), so that memory holds everything drawn. From now
 * on, the host may read and write all memory again.
 *
 * # Safety
 * As for pspge_run.
 */
pspge_status pspge_flush(const struct pspge *instance);

/**
 * Completes pending draws that any of `size` bytes from `address` on depend on, to let the host read these bytes,
 * but not write them. Other draws stay pending.
 *
 * # Safety
 * As for pspge_run.
 */
pspge_status pspge_flush_range(const struct pspge *instance,
                               uint32_t address,
                               uint32_t size);

/**
 * Saves the context as sceGeSaveContext does: list flow, most registers and the matrices as the CPU sees them, in
 * 512 words. Words not written by the firmware stay as they are: 10 to 16 and those after END. END is word 384, or
 * 385 if the palette address points to memory, because LOADCLUT is then among the registers. Palette memory is not
 * saved.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `words` is null or valid for writes of 512 words.
 */
pspge_status pspge_save_context(const struct pspge *instance,
                                uint32_t *words);

/**
 * Restores a context saved by pspge_save_context, the firmware or a recorder, as sceGeRestoreContext does:
 * registers missing from it stay, a LOADCLUT in it loads the palette, and the texture cache is empty afterwards.
 * The vertex pointer, the index pointer, the offset register and the last BBOX result come from the context; the
 * list's other flow stays.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `words` is null or valid for reads of 512 words. During
 * this call, nobody else uses memory given to the instance.
 */
pspge_status pspge_restore_context(const struct pspge *instance,
                                   const uint32_t *words);

/**
 * Saves all state that lists depend on, besides memory and the texture cache: registers, matrices, palette memory,
 * list flow, leftovers that draws hand on to later draws, the queue and the eDRAM translation. Call pspge_flush and
 * save your memory, too. The bytes are the same on every machine, and later versions of this library read them.
 * This sets `*size` to their number even if `capacity` is too small (PSPGE_STATUS_BUFFER_TOO_SMALL); nothing is
 * written then.
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `bytes` is null or valid for writes of `capacity`
 * bytes, `size` is null or valid for writes.
 */
pspge_status pspge_save_state(const struct pspge *instance,
                              uint8_t *bytes,
                              size_t capacity,
                              size_t *size);

/**
 * Restores a state saved by pspge_save_state of this or an earlier version. This completes pending draws first. If
 * the bytes are damaged, the state stays as it is (PSPGE_STATUS_BAD_STATE).
 *
 * # Safety
 * `instance` is null, or was created and not yet destroyed. `bytes` is null or valid for reads of `size` bytes.
 * During this call, nobody else uses memory given to the instance.
 */
pspge_status pspge_restore_state(const struct pspge *instance,
                                 const uint8_t *bytes,
                                 size_t size);

/**
 * Returns a sentence for a status, without details. The text lives as long as the library.
 */
const char *pspge_status_text(uint32_t status);

/**
 * Returns the linked library's interface version. Compare it with the header's PSPGE_ABI_VERSION.
 */
uint32_t pspge_abi_version(void);

/**
 * Returns the library's version, such as "0.1.0". The text lives as long as the library.
 */
const char *pspge_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PSPGE_H */
