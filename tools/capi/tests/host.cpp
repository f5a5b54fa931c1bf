// A host whose camera moves: it runs lists in parts, changes vertices, textures, list words and VRAM between them, and records
// all of it. `host SEED FOLDER` writes the dump and VRAM as they are at the end.
#include <pspge.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace {

const std::uint32_t RAM = 0x08000000, VRAM = 0x04000000;
const std::uint32_t LIST = 0x1000, TEXTURE = 0x20000, VERTICES = 0x30000;

std::uint64_t state;

// A number below `end`, the same on every run.
std::uint32_t random_below(std::uint32_t end) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<std::uint32_t>(state >> 33) % end;
}

void write_word(std::vector<std::uint8_t> &ram, std::uint32_t at, std::uint32_t word) {
    for (int byte = 0; byte < 4; byte++) {
        ram[at + byte] = static_cast<std::uint8_t>(word >> (8 * byte));
    }
}

// Rectangles in through mode: u, v, colour, x, y and z, from a place that moves with the camera.
void write_vertices(std::vector<std::uint8_t> &ram, std::uint32_t camera) {
    for (std::uint32_t vertex = 0; vertex < 32; vertex++) {
        const std::uint32_t x = camera + random_below(40), y = random_below(60);
        const std::uint32_t at = VERTICES + vertex * 16;
        write_word(ram, at, random_below(16) | random_below(16) << 16);
        write_word(ram, at + 4, random_below(0x1000000) | 0xFF000000u);
        write_word(ram, at + 8, x | y << 16);
        write_word(ram, at + 12, random_below(0x10000));
    }
}

std::vector<std::uint32_t> build_list(bool is_first) {
    std::vector<std::uint32_t> words;
    if (is_first) {
        words = {0x9D000040, 0xD2000003, 0x9E110000, 0x9F000040, 0xD500FC3F, 0x1600FC3F, 0xD700FFFF, 0xB8000404, 0xC3000003,
                 0xA0020000, 0xA8080010, 0x12000000 | 1u << 23 | 2u << 7 | 7u << 2 | 2u, 0xDE000007, 0x23000001};
    }
    for (std::uint32_t part = 0; part < 8; part++) {
        words.push_back(0x1E000000 | random_below(2));               // TEXENABLE
        words.push_back(0x21000000 | random_below(2));               // BLENDENABLE
        words.push_back(0x9C000000 | 0x4000 * random_below(2));      // FRAMEBUFPTR
        words.push_back(0x10080000);                                 // BASE
        words.push_back(0x01000000 | (VERTICES + 16 * random_below(8)));
        words.push_back(0x04060000 | 2 * (1 + random_below(6)));     // PRIM: rectangles
        if (random_below(3) == 0) {                                  // From one buffer to the other, and into the texture.
            const std::uint32_t target = random_below(2) != 0 ? 0x04004000 : RAM + TEXTURE;
            const std::uint32_t transfer[] = {0xB2000000, 0xB3040040, 0xB4000000 | (target & 0xFFFFFF),
                                              0xB5000000 | (target >> 8 & 0xFF0000) | 0x40, 0xEE002C1F, 0xEA000001};
            words.insert(words.end(), transfer, transfer + 6);
        }
        if (random_below(3) == 0) {
            words.push_back(0xCB000000);                             // TEXFLUSH
        }
    }
    words.push_back(0x0F000000);
    words.push_back(0x0C000000);
    return words;
}

void save(const std::string &path, const std::vector<std::uint8_t> &bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

} // namespace

int main(int count, char **arguments) {
    if (count != 3) {
        return 2;
    }
    state = std::strtoull(arguments[1], nullptr, 10) * 0x9E3779B97F4A7C15ull | 1;
    std::vector<std::uint8_t> ram(0x100000), vram(0x200000);
    for (std::uint32_t at = TEXTURE; at < TEXTURE + 0x1000; at++) {
        ram[at] = static_cast<std::uint8_t>(random_below(256));
    }
    try {
        pspge_config config = pspge_cpp::make_config();
        config.ram = ram.data();
        config.ram_size = ram.size();
        config.vram = vram.data();
        config.vram_size = vram.size();
        config.threads = random_below(2) * 2;
        pspge_cpp::Instance ge(config);
        const pspge_target screen = {VRAM, 64, 3};
        for (std::uint32_t frame = 0; frame < 6; frame++) {
            if (frame == 2) {
                ge.record_begin(pspge_cpp::make_record_options(3));
            }
            write_vertices(ram, frame * 3);
            const std::vector<std::uint32_t> words = build_list(frame == 0);
            const pspge_run_options options = pspge_cpp::make_run_options(random_below(2) * PSPGE_RUN_KEEP_PENDING);
            std::uint32_t written = 0;
            pspge_run_result result = pspge_run_result();
            do {
                // The program writes its list while the GE runs.
                const std::uint32_t next = written + 1 + random_below(12);
                for (; written < next && written < words.size(); written++) {
                    write_word(ram, LIST + written * 4, words[written]);
                }
                ge.set_stall(written < words.size() ? RAM + LIST + written * 4 : PSPGE_NO_STALL);
                result = result.commands == 0 ? ge.run(RAM + LIST, options) : ge.resume(options);
                ge.flush();
                ram[TEXTURE + random_below(0x400)] ^= 0x55;
                write_word(ram, VERTICES + 16 * random_below(32) + 4, random_below(0x1000000) | 0xFF000000u);
                vram[random_below(0x8000)] ^= 0x33;
            } while (result.ending == PSPGE_RUN_ENDING_STALLED);
            if (frame >= 2 && ge.record_frame(screen)) {
                break;
            }
        }
        const std::string folder(arguments[2]);
        save(folder + "/frame.ppdmp", ge.record_end());
        save(folder + "/vram.bin", vram);
    } catch (const pspge_cpp::Failure &failure) {
        std::fprintf(stderr, "%s\n", failure.what());
        return 1;
    }
    return 0;
}
