import { configMaps } from "../../src/api/gen/core.ts";
import { clientOf } from "../fixture/client.ts";

/** A program to be killed: makes three objects, one after the other. */
const [kubeconfig = "", namespace = ""] = process.argv.slice(2);
const client = await clientOf(kubeconfig);
for (const name of ["first", "second", "third"]) await client.create(configMaps, { metadata: { namespace, name } });
await client.close();
