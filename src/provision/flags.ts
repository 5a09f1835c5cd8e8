import { controllerFlags } from "../runtime/flags.ts";
import { capacityFlags } from "./capacity/settings.ts";

const yesOrNo = { value: "true|false", bare: "true" } as const;
const { workers: _, "kube-api-qps": __, "kube-api-burst": ___, ...shared } = controllerFlags;

/** Of Go's log, and of what has no counterpart here: taken, so that nobody's flags have to change, and without effect. */
const unneeded = { says: "taken, and without effect here", value: "VALUE", bare: "true" } as const;
const unneededFlags = {
  "cloning-protection-threads": unneeded,
  "enable-pprof": unneeded,
  automaxprocs: unneeded,
  logtostderr: unneeded,
  alsologtostderr: unneeded,
  stderrthreshold: unneeded,
  vmodule: unneeded,
  log_dir: unneeded,
  log_file: unneeded,
  log_file_max_size: unneeded,
  log_backtrace_at: unneeded,
  add_dir_header: unneeded,
  one_output: unneeded,
  skip_headers: unneeded,
  skip_log_headers: unneeded,
} as const;

/** Those of external-provisioner, with the same names and defaults. */
export const provisionFlags = {
  "csi-address": { says: "the driver's socket (/run/csi/socket)", value: "PATH" },
  timeout: { says: "how long a call to the driver may take (10s)", value: "DURATION" },
  "worker-threads": { says: "claims, and volumes, worked on at the same time (100)", value: "NUMBER" },
  "retry-interval-start": { says: "the pause after a first failure (1s)", value: "DURATION" },
  "retry-interval-max": { says: "the longest pause after failures (5m)", value: "DURATION" },
  "volume-name-prefix": { says: "how volumes' names begin (pvc)", value: "TEXT" },
  "volume-name-uuid-length": { says: "how much of a claim's uid they have (-1: all)", value: "NUMBER" },
  "default-fstype": { says: "the file system where a class names none", value: "NAME" },
  "extra-create-metadata": { says: "tell the driver the names of claim and volume", ...yesOrNo },
  "controller-publish-readonly": { says: "volumes of read-only claims are attached so", ...yesOrNo },
  "strict-topology": { says: "only the selected node's place will do", ...yesOrNo },
  "immediate-topology": { says: "name places also where no node is selected (true)", ...yesOrNo },
  "prevent-volume-mode-conversion": { says: "a snapshot keeps its volume mode (true)", ...yesOrNo },
  "snapshot-orphan-sweep-interval": { says: "look for snapshots that nobody needs any more (5m)", value: "DURATION" },
  "metrics-address": { says: "the old name of --http-endpoint", value: "[HOST]:PORT" },
  "metrics-path": { says: "where metrics are served (/metrics)", value: "PATH" },
  "logging-format": { says: "json or text, as in --log-format", value: "json|text" },
  "leader-election-labels": { says: "labels of the Lease", value: "NAME=VALUE,…" },
  version: { says: "say which one this is" },
  master: { says: "another API server than the kubeconfig's", value: "URL" },
  "kube-api-qps": { says: "requests a second to the API server; no limit when not given", value: "NUMBER" },
  "kube-api-burst": { says: "requests at once beyond that", value: "NUMBER" },
  ...capacityFlags,
  ...shared,
  ...unneededFlags,
} as const;
