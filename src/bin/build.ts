import type { Build } from "../runtime/metrics/build-info.ts";

/** What this program is; the commit is put in when it is bundled. */
export const build: Build = { version: "0.1.0", commit: process.env["PORTWAY_COMMIT"] ?? "unknown" };
