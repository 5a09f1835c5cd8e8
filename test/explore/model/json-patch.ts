import { isDeepStrictEqual } from "node:util";
import type { Operation } from "../../../src/kube/json-patch.ts";

/** An operation does not fit the object; the server says no more than that. */
export class Unfit extends Error {
  override readonly name = "Unfit";
}

type Container = Record<string, unknown> | unknown[];

/** As the server does it, which is not always as the standard says: see `test/contract/patches.test.ts`. */
export function patched<T extends object>(object: T, operations: readonly Operation[]): T {
  const copy = structuredClone(object);
  for (const operation of operations) run(copy as Record<string, unknown>, operation);
  return copy;
}

function run(root: Container, operation: Operation): void {
  const steps = stepsOf(operation.path);
  const last = steps.pop();
  if (last === undefined) throw new Unfit("the whole object is no path");
  const parent = steps.reduce<unknown>(into, root);
  if (!isContainer(parent)) throw new Unfit(`${operation.path} has no parent`);
  if (operation.op === "test") return test(parent, last, operation.value);
  if (Array.isArray(parent)) return runOnList(parent, last, operation);
  if (operation.op === "remove") {
    if (!Object.hasOwn(parent, last)) throw new Unfit(`${operation.path} is not there`);
    delete parent[last];
  } else if (operation.op === "add" || operation.op === "replace") {
    // Against the standard, a member that is not there is replaced too.
    parent[last] = structuredClone(operation.value);
  } else throw new Unfit("there is no such operation");
}

function runOnList(list: unknown[], last: string, operation: Operation): void {
  if (operation.op === "add") {
    list.splice(last === "-" ? list.length : indexIn(last, list.length), 0, structuredClone(operation.value));
    return;
  }
  const index = indexIn(last, list.length - 1);
  if (operation.op === "remove") list.splice(index, 1);
  else if (operation.op === "replace") list[index] = structuredClone(operation.value);
}

/** A test for null holds where a member is missing, if its parent is there. */
function test(parent: Container, last: string, wanted: unknown): void {
  const found = Array.isArray(parent) ? parent[indexIn(last, parent.length - 1)] : parent[last];
  if (!isDeepStrictEqual(found ?? null, wanted ?? null)) throw new Unfit("the test failed");
}

function into(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return value[indexIn(step, value.length - 1)] as unknown;
  if (isContainer(value) && Object.hasOwn(value, step)) return (value as Record<string, unknown>)[step];
  throw new Unfit(`${step} is not there`);
}

function indexIn(word: string, largest: number): number {
  const index = Number(word);
  if (!/^\d+$/.test(word) || index > largest) throw new Unfit(`${word} is no place in the list`);
  return index;
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function stepsOf(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
