import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import {
  keepingPrincipals,
  type Mode,
  modeOf,
  type PolicyDocument,
  withoutPrincipal,
  withPrincipal,
} from "./policy.ts";

const theirs = { Sid: "Theirs", Effect: "Deny", Principal: "*", Action: "s3:PutObject", Resource: "*" };
const grown = (...who: readonly (readonly [string, Mode])[]) =>
  who.reduce<PolicyDocument | undefined>(
    (policy, [one, mode]) => withPrincipal(policy, "photos", one, mode),
    undefined,
  );

test("a mode has one statement, about its bucket and what is in it", () => {
  const policy = grown(["B", "ro"], ["A", "ro"]);
  equal(policy?.Version, "2012-10-17");
  deepEqual(
    policy?.Statement.map(({ Sid, Effect, Principal, Resource }) => ({ Sid, Effect, Principal, Resource })),
    [
      {
        Sid: "PortwayReadOnly",
        Effect: "Allow",
        Principal: { AWS: ["A", "B"] },
        Resource: ["arn:aws:s3:::photos", "arn:aws:s3:::photos/*"],
      },
    ],
  );
  equal(modeOf(policy, "A"), "ro");
  equal(modeOf(policy, "C"), undefined);
});

test("nobody is let change the policy, or the bucket itself", () => {
  const policy = grown(["A", "ro"], ["B", "wo"], ["C", "rw"]);
  const actions = policy?.Statement.flatMap(({ Action }) => Action as string[]) ?? [];
  deepEqual(
    actions.filter((action) => /Policy|Acl|Versioning|DeleteBucket|CreateBucket|\*/.test(action)),
    [],
  );
});

test("a principal has one mode: the last one", () => {
  const policy = grown(["A", "ro"], ["A", "rw"]);
  equal(modeOf(policy, "A"), "rw");
  equal(policy?.Statement.length, 1);
});

test("statements of others are kept, word for word and whatever else the policy says", () => {
  const before = { Version: "2008-10-17", Id: "theirs", Statement: [theirs] };
  const admitted = withPrincipal(before, "photos", "A", "wo");
  deepEqual(admitted?.Statement[0], theirs);
  deepEqual(withoutPrincipal(admitted, "photos", "A"), before);
});

test("the last one out takes the policy along, and only ours", () => {
  equal(withoutPrincipal(grown(["A", "ro"]), "photos", "A"), undefined);
  equal(modeOf(withoutPrincipal(grown(["A", "ro"], ["B", "ro"]), "photos", "A"), "B"), "ro");
  equal(withoutPrincipal(undefined, "photos", "A"), undefined);
});

test("a store that writes a single principal as a text is understood", () => {
  const [statement] = grown(["A", "rw"])?.Statement ?? [];
  const policy = { Statement: [{ ...theirs, ...statement, Principal: { AWS: "A" } }] };
  equal(modeOf(policy, "A"), "rw");
  equal(withoutPrincipal(policy, "photos", "A"), undefined);
});

test("principals that are gone go from our statements, and stay in those of others", () => {
  const named = { ...theirs, Principal: { AWS: ["gone"] } };
  const policy = withPrincipal({ Statement: [named] }, "photos", "gone", "ro");
  const clean = keepingPrincipals(withPrincipal(policy, "photos", "A", "wo"), "photos", (one) => one !== "gone");
  deepEqual(clean?.Statement[0], named);
  deepEqual([modeOf(clean, "gone"), modeOf(clean, "A")], [undefined, "wo"]);
});
