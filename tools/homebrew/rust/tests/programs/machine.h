/* A console without a GE: memory, and the calls that the capture makes. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns where a 28-bit address is in the memory of this process. */
const uint8_t *machine_memory(uint32_t address);

/* Reads an image: 2 MiB of VRAM, then the main memory from 0x08000000 up to its last bytes that are not zero. Reads a saved
 * context, too. Returns 0 on success. */
int machine_load(const char *image, const char *context);

#ifdef __cplusplus
}
#endif
#endif
