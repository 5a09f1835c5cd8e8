import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { statusOf } from "./keys.ts";

/** What the store answers to each thing a program does with a bucket. */
export interface Answers {
  readonly put: number;
  readonly get: number;
  readonly list: number;
  readonly delete: number;
}

/** In a bucket where there is an object `there`, which is left alone. */
export async function tried(s3: S3Client, Bucket: string): Promise<Answers> {
  const there = { Bucket, Key: "there" };
  const mine = { Bucket, Key: "mine" };
  return {
    put: await statusOf(s3.send(new PutObjectCommand({ ...mine, Body: "hello" }))),
    get: await statusOf(s3.send(new GetObjectCommand(there))),
    list: await statusOf(s3.send(new ListObjectsV2Command({ Bucket }))),
    delete: await statusOf(s3.send(new DeleteObjectCommand(mine))),
  };
}

export const refused: Answers = { put: 403, get: 403, list: 403, delete: 403 };
