import { type Client, clientOn } from "./client.ts";
import type { Target } from "./config/target.ts";
import { type TransportOptions, transportTo } from "./transport/transport.ts";

export interface ClientSettings extends Pick<TransportOptions, "rate" | "timeoutSeconds" | "liveness" | "onAnswer"> {
  /** `portway-<component>`: who the server and its audit log see. */
  readonly component: string;
  readonly version: string;
}

/** A client that speaks as one component of Portway. */
export function openClient(target: Target, { component, version, ...rest }: ClientSettings): Client {
  const transport = transportTo({ target, userAgent: `${component}/${version}`, ...rest });
  return clientOn({ transport, fieldManager: component });
}
