// All tests, for the page of a server and for the page as one file. `run.mjs` starts this.

import { after, describe } from "node:test";

import { closeBrowser } from "./harness/browser.mjs";
import { removeInputs } from "./harness/inputs.mjs";
import { fileTarget, serverTarget } from "./harness/targets.mjs";
import { addressTests } from "./tests/address.mjs";
import { accessibilityTests } from "./tests/accessibility.mjs";
import { commandLineTests } from "./tests/command-line.mjs";
import { compareTests } from "./tests/compare.mjs";
import { editTests } from "./tests/edits.mjs";
import { emulatorTests } from "./tests/emulator.mjs";
import { failureTests } from "./tests/failures.mjs";
import { filterTests } from "./tests/filter.mjs";
import { hostileTests } from "./tests/hostile.mjs";
import { keyboardTests } from "./tests/keyboard.mjs";
import { latencyTests } from "./tests/latency.mjs";
import { layoutTests } from "./tests/layout.mjs";
import { memberTests } from "./tests/members.mjs";
import { oneFileTests } from "./tests/one-file.mjs";
import { panelTests } from "./tests/panels.mjs";
import { pictureTests } from "./tests/pictures.mjs";
import { questionTests } from "./tests/questions.mjs";
import { reportTests } from "./tests/report.mjs";
import { reportCommandTests } from "./tests/report-command.mjs";
import { saveTests } from "./tests/saves.mjs";
import { securityTests } from "./tests/security.mjs";
import { snapshotTests } from "./tests/snapshots.mjs";
import { taskTests } from "./tests/tasks.mjs";
import { valueTests } from "./tests/values.mjs";

/** Groups of tests; those with `isServerOnly` have nothing to do with the transport, and those with `isAlone` measure times. */
const GROUPS = [
  { name: "panels", add: panelTests },
  { name: "questions", add: questionTests },
  { name: "tasks", add: taskTests },
  { name: "compare", add: compareTests },
  { name: "keyboard", add: keyboardTests },
  { name: "address", add: addressTests },
  { name: "edits", add: editTests },
  { name: "values", add: valueTests },
  { name: "members", add: memberTests },
  { name: "one file", add: oneFileTests },
  { name: "command line", add: commandLineTests, isServerOnly: true },
  { name: "filter", add: filterTests },
  { name: "accessibility", add: accessibilityTests, isServerOnly: true },
  { name: "layout", add: layoutTests, isServerOnly: true },
  { name: "snapshots", add: snapshotTests, isServerOnly: true },
  { name: "latency", add: latencyTests, isAlone: true },
  { name: "saves", add: saveTests, isServerOnly: true },
  { name: "emulator", add: emulatorTests, isServerOnly: true },
  { name: "failures", add: failureTests, isServerOnly: true },
  { name: "hostile files", add: hostileTests },
  { name: "security", add: securityTests, isServerOnly: true },
  // The report is a file of its own and needs no server, but it is tested once only.
  { name: "report", add: reportTests, isServerOnly: true },
  { name: "report of the command", add: reportCommandTests, isServerOnly: true },
];

/** Pages that are tested at the same time. Most of a test is waiting. */
const CONCURRENCY = 3;

const only = process.env.PAGE_TESTS_ONLY ?? "";
const isLong = Boolean(process.env.PSPGE_LONG_CHECKS);
const server = serverTarget();
const file = fileTarget();
const targets = file.missing === null ? [server, file] : [server];

for (const target of targets) {
  for (const { name, add, isServerOnly = false, isAlone = false } of GROUPS) {
    const title = `${target.name}: ${name}`;
    // Times mean nothing on a machine that does something else, so only somebody who asks for them gets them.
    if (isAlone && !isLong && !only.includes(name)) {
      console.log(`page tests: ${title} is skipped: set PSPGE_LONG_CHECKS to measure times`);
      continue;
    }
    if (title.includes(only) && (target === server || !isServerOnly)) {
      describe(title, { concurrency: isAlone ? 1 : CONCURRENCY }, () => add(target));
    }
  }
}
if (file.missing === null) {
  if ("file: pictures".includes(only)) {
    describe("file: pictures", { concurrency: 1 }, () => pictureTests(server, file));
  }
} else {
  console.log(`page tests: the page as one file is skipped: ${file.missing}`);
}

after(async () => {
  await closeBrowser();
  await Promise.all(targets.map((target) => target.close()));
  removeInputs();
});
