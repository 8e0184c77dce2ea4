// llama.cpp's own Jinja engine behind one C function, as llama-server calls it: OpenAI's messages in, a prompt out.
//
// It must never judge, and no exception may leave it.

#include "chat.h"
#include "log.h"

#include <chrono>
#include <cstring>
#include <ctime>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

namespace {

// What time() answers while a template runs; 0: the clock. jinja::context asks time() and takes no other word for it,
// and a prompt with today's date in it would be another one tomorrow.
thread_local std::time_t frozen = 0;

struct freeze {
    explicit freeze(std::time_t now) { frozen = now; }
    ~freeze() { frozen = 0; }
};

char * copy(const std::string & text) {
    char * bytes = new char[text.size() + 1];
    std::memcpy(bytes, text.c_str(), text.size() + 1);
    return bytes;
}

bool has(const std::string & text, const char * part) {
    return text.find(part) != std::string::npos;
}

// Templates that refuse say so by raise_exception, whose words the engine marks.
int kind_of(const std::string & what) {
    return has(what, "Jinja Exception: ") ? 2 : 3;
}

// What common_chat_templates_init finds, too, but only logs.
void parse(const std::string & source) {
    jinja::lexer lexer;
    jinja::parse_from_tokens(lexer.tokenize(source));
}

} // namespace

// The C library's function for everything that is linked into this program.
extern "C" std::time_t time(std::time_t * out) noexcept {
    std::time_t now = frozen;
    if (now == 0) {
        now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    }
    if (out != nullptr) {
        *out = now;
    }
    return now;
}

extern "C" {

struct probe_jinja_chat {
    const char * source;
    const char * bos;
    const char * eos;
    const char * messages;   // a JSON array
    const char * tools;      // a JSON array, or null
    const char * variables;  // a JSON object
    std::int64_t now;        // local seconds since 1970-01-01, as if there were no time zones
    bool         add_generation_prompt;
    std::int8_t  thinking;   // 1 on, 0 off, -1 unsaid
};

void probe_jinja_free(char * text) {
    delete[] text;
}

// 0: *out is the prompt; else the reason: 1 no Jinja, 2 the template refuses, 3 it fails, 4 no memory, 5 no messages.
int probe_jinja_apply(const probe_jinja_chat * chat, char ** out) noexcept {
    int stage = 5;
    try {
        common_log_set_verbosity_thold(-1);
        common_chat_templates_inputs inputs;
        inputs.messages = common_chat_msgs_parse_oaicompat(common_json::parse(chat->messages));
        if (chat->tools != nullptr) {
            inputs.tools = common_chat_tools_parse_oaicompat(common_json::parse(chat->tools));
        }
        inputs.add_generation_prompt = chat->add_generation_prompt;
        if (chat->thinking >= 0) {
            inputs.enable_thinking = chat->thinking != 0;
        }
        const common_json variables = common_json::parse(chat->variables);
        for (const auto & [name, value] : variables.items()) {
            inputs.chat_template_kwargs[name] = value.dump();
        }
        // The zone's offset at that time, so that the template's local time is the one that was asked for.
        std::time_t now = static_cast<std::time_t>(chat->now);
        std::tm civil;
        gmtime_r(&now, &civil);
        civil.tm_isdst = -1;
        now = mktime(&civil);
        inputs.now = std::chrono::system_clock::from_time_t(now);
        const freeze clock(now);
        stage = 1;
        parse(chat->source);
        stage = 3;
        const auto templates = common_chat_templates_init(nullptr, chat->source, chat->bos, chat->eos);
        *out = copy(common_chat_templates_apply(templates.get(), inputs).prompt);
        return 0;
    } catch (const std::bad_alloc &) {
        *out = nullptr;
        return 4;
    } catch (const std::exception & error) {
        const std::string what = error.what();
        try {
            *out = copy(what);
        } catch (const std::bad_alloc &) {
            *out = nullptr;
        }
        return stage == 3 ? kind_of(what) : stage;
    } catch (...) {
        *out = nullptr;
        return stage;
    }
}

}
