// Opens a character from memory, plays it for a second, and prints what a renderer would draw:
//
//     play CHARACTER [FILE...]
//
// The other files are the atlas and the pictures, by their names.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pchr.h"

// Ends the program if a call has failed.
static void check(PchrStatus status) {
  if (status != PCHR_STATUS_OK) {
    PchrText code, message;
    pchr_last_error(&code, &message);
    fprintf(stderr, "%.*s: %.*s\n", (int)code.len, code.data, (int)message.len, message.data);
    exit(1);
  }
}

static PchrText text(const char *text) {
  return (PchrText){.data = (const uint8_t *)text, .len = strlen(text)};
}

// A game would read its archive here.
static PchrFile load(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
    perror(path);
    exit(1);
  }
  size_t len = (size_t)ftell(file);
  uint8_t *bytes = malloc(len + 1);
  rewind(file);
  if (bytes == NULL || fread(bytes, 1, len, file) != len) {
    perror(path);
    exit(1);
  }
  fclose(file);
  const char *slash = strrchr(path, '/');
  return (PchrFile){.path = text(slash == NULL ? path : slash + 1), .bytes = bytes, .len = len};
}

// A game would draw the triangles here.
static void draw(PchrAnimator *animator) {
  PchrBatches drawn;
  check(pchr_draw(animator, &drawn));
  for (size_t i = 0; i < drawn.batch_count; i++) {
    const PchrBatch *batch = &drawn.batches[i];
    const PchrVertex *first = &drawn.vertices[batch->first_vertex];
    printf("batch %zu: page %" PRId32 ", blend %d, clip %" PRId32 ", %" PRIu32 " vertices from (%.2f, %.2f), %" PRIu32
           " triangles\n",
           i, batch->page, (int)batch->blend, batch->clip, batch->vertex_count, first->x, first->y,
           batch->index_count / 3);
  }
}

int main(int count, char **arguments) {
  if (count < 2) {
    fprintf(stderr, "usage: play CHARACTER [FILE...]\n");
    return 2;
  }
  size_t file_count = (size_t)count - 1;
  PchrFile *files = calloc(file_count, sizeof *files);
  if (files == NULL) return 1;
  for (size_t i = 0; i < file_count; i++) files[i] = load(arguments[i + 1]);
  PchrAnimator *animator = NULL;
  check(pchr_open(files, file_count, files[0].path, &animator));
  for (size_t i = 0; i < file_count; i++) free((void *)files[i].bytes);  // pchr has copied them
  free(files);

  size_t page_count;
  check(pchr_page_count(animator, &page_count));
  for (size_t i = 0; i < page_count; i++) {
    PchrPage page;
    check(pchr_page(animator, i, &page));
    size_t len = (size_t)page.width * page.height * 4;
    uint8_t *rgba = malloc(len);
    check(pchr_read_page(animator, i, rgba, len));
    // Upload it here.
    free(rgba);
    printf("page %zu: %.*s, %" PRIu32 " by %" PRIu32 " pixels\n", i, (int)page.name.len, page.name.data, page.width,
           page.height);
  }

  size_t animation_count;
  check(pchr_count(animator, PCHR_ANIMATIONS, &animation_count));
  check(pchr_set_fade(animator, 0.2));
  for (size_t i = 0; i < animation_count; i++) {
    PchrText name;
    double secs;
    check(pchr_name(animator, PCHR_ANIMATIONS, i, &name));
    check(pchr_duration(animator, i, &secs));
    printf("animation %.*s: %.2f s\n", (int)name.len, name.data, secs);
    check(pchr_queue(animator, 0, name, 0.0, text("loop=once")));
  }

  for (int frame = 0; frame < 60; frame++) {
    PchrEvents events;
    check(pchr_update(animator, 1.0 / 60.0, &events));
    for (size_t i = 0; i < events.len; i++) {
      const PchrEvent *event = &events.data[i];
      printf("frame %d: event %d of %.*s %.*s\n", frame, (int)event->kind, (int)event->animation.len,
             event->animation.data, (int)event->name.len, event->name.data);
    }
  }
  draw(animator);
  check(pchr_free(animator));
  return 0;
}
