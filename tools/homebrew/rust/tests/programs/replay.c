/* Captures lists in an image of a console's memory: replay IMAGE CONTEXT DUMP LIST[-STALL|=STALL]... with addresses in hexadecimal.
 * With '-' the program moves the stall address on later, with '=' never.
 * Built with PSPGE_CAPTURE_WRAP, it sends the lists, and the linker brings them to the header. */
#include "machine.h"

#define PSPGE_CAPTURE_MEMORY(address) machine_memory(address)
#define PSPGE_CAPTURE_RAM_START 0x08000000u
#define PSPGE_CAPTURE_IMPLEMENTATION
#include "pspge_capture.h"

int main(int count, char **arguments) {
    int i, result;
    if (count < 4 || machine_load(arguments[1], arguments[2]) < 0) {
        fprintf(stderr, "the image cannot be read\n");
        return 2;
    }
    result = pspge_capture_frame(arguments[3]);
    for (i = 4; i < count && result >= 0; i++) {
        char *rest = NULL;
        uintptr_t list = (uintptr_t)strtoul(arguments[i], &rest, 16);
        char mark = *rest;
        uintptr_t stall = mark == '\0' ? 0 : (uintptr_t)strtoul(rest + 1, NULL, 16);
#ifdef PSPGE_CAPTURE_WRAP
        int id = sceGeListEnQueue((const void *)list, (void *)list, -1, NULL);
        if (stall != 0) {
            (void)sceGeListUpdateStallAddr(id, (void *)stall);
        }
        if (mark != '=') {
            (void)sceGeListUpdateStallAddr(id, NULL);
        }
#else
        (void)pspge_capture_list((const void *)list, (const void *)stall);
        if (mark == '-') {
            (void)pspge_capture_list(NULL, NULL);
        }
#endif
    }
    if (result >= 0) {
        result = pspge_capture_end();
    }
    printf("%d %s\n", result, pspge_capture_message());
    return 0;
}
