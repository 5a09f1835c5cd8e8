import { type Call, type Command, command, type Flags, type FlagValues } from "../command.ts";
import { type ClientFlagValues, clientFlags } from "./flags.ts";
import type { Session } from "./session.ts";

export interface KubeCall<F extends Flags> extends Session {
  readonly flags: FlagValues<F>;
  readonly positionals: readonly string[];
  readonly call: Call;
}

interface Checked<F extends Flags> {
  readonly flags: FlagValues<F> & Pick<ClientFlagValues, "output">;
  readonly positionals: readonly string[];
}

type Spec<F extends Flags> = Omit<Command, "flags" | "run"> & {
  readonly flags: F;
  /** Looks at the words before anything is connected: a slip of the pen needs no cluster to be told. */
  check?(call: Checked<F>): void;
  run(call: KubeCall<F>): Promise<number | void>;
};

/** A command of kubectl portway: kubectl's own flags, and a connection that is opened for it and closed after it. */
export function kubeCommand<const F extends Flags>(spec: Spec<F>): Command {
  return command({
    ...spec,
    flags: { ...spec.flags, ...clientFlags },
    async run(call) {
      const own = call.flags as FlagValues<F> & ClientFlagValues;
      spec.check?.({ flags: own, positionals: call.positionals });
      // Loaded here: nobody waits for the client who only wants to read a help text.
      const { inSession } = await import("./session.ts");
      return await inSession(call, own, (session) =>
        spec.run({ ...session, flags: own, positionals: call.positionals, call }),
      );
    },
  });
}
