/* The part of pspsdk's pspge.h that the header uses, for tests without the SDK. */
#ifndef FAKE_PSPGE_H
#define FAKE_PSPGE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PspGeContext {
    unsigned int context[512];
} PspGeContext;

typedef struct PspGeListArgs {
    unsigned int size;
    PspGeContext *context;
} PspGeListArgs;

int sceGeSaveContext(PspGeContext *context);
int sceGeDrawSync(int sync_type);
int sceGeListEnQueue(const void *list, void *stall, int callback, PspGeListArgs *arguments);
int sceGeListUpdateStallAddr(int list, void *stall);

#ifdef __cplusplus
}
#endif
#endif
