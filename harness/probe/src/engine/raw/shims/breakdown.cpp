// llama.cpp's own account of its memory, in C: its interface for it is C++ (src/llama-ext.h of b11434), and no header
// that is installed declares it.
#include <cstddef>
#include <cstring>
#include <map>

struct llama_context;
struct ggml_backend_buffer_type;
typedef struct ggml_backend_buffer_type * ggml_backend_buffer_type_t;

extern "C" const char * ggml_backend_buft_name(ggml_backend_buffer_type_t buft);

// As llama-ext.h declares them.
struct llama_memory_breakdown_data {
    size_t model   = 0;
    size_t context = 0;
    size_t compute = 0;

    size_t total() const {
        return model + context + compute;
    }
};

using llama_memory_breakdown = std::map<ggml_backend_buffer_type_t, llama_memory_breakdown_data>;

llama_memory_breakdown llama_get_memory_breakdown(const struct llama_context * ctx);

extern "C" {

struct conformance_buffer {
    char   name[64];
    size_t model;
    size_t context;
    size_t compute;
};

// Writes up to `most` buffers to `out`, and returns how many there are.
size_t conformance_memory_breakdown(const struct llama_context * ctx, struct conformance_buffer * out, size_t most) {
    size_t count = 0;
    for (const auto & [buft, data] : llama_get_memory_breakdown(ctx)) {
        if (count < most) {
            conformance_buffer & buffer = out[count];
            std::strncpy(buffer.name, ggml_backend_buft_name(buft), sizeof(buffer.name) - 1);
            buffer.name[sizeof(buffer.name) - 1] = '\0';
            buffer.model   = data.model;
            buffer.context = data.context;
            buffer.compute = data.compute;
        }
        count++;
    }
    return count;
}

}
