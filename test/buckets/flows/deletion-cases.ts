import { bucketClasses, buckets } from "../../../src/api/gen/cosi.ts";
import { type ArmedCase, besideWrite, type Case, countTo, siteOf } from "../../faults/sweep/case.ts";
import type { Tier } from "../../faults/sweep/cases.ts";
import type { Stage } from "../../faults/sweep/flow.ts";
import { drop } from "./drop.ts";
import { bucketName } from "./world.ts";

/** The Bucket goes while it is made: beside every write of the making, and while the process is dead before or after it. */
export function deletedTier(writesOfMaking: number): Tier {
  return () =>
    countTo(writesOfMaking).flatMap((n) => [
      besideWrite(n, { says: `the Bucket is deleted at write ${n}`, strays: true, tells: true }, (stage) => {
        void deletedNow(stage);
      }),
      deletedWhileDead(n, "kill-before"),
      deletedWhileDead(n, "kill-after"),
    ]);
}

function deletedWhileDead(n: number, kind: "kill-before" | "kill-after"): Case {
  return {
    says: `the Bucket is deleted, and the process gets a ${kind} at write ${n}`,
    explains: 1,
    strays: true,
    tells: true,
    arm(stage): ArmedCase {
      const kill = async () => {
        await deletedNow(stage);
        await stage.subject.killed();
      };
      return stage.proxy.arm({ site: siteOf(n, stage), fault: { kind }, kill });
    },
  };
}

/** Of the run that is under way: there is one at a time. */
async function deletedNow({ admin, past }: Stage): Promise<void> {
  for await (const { items } of admin.pages(buckets)) {
    for (const { metadata } of items) {
      const { namespace = "", name, uid } = metadata;
      if (name !== bucketName || past.has(namespace) || metadata.deletionTimestamp !== undefined) continue;
      await drop(admin, bucketClasses, { name: namespace });
      await drop(admin, buckets, { namespace, name }, uid);
    }
  }
}
