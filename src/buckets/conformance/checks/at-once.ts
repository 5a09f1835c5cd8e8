import { RpcError } from "../../../rpc/errors.ts";
import type { CreateBucketResponse, GrantBucketAccessResponse } from "../../../rpc/gen/buckets_pb.js";
import { alike, done } from "../expect.ts";

const many = 8;

/** Identical calls at the same moment. One that is told to wait is asked once more when all are through. */
export async function atOnce<T extends CreateBucketResponse | GrantBucketAccessResponse>(
  call: () => Promise<T>,
): Promise<void> {
  const outcomes = await Promise.allSettled(Array.from({ length: many }, call));
  const refused = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  for (const problem of refused)
    if (!(problem instanceof RpcError && problem.code === "ABORTED"))
      await done("one of many calls", Promise.reject(problem));
  const last = await done("a call after many at once", call());
  for (const one of outcomes) if (one.status === "fulfilled") alike("calls at the same moment", one.value, last);
}
