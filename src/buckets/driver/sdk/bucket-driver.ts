/** All that a vendor's driver needs: `import … from "portway/bucket-driver"`. See docs/bucket-drivers.md. */
export { AccessMode, Capability } from "../../../rpc/gen/buckets_pb.js";
export type { BucketDriverParts, Calling, Created, Granted } from "./driver.ts";
export { invalid, Refusal } from "./refusal.ts";
export { type Handled, type ServedDriver, type ServeOptions, serveDriver } from "./serve.ts";
