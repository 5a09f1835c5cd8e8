import { deepEqual, equal, match } from "node:assert/strict";
import { test } from "node:test";
import { identitiesFor, tokenFile } from "./credentials.ts";

test("only the admin is in system:masters", () => {
  const masters = identitiesFor([{ name: "alice" }]).filter(({ groups }) => groups.includes("system:masters"));
  deepEqual(
    masters.map(({ user }) => user),
    ["admin"],
  );
});

test("a tenant with two roles is one user", () => {
  const users = identitiesFor([
    { name: "alice", namespace: "a", role: "edit" },
    { name: "alice", namespace: "b", role: "view" },
  ]);
  equal(users.filter(({ user }) => user === "alice").length, 1);
});

test("tokens differ from start to start", () => {
  equal(new Set([...identitiesFor([]), ...identitiesFor([])].map(({ token }) => token)).size, 6);
});

test("the token file has the server's columns", () => {
  match(tokenFile([{ user: "admin", groups: ["system:masters"], token: "t" }]), /^t,admin,admin,"system:masters"\n$/);
});

test("whoever is in no group has no column for groups", () => {
  equal(tokenFile([{ user: "alice", groups: [], token: "t" }]), "t,alice,alice\n");
});
