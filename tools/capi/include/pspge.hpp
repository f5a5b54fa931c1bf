/* pspge for C++11 and later: instances that destroy themselves, and failures as exceptions. Everything else is in pspge.h, and
 * all its functions take Instance::get(). Exceptions must not leave callbacks.
 */
#ifndef PSPGE_HPP
#define PSPGE_HPP

#include <pspge.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/* The name of the C structure is taken. */
namespace pspge_cpp {

/* A failed call, with its sentence. */
class Failure : public std::runtime_error {
public:
    Failure(pspge_status status, const std::string &sentence) : std::runtime_error(sentence), status_(status) {}

    pspge_status status() const noexcept { return status_; }

private:
    pspge_status status_;
};

/* A configuration with its size, and zeros. */
inline pspge_config make_config() {
    pspge_config config = pspge_config();
    config.struct_size = sizeof config;
    return config;
}

/* Options of a run with their size, and flags (PSPGE_RUN numbers). */
inline pspge_run_options make_run_options(std::uint32_t flags = 0) {
    pspge_run_options options = pspge_run_options();
    options.struct_size = sizeof options;
    options.flags = flags;
    return options;
}

/* Options of a recording with their size, and a number of frames. */
inline pspge_record_options make_record_options(std::uint32_t frames = 0) {
    pspge_record_options options = pspge_record_options();
    options.struct_size = sizeof options;
    options.frames = frames;
    return options;
}

/* An instance of the Graphics Engine. The memory of its configuration must live longer. */
class Instance {
public:
    explicit Instance(const pspge_config &config) : instance_(nullptr) {
        char *message = nullptr;
        const pspge_status status = pspge_create(&config, &instance_, &message);
        if (status != PSPGE_STATUS_OK) {
            const std::string sentence = message != nullptr ? message : pspge_status_text(status);
            pspge_free_string(message);
            throw Failure(status, sentence);
        }
    }

    Instance(Instance &&other) noexcept : instance_(other.instance_) { other.instance_ = nullptr; }

    Instance &operator=(Instance &&other) noexcept {
        std::swap(instance_, other.instance_);
        return *this;
    }

    Instance(const Instance &) = delete;
    Instance &operator=(const Instance &) = delete;

    ~Instance() { pspge_destroy(instance_); }

    /* For the functions of pspge.h. */
    pspge *get() const noexcept { return instance_; }

    /* Throws unless a call on this instance has succeeded. */
    void check(pspge_status status) const {
        if (status != PSPGE_STATUS_OK) {
            throw Failure(status, pspge_last_error(instance_));
        }
    }

    pspge_run_result run(std::uint32_t address, const pspge_run_options &options = make_run_options()) {
        pspge_run_result result;
        check(pspge_run(instance_, address, &options, &result));
        return result;
    }

    pspge_run_result resume(const pspge_run_options &options = make_run_options()) {
        pspge_run_result result;
        check(pspge_resume(instance_, &options, &result));
        return result;
    }

    pspge_run_result execute(std::uint32_t word) {
        pspge_run_result result;
        check(pspge_execute(instance_, word, &result));
        return result;
    }

    void set_stall(std::uint32_t address) { check(pspge_set_stall(instance_, address)); }

    void flush() { check(pspge_flush(instance_)); }

    std::vector<std::uint32_t> registers() const {
        std::vector<std::uint32_t> words(256);
        check(pspge_get_registers(instance_, words.data()));
        return words;
    }

    std::vector<std::uint8_t> save_state() const {
        std::size_t size = 0;
        const pspge_status status = pspge_save_state(instance_, nullptr, 0, &size);
        if (status != PSPGE_STATUS_BUFFER_TOO_SMALL) {
            check(status);
        }
        std::vector<std::uint8_t> bytes(size);
        check(pspge_save_state(instance_, bytes.data(), bytes.size(), &size));
        return bytes;
    }

    void restore_state(const std::vector<std::uint8_t> &bytes) {
        check(pspge_restore_state(instance_, bytes.data(), bytes.size()));
    }

    void record_begin(const pspge_record_options &options = make_record_options()) {
        check(pspge_record_begin(instance_, &options));
    }

    /* Returns whether nothing more is recorded. */
    bool record_frame(const pspge_target &shown) {
        std::uint32_t is_over = 0;
        check(pspge_record_frame(instance_, &shown, &is_over));
        return is_over != 0;
    }

    /* Returns the file of the dump, and in `*is_exact` whether it replays to the same bytes in VRAM. */
    std::vector<std::uint8_t> record_end(bool *is_exact = nullptr) {
        std::size_t size = 0;
        std::uint32_t exact = 0;
        const pspge_status status = pspge_record_end(instance_, nullptr, 0, &size, nullptr);
        if (status != PSPGE_STATUS_BUFFER_TOO_SMALL) {
            check(status);
        }
        std::vector<std::uint8_t> bytes(size);
        check(pspge_record_end(instance_, bytes.data(), bytes.size(), &size, &exact));
        if (is_exact != nullptr) {
            *is_exact = exact != 0;
        }
        return bytes;
    }

    /* The member `state` of the document `pspge.state`. */
    std::string state_json() const {
        char *json = nullptr;
        check(pspge_state_json(instance_, &json));
        const std::string text(json);
        pspge_free_string(json);
        return text;
    }

private:
    pspge *instance_;
};

} // namespace pspge_cpp

#endif /* PSPGE_HPP */
