import { BlockList, isIP, isIPv6 } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether a server is reached without the proxy of the environment, by the rules of Go's `ProxyFromEnvironment`. */
export function isDirect(server: URL, noProxy: string): boolean {
  const host = server.hostname.replace(/^\[(.*)\]$/, "$1");
  if (host === "localhost" || contains(loopback, host)) return true;
  const port = server.port || (server.protocol === "https:" ? "443" : "80");
  return noProxy
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry === "*" || isInSubnet(host, entry) || isNamed(host, port, entry));
}

function isInSubnet(host: string, entry: string): boolean {
  const [address = "", bits = "", ...more] = entry.split("/");
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (more.length > 0 || !/^\d+$/.test(bits) || Number(bits) > longest) return false;
  const subnet = new BlockList();
  subnet.addSubnet(address, Number(bits), family(address));
  return contains(subnet, host);
}

function isNamed(host: string, port: string, entry: string): boolean {
  const { name, onlyPort } = withoutPort(entry);
  if (name === "" || (onlyPort !== undefined && onlyPort !== port)) return false;
  if (isIP(host) > 0 || isIP(name) > 0) return isSameAddress(host, name);
  const domain = name.replace(/^\*\./, ".");
  return domain.startsWith(".") ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function withoutPort(entry: string): { readonly name: string; readonly onlyPort: string | undefined } {
  if (isIPv6(entry)) return { name: entry, onlyPort: undefined };
  const parts = /^(?:\[(?<inner>.*)\]|(?<plain>[^:]*))(?::(?<port>\d+))?$/.exec(entry)?.groups;
  return { name: parts?.["inner"] ?? parts?.["plain"] ?? "", onlyPort: parts?.["port"] };
}

/** Compared as addresses, because IPv6 has many spellings of one. */
function isSameAddress(host: string, name: string): boolean {
  if (isIP(name) === 0) return false;
  const only = new BlockList();
  only.addAddress(name, family(name));
  return contains(only, host);
}

function contains(list: BlockList, host: string): boolean {
  return isIP(host) > 0 && list.check(host, family(host));
}

function family(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}
