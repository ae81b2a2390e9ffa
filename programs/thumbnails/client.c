// Makes a thumbnail as Explorer does, for scripts/try-windows: client.exe FILE SIDE OUT. Finds the provider of the file's
// type in the registry and writes RGBA from the top. Exits with 1, and prints which call failed with which HRESULT.
#define COBJMACROS
#include <windows.h>
#include <initguid.h>
#include <propsys.h>
#include <shlwapi.h>
#include <stdio.h>
#include <thumbcache.h>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    HRESULT result = (call);                                                                                           \
    if (FAILED(result)) {                                                                                              \
      printf("%08lx from %s\n", result, #call);                                                                        \
      return 1;                                                                                                        \
    }                                                                                                                  \
  } while (0)

int wmain(int count, WCHAR **args) {
  WCHAR key[99], id[39];
  DWORD bytes = sizeof id;
  CLSID class;
  IStream *stream;
  IInitializeWithStream *opened;
  IThumbnailProvider *provider;
  WTS_ALPHATYPE alpha;
  HBITMAP bitmap;
  DIBSECTION section;
  if (count != 4)
    return 2;
  swprintf(key, 99, L"%ls\\shellex\\{e357fccd-a995-4576-b01f-234630154e96}", PathFindExtensionW(args[1]));
  CHECK(HRESULT_FROM_WIN32(RegGetValueW(HKEY_CLASSES_ROOT, key, NULL, RRF_RT_REG_SZ, NULL, id, &bytes)));
  CHECK(CLSIDFromString(id, &class));
  CHECK(CoInitialize(NULL));
  CHECK(CoCreateInstance(&class, NULL, CLSCTX_INPROC_SERVER, &IID_IThumbnailProvider, (void **)&provider));
  CHECK(IThumbnailProvider_QueryInterface(provider, &IID_IInitializeWithStream, (void **)&opened));
  CHECK(SHCreateStreamOnFileEx(args[1], STGM_READ, 0, FALSE, NULL, &stream));
  CHECK(IInitializeWithStream_Initialize(opened, stream, STGM_READ));
  CHECK(IThumbnailProvider_GetThumbnail(provider, wcstoul(args[2], NULL, 10), &bitmap, &alpha));
  if (alpha != WTSAT_ARGB || GetObjectW(bitmap, sizeof section, &section) != sizeof section)
    return 3;
  LONG width = section.dsBm.bmWidth, height = section.dsBm.bmHeight;
  BITMAPINFO info = {{sizeof info.bmiHeader, width, -height, 1, 32, BI_RGB}};
  BYTE *pixels = malloc(width * height * 4);
  if (GetDIBits(CreateCompatibleDC(NULL), bitmap, 0, height, pixels, &info, DIB_RGB_COLORS) != height)
    return 4;
  for (BYTE *pixel = pixels; pixel < pixels + width * height * 4; pixel += 4) {
    BYTE blue = pixel[0];
    pixel[0] = pixel[2];
    pixel[2] = blue;
  }
  FILE *out = _wfopen(args[3], L"wb");
  fwrite(pixels, 4, width * height, out);
  fclose(out);
  DeleteObject(bitmap);
  IStream_Release(stream);
  IInitializeWithStream_Release(opened);
  IThumbnailProvider_Release(provider);
  CoUninitialize();
  return 0;
}
