/* The part of pspsdk's pspkernel.h that the example uses, for tests without the SDK. */
#define PSP_MODULE_INFO(name, attributes, major, minor) extern const char module_name[]
#define PSP_MAIN_THREAD_ATTR(attributes) extern const char thread_attributes[]
void sceKernelDcacheWritebackAll(void);
void sceKernelExitGame(void);
