import { once } from "node:events";
import type { RequestOptions } from "node:http";
import { isIP, type Socket, connect as tcpConnect } from "node:net";
import { checkServerIdentity, getCACertificates, type TLSSocket, connect as tlsConnect } from "node:tls";
import type { Credentials, Target } from "../config/target.ts";
import { ConnectionError } from "./http.ts";

export interface OpenSocket {
  readonly socket: Socket;
  readonly protocol: "h2" | "http/1.1";
}

/** Connects to the server, through its proxy if it has one, and agrees with it on a protocol. */
export async function openSocket(
  target: Target,
  credentials: Credentials,
  alpn: readonly string[],
  stop: AbortSignal,
): Promise<OpenSocket> {
  try {
    const opened = await socketTo(target, credentials, alpn, stop);
    // Whoever uses the socket hears of errors; one that comes before or after must not end the process.
    opened.socket.on("error", () => undefined);
    return opened;
  } catch (problem) {
    throw cannotConnect(target.server, problem);
  }
}

async function socketTo(
  target: Target,
  credentials: Credentials,
  alpn: readonly string[],
  stop: AbortSignal,
): Promise<OpenSocket> {
  const { server, proxy } = target;
  const raw = proxy === undefined ? undefined : await tunnel(target, proxy, stop);
  if (server.protocol === "http:") return { socket: raw ?? (await tcp(server, stop)), protocol: "http/1.1" };
  const socket = await tls(target, credentials, alpn, raw, stop);
  return { socket, protocol: socket.alpnProtocol === "h2" ? "h2" : "http/1.1" };
}

export function cannotConnect(server: URL, problem: unknown): ConnectionError {
  return new ConnectionError(`cannot connect to ${server.origin}: ${reasonOf(problem)}`, {
    sent: false,
    cause: problem,
  });
}

export function hostAndPort(url: URL): { readonly host: string; readonly port: number } {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { host, port: Number(url.port || (url.protocol === "https:" ? 443 : 80)) };
}

function authority(url: URL): string {
  return `${url.hostname}:${hostAndPort(url).port}`;
}

async function tcp(server: URL, stop: AbortSignal): Promise<Socket> {
  const socket = tcpConnect({ ...hostAndPort(server), noDelay: true });
  return await opened(socket, "connect", stop);
}

async function tls(
  target: Target,
  credentials: Credentials,
  alpn: readonly string[],
  raw: Socket | undefined,
  stop: AbortSignal,
): Promise<TLSSocket> {
  const { trust, server } = target;
  const { host, port } = hostAndPort(server);
  const name = trust.serverName ?? host;
  const certificate = credentials.clientCertificate;
  const socket = tlsConnect({
    host,
    port,
    ...(raw === undefined ? {} : { socket: raw }),
    ALPNProtocols: [...alpn],
    // A name must be sent for virtual hosts; an address must not.
    ...(isIP(name) === 0 ? { servername: name } : {}),
    checkServerIdentity: (_host, peer) => checkServerIdentity(name, peer),
    ...(trust.ca === undefined ? {} : { ca: trust.ca }),
    ...(certificate === undefined ? {} : { cert: certificate.certificate, key: certificate.key }),
    rejectUnauthorized: trust.skipVerify !== true,
  });
  socket.setNoDelay(true);
  return await opened(socket, "secureConnect", stop);
}

async function opened<S extends Socket>(socket: S, event: string, stop: AbortSignal): Promise<S> {
  try {
    await once(socket, event, { signal: stop });
    return socket;
  } catch (problem) {
    socket.destroy();
    throw problem;
  }
}

/** Asks a forward proxy for a tunnel. */
async function tunnel({ server, trust }: Target, proxy: URL, stop: AbortSignal): Promise<Socket> {
  const to = authority(server);
  const options: RequestOptions = {
    ...hostAndPort(proxy),
    method: "CONNECT",
    path: to,
    headers: { host: to, ...proxyAuthorization(proxy) },
    agent: false,
  };
  // A proxy has a certificate of the system's or, as for kubectl, of the cluster's own authority.
  const ca = [...getCACertificates(), ...(trust.ca === undefined ? [] : [trust.ca])];
  const request =
    proxy.protocol === "https:"
      ? (await import("node:https")).request({ ...options, ca })
      : (await import("node:http")).request(options);
  try {
    request.end();
    const [response, socket] = (await once(request, "connect", { signal: stop })) as [{ statusCode?: number }, Socket];
    if (response.statusCode === 200) return socket;
    socket.destroy();
    const login = response.statusCode === 407 ? "; check the user and the password in its URL" : "";
    throw new Error(`it answered ${response.statusCode}${login}`);
  } catch (problem) {
    request.on("error", () => undefined).destroy();
    throw new Error(`the proxy ${proxy.host} does not let us through: ${reasonOf(problem)}`, { cause: problem });
  }
}

function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === "") return {};
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(login).toString("base64")}` };
}

const unknownAuthority = "its certificate is not signed by the certificate authority in the kubeconfig";

/** TLS tells what is wrong by codes that nobody should have to know. */
const known: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nobody listens there; is the server up, and is the address right?",
  ENOTFOUND: "its name is not known; check the server in the kubeconfig",
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  CERT_SIGNATURE_FAILURE: unknownAuthority,
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name; set tls-server-name in the kubeconfig",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS; is the address right?",
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: "it demands a client certificate; is this the right user?",
  // The code of every timeout of AbortSignal.
  [DOMException.TIMEOUT_ERR]: "no answer for too long; is the address right, and does a firewall lie between?",
};

function reasonOf(problem: unknown): string {
  const { name, code, message, cause } = problem as Error & { readonly code?: string | number };
  if (name === "AbortError" && cause !== undefined) return reasonOf(cause);
  return known[code ?? ""] ?? message ?? String(problem);
}
