// The probe in a library: one JSON frame in, one JSON frame out. harness/wire describes the frames.
//
// Memory: every frame belongs to the library. The one of conformance_open is valid until conformance_close; the one of
// conformance_observe until the next conformance_observe or conformance_close with the same session. Copy what you keep.
//
// Threads: any thread may call. Calls with one session are answered one after the other, on a thread of the session's
// own; since the second call ends the first reply's life, let one thread at a time use a session.
//
// Errors: no function fails, throws or unwinds. A null, a frame that is none, a panic inside are said in the reply. An
// abort of llama.cpp ends the process, as it would in your app.
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct conformance_session conformance_session;

// UTF-8 JSON without a terminating zero.
typedef struct {
    const uint8_t *bytes;
    size_t length;
} conformance_frame;

// Opens a session; never NULL. `options`: {"backend": NAME, "devices": "all"|"none", "gpu_layers": N}, everything may be
// left out, and so may the whole (NULL, 0). `ready`, where it is not NULL, becomes {"ready": {"card": …, …}}, or a
// {"reply": …} that says why there is nobody to ask.
conformance_session *conformance_open(const uint8_t *options, size_t length, conformance_frame *ready);

// Answers {"observe": REQUEST} with {"reply": {"id": N, "observation": …}}.
conformance_frame conformance_observe(const conformance_session *session, const uint8_t *request, size_t length);

// Ends the session and frees its frames. NULL is fine.
void conformance_close(conformance_session *session);

#ifdef __cplusplus
}
#endif

#endif
