import { misuse } from "../../api/failure.ts";
import { command } from "../command.ts";

const shells = ["bash", "zsh", "fish"] as const;

export const completion = command({
  name: "completion",
  says: "print what makes Tab work in a shell: bash, zsh or fish",
  takes: "SHELL",
  examples: ["source <(kubectl portway completion bash)", "kubectl portway completion fish | source"],
  completes: [shells],
  flags: {},
  async run({ positionals: [wanted], terminal }) {
    const shell = shells.find((name) => name === wanted);
    if (shell === undefined)
      throw misuse(
        wanted === undefined ? "the shell is missing" : `there is no completion for "${wanted}"`,
        `Write one of: ${shells.join(", ")}.`,
      );
    const { scripts } = await import("../completion/scripts.ts");
    terminal.result(scripts[shell].trimEnd());
  },
});
