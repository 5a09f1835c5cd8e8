import { syncBesideClientGo, syncBesideClientNode, watchBesideClientNode } from "./reasons.ts";
import type { Figure } from "./report.ts";

const perCount = { "client-node": { ratio: "ours/peer", limit: ["≤", 1] } } as const;
const rate = { "client-node": { ratio: "ours/peer", limit: ["≥", 1] } } as const;

/** What is taken from the samples, and what we want of it. Against client-node: never worse than what we left out. */
export const figures: readonly Figure[] = [
  {
    name: "sync, s",
    mode: "sync",
    of: ({ seconds }) => seconds,
    goals: {
      "client-go": { ratio: "ours/peer", limit: ["≤", 1.3], whenShort: syncBesideClientGo },
      "client-node": { ratio: "peer/ours", limit: ["≥", 5], whenShort: syncBesideClientNode },
    },
  },
  { name: "sync, CPU s", mode: "sync", of: ({ cpuSeconds }) => cpuSeconds, goals: perCount },
  { name: "sync, CPU s of the server", mode: "sync", of: ({ serverCpuSeconds }) => serverCpuSeconds, goals: {} },
  {
    name: "memory at rest after it, MB",
    mode: "sync",
    of: ({ restMegabytes }) => restMegabytes,
    goals: { "client-go": { ratio: "ours/peer", limit: ["≤", 120], unit: "MB" }, ...perCount },
  },
  { name: "memory at its peak, MB", mode: "sync", of: ({ peakMegabytes }) => peakMegabytes, goals: perCount },
  { name: "GET, requests/s", mode: "get", of: ({ count, seconds }) => count / seconds, goals: rate },
  { name: "GET, CPU µs each", mode: "get", of: ({ count, cpuSeconds }) => (cpuSeconds / count) * 1e6, goals: perCount },
  {
    name: "watch, events/s",
    mode: "watch",
    of: ({ count, seconds }) => count / seconds,
    goals: { "client-node": { ...rate["client-node"], whenShort: watchBesideClientNode } },
  },
  {
    name: "watch, CPU µs each",
    mode: "watch",
    of: ({ count, cpuSeconds }) => (cpuSeconds / count) * 1e6,
    goals: perCount,
  },
  {
    name: "cold start to first answer, ms",
    mode: "start",
    of: ({ wallSeconds }) => wallSeconds * 1000,
    goals: perCount,
  },
];
