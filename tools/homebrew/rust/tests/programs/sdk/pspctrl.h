/* The part of pspsdk's pspctrl.h that the example uses, for tests without the SDK. */
#define PSP_CTRL_SELECT 0x000001
#define PSP_CTRL_START 0x000008
typedef struct SceCtrlData {
    unsigned int TimeStamp, Buttons;
    unsigned char Lx, Ly, Rsrv[6];
} SceCtrlData;
int sceCtrlReadBufferPositive(SceCtrlData *data, int count);
