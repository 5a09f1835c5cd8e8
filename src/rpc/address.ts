import { isAbsolute } from "node:path";
import { Failure } from "../api/failure.ts";

/** Where a driver listens. Never beyond this machine: its answers hold credentials, and the wire has no TLS. */
export type Address =
  | { readonly kind: "unix"; readonly path: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number };

/** `/run/csi/socket`, `unix:///run/csi/socket`, `127.0.0.1:9000` and `tcp://localhost:9000`. */
export function addressOf(text: string): Address {
  const path = text.replace(/^unix:(\/\/)?/, "");
  if (isAbsolute(path)) return { kind: "unix", path };
  const [, host = "", port = ""] = /^(?:tcp:\/\/)?(\[[\da-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(text) ?? [];
  if (port !== "" && Number(port) < 65_536 && !text.startsWith("unix:")) return tcpOf(host, Number(port));
  throw new Failure(
    `"${text}" is no address of a driver`,
    "Give the absolute path of its Unix socket, for instance /run/csi/socket or unix:///run/csi/socket.",
  );
}

function tcpOf(host: string, port: number): Address {
  if (host === "localhost") return { kind: "tcp", host: "127.0.0.1", port };
  if (host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host)) return { kind: "tcp", host, port };
  throw new Failure(
    `${host}:${port} is not on this machine`,
    "A driver's answers hold credentials: use a Unix socket (unix:///…) or a loopback address like 127.0.0.1:9000.",
  );
}

/** In the words of gRPC. */
export function targetOf(text: string): string {
  const address = addressOf(text);
  if (address.kind === "unix") return `unix://${address.path}`;
  return `${address.host.startsWith("[") ? "ipv6" : "ipv4"}:${address.host}:${address.port}`;
}
