import { defined } from "../../../src/api/defined.ts";
import { type Client, clientOn } from "../../../src/kube/client.ts";
import type { Exchange, Transport } from "../../../src/kube/transport/transport.ts";
import type { Reply } from "./replies.ts";
import type { Request } from "./requests.ts";

/**
 * The real client on a server in memory: what it asks, how it reads answers and which trouble it makes of a refusal are
 * those of the product.
 */
export function clientThrough(exchange: (request: Request) => Reply, fieldManager = "portway-model"): Client {
  const transport: Transport = {
    async exchange(asked) {
      const { code, body } = exchange(requestOf(asked));
      return { status: code, headers: { "content-type": "application/json" }, text: JSON.stringify(body) };
    },
    stream: () => Promise.reject(new Error("the model is not watched through its client")),
    close: () => Promise.resolve(),
  };
  return clientOn({ transport, fieldManager });
}

const verbs: Readonly<Record<string, Request["verb"]>> = {
  "application/json-patch+json": "patch",
  "application/merge-patch+json": "merge",
  "application/apply-patch+yaml": "apply",
};

function verbOf({ method, headers = {} }: Exchange): Request["verb"] {
  const verb = { GET: "get", POST: "create", PUT: "update", DELETE: "delete" } as const;
  if (method !== "PATCH") return verb[method];
  const patch = verbs[headers["content-type"] ?? ""];
  if (patch === undefined) throw new Error(`the model knows no patch of type ${headers["content-type"] ?? ""}`);
  return patch;
}

export function requestOf(asked: Exchange): Request {
  const [path = "", query = ""] = asked.path.split("?");
  const manager = /fieldManager=([^&]*)/.exec(query)?.[1];
  const body: unknown = asked.body === undefined ? undefined : JSON.parse(asked.body.toString());
  const dryRun = query.includes("dryRun=All") || isDryDelete(body);
  return { verb: verbOf(asked), ...placeIn(path), ...defined({ body, manager }), dryRun };
}

function placeIn(path: string): Pick<Request, "group" | "resource" | "namespace" | "name" | "subresource"> {
  const [root, ...words] = path.split("/").slice(1).map(decodeURIComponent);
  const group = root === "api" ? "" : (words.shift() ?? "");
  const rest = words.slice(1);
  const isInside = rest[0] === "namespaces" && rest.length > 2 && rest[2] !== "status";
  const [resource = "", name, subresource] = isInside ? rest.slice(2) : rest;
  return { group, resource, ...defined({ namespace: isInside ? rest[1] : undefined, name, subresource }) };
}

function isDryDelete(body: unknown): boolean {
  return (body as { readonly dryRun?: readonly string[] } | undefined)?.dryRun?.includes("All") === true;
}
