import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";

/** A tenant's program: it has an environment and the official client, and knows nothing of Kubernetes. */
const client = new S3Client({ forcePathStyle: true });
const object = { Bucket: process.env["BUCKET_NAME"], Key: "greeting" };
await client.send(new PutObjectCommand({ ...object, Body: "hello from the environment" }));
const { Body } = await client.send(new GetObjectCommand(object));
console.log(await Body?.transformToString());
client.destroy();
