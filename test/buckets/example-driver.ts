import { createHmac } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Capability, invalid, Refusal, serveDriver } from "portway/bucket-driver";

/** Buckets are folders. `node example-driver.ts /var/lib/buckets unix:///var/lib/cosi/cosi.sock` */
const [root = "", endpoint = ""] = process.argv.slice(2);
const masterKey = process.env["MASTER_KEY"] ?? "";
const folderOf = (bucket: string) => join(root, "buckets", bucket);
const accountFile = (account: string) => join(root, "accounts", account);
const endpointOf = (bucketName: string) => ({ url: pathToFileURL(root).href, protocol: "folder", bucketName });
const isName = (name: string) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name);
for (const folder of ["buckets", "accounts"]) mkdirSync(join(root, folder), { recursive: true });

const serving = serveDriver({
  endpoint,
  name: "folders.example.com",
  version: "1.0.0",
  protocols: ["folder"],
  capabilities: [Capability.GRANTS_ON_CREATE],
  secrets: [masterKey],

  createBucket({ name, parameters }) {
    if (!isName(name)) throw invalid(`"${name}" cannot be a folder`);
    if (Object.keys(parameters).length > 0) throw invalid("this driver takes no parameters");
    mkdirSync(folderOf(name), { recursive: true });
    return { bucketId: name, endpoint: endpointOf(name) };
  },

  deleteBucket({ bucketId, name }) {
    const bucket = bucketId || name;
    if (!isName(bucket) || !existsSync(folderOf(bucket))) return;
    if (readdirSync(folderOf(bucket)).length > 0) throw new Refusal("FAILED_PRECONDITION", `${bucket} holds files`);
    rmdirSync(folderOf(bucket));
  },

  grantBucketAccess({ bucketId, accountName }) {
    if (!isName(accountName)) throw invalid(`"${accountName}" cannot be an account`);
    if (!isName(bucketId) || !existsSync(folderOf(bucketId))) throw new Refusal("NOT_FOUND", `no bucket ${bucketId}`);
    writeFileSync(accountFile(accountName), bucketId);
    const accessSecretKey = createHmac("sha256", masterKey).update(accountName).digest("hex");
    return {
      accountId: accountName,
      endpoint: endpointOf(bucketId),
      credentials: { accessKeyID: accountName, accessSecretKey },
    };
  },

  revokeBucketAccess({ accountId, accountName }) {
    const account = accountId || accountName;
    if (isName(account)) rmSync(accountFile(account), { force: true });
  },
});

void serving.then((driver) => {
  process.on("SIGTERM", () => void driver.stop());
  console.log(`listening on ${driver.endpoint}`);
});
