// Runs a list in parts through the C++ wrapper, saves the state in between, and goes on in another instance.
#include <pspge.hpp>

#include <cstdio>
#include <cstring>

int main() {
    try {
        pspge_cpp::Instance first(pspge_cpp::make_config());
        // VERTEX TYPE, FINISH, END.
        const std::uint32_t list[] = {0x12800000, 0x0F000007, 0x0C000000};
        const std::uint32_t start = 0x08800000;
        std::uint8_t bytes[sizeof list];
        std::memcpy(bytes, list, sizeof list);
        first.check(pspge_write_memory(first.get(), start, bytes, sizeof bytes));
        pspge_run_options one = pspge_cpp::make_run_options(PSPGE_RUN_KEEP_PENDING);
        one.max_commands = 1;
        const pspge_run_result part = first.run(start, one);
        first.flush();
        pspge_cpp::Instance second(pspge_cpp::make_config());
        second.check(pspge_write_memory(second.get(), start, bytes, sizeof bytes));
        second.restore_state(first.save_state());
        first = std::move(second);
        const pspge_run_result rest = first.resume();
        std::printf("%u %08x %08x %08x\n", static_cast<unsigned>(part.ending), static_cast<unsigned>(rest.signal),
                    static_cast<unsigned>(rest.end_address), static_cast<unsigned>(first.registers()[0x12]));
        first.restore_state({1, 2, 3});
    } catch (const pspge_cpp::Failure &failure) {
        std::printf("%s\n", failure.what());
    }
    return 0;
}
