/* The part of pspsdk's pspdisplay.h that the example uses, for tests without the SDK. */
int sceDisplayWaitVblankStart(void);
