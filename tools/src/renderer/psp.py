#!/usr/bin/env python3
"""Draws a PPSSPP frame dump on a real PSP: psp.py FOLDER DUMP PICTURE [DEPTH]

`pspge test DIR --renderer psp://FOLDER` runs this script, which is inside the program. It needs

* a PSP with custom firmware that runs PSPLINK and is connected over USB;
* PSPLINK's programs `usbhostfs_pc` and `pspsh` in the PATH;
* `playback.prx` of github.com/hrydgard/pspautotests, from its folder utils/ppdmp-playback, in FOLDER.

FOLDER is what the PSP sees as host0:. If no `usbhostfs_pc` runs, one is started for each picture, and the PSP needs a few seconds
to connect again; so leave one running there: `cd FOLDER && usbhostfs_pc`. The environment variable PSPGE_PSP_PORT names another
port than 10000, as with `usbhostfs_pc -b PORT`, and PSPGE_PSP_CONNECT the seconds that a PSP may take to connect, usually 20.

The dump is copied to FOLDER, and the player runs it. It writes the screen as __screenshot.bmp, the depth buffer as __depth.bin
and its messages as __testoutput.txt, and at its end the file __testfinish.txt. Only one dump is drawn at a time: other runs of
this script with the same FOLDER wait. A PSP that still hangs from a run before is reset first.
"""

import os
import shutil
import socket
import subprocess
import sys
import time

# Names that the player uses, in FOLDER.
PLAYER = "playback.prx"
SCREENSHOT, DEPTH, OUTPUT, FINISHED = "__screenshot.bmp", "__depth.bin", "__testoutput.txt", "__testfinish.txt"
# Names that this script uses there. The second is there while a dump is drawn, and after a run that was ended.
DUMP, RUNNING, LOCK = "pspge.ppdmp", "pspge-running", "pspge-lock"
# Seconds between two looks.
POLL = 0.1


class Fault(Exception):
    """Why there is no picture."""


def wait_for(condition, seconds):
    """Waits until a condition holds. Returns whether it does."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(POLL)
    return True


class Psp:
    """The PSP behind a folder and a port."""

    def __init__(self, folder):
        self.folder = folder
        self.port = int(os.environ.get("PSPGE_PSP_PORT", "10000"))
        self.patience = float(os.environ.get("PSPGE_PSP_CONNECT", "20"))
        self.server = None

    def path(self, name):
        return os.path.join(self.folder, name)

    def shell(self, command, seconds=5):
        """Runs a command of PSPLINK, and returns what it prints; None if there is no answer in time."""
        line = ["pspsh", "-p", str(self.port), "-e", command]
        try:
            run = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return None
        except OSError as error:
            raise Fault(f"pspsh of PSPLINK cannot be run: {error}") from error
        return run.stdout.decode(errors="replace")

    def is_served(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            return True
        except OSError:
            return False

    def is_connected(self):
        # PSPLINK lists the folder, in which at least the player is.
        return PLAYER in (self.shell("ls host0:/", 2) or "")

    def connect(self):
        if not self.is_served():
            try:
                line = ["usbhostfs_pc", "-b", str(self.port)]
                quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
                self.server = subprocess.Popen(line, cwd=self.folder, **quiet)
            except OSError as error:
                raise Fault(f"usbhostfs_pc of PSPLINK cannot be run: {error}") from error
            if not wait_for(self.is_served, self.patience):
                raise Fault(f"usbhostfs_pc does not listen on port {self.port}")
        if os.path.exists(self.path(RUNNING)):
            self.shell("reset")
        if not wait_for(self.is_connected, self.patience):
            raise Fault(f"the PSP is not connected: start PSPLINK on it (its host0: must be {self.folder})")

    def draw(self, dump):
        """Draws a dump. Afterwards the picture is in the folder."""
        for name in (SCREENSHOT, DEPTH, OUTPUT, FINISHED):
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
        shutil.copyfile(dump, self.path(DUMP))
        open(self.path(RUNNING), "w").close()
        # This returns when the player has started. `pspge` ends this script if it takes too long.
        self.shell(f"host0:/{PLAYER} host0:/{DUMP}", 30)
        while not os.path.exists(self.path(FINISHED)):
            time.sleep(POLL)
        os.remove(self.path(RUNNING))
        output = ""
        if os.path.exists(self.path(OUTPUT)):
            with open(self.path(OUTPUT), errors="replace") as file:
                output = file.read()
        if "VALID: 1" not in output or "RUN: 1" not in output:
            raise Fault(f"the player cannot draw the dump: {' '.join(output.split())[-150:]}")
        if not os.path.exists(self.path(SCREENSHOT)):
            raise Fault("the player has written no picture")

    def close(self):
        if self.server is not None:
            self.server.terminate()
            self.server.wait()


def lock(folder):
    """Waits until no other run of this script uses the folder. The system forgets the lock when this process ends."""
    file = open(os.path.join(folder, LOCK), "w")
    if os.name == "nt":
        import msvcrt

        def is_locked():
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
                return True
            except OSError:
                return False

        wait_for(is_locked, float("inf"))
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)
    return file


def main(arguments):
    if len(arguments) not in (3, 4):
        sys.exit(__doc__)
    folder, dump, picture = (os.path.abspath(path) for path in arguments[:3])
    try:
        psp = Psp(folder)
        if not os.path.isfile(os.path.join(folder, PLAYER)):
            raise Fault(f"there is no {PLAYER} (of utils/ppdmp-playback in github.com/hrydgard/pspautotests) in {folder}")
        locked = lock(folder)
        try:
            psp.connect()
            psp.draw(dump)
            shutil.copyfile(psp.path(SCREENSHOT), picture)
            if len(arguments) == 4 and os.path.exists(psp.path(DEPTH)):
                shutil.copyfile(psp.path(DEPTH), arguments[3])
        finally:
            psp.close()
            locked.close()
    except (Fault, OSError, ValueError) as error:
        sys.exit(f"psp: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
