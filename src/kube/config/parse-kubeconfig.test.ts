import { deepEqual, equal, throws } from "node:assert/strict";
import { test } from "node:test";
import { failure, secret } from "../../../test/fixture/configuration.ts";
import { parseKubeconfig } from "./parse-kubeconfig.ts";

const whole = `
apiVersion: v1
kind: Config
current-context: dev
contexts:
- name: dev
  context: { cluster: here, user: alice, namespace: team-a }
clusters:
- name: here
  cluster:
    server: https://10.0.0.1:6443
    certificate-authority: pki/ca.crt
    tls-server-name: kubernetes
    insecure-skip-tls-verify: false
    proxy-url: http://proxy:3128
    extensions:
    - name: somebody-else
      extension: 1
    - name: client.authentication.k8s.io/exec
      extension: { audience: blue }
users:
- name: alice
  user:
    token: beaten by the file
    tokenFile: ../token
    username: alice
    password: ${secret}
    client-certificate: /abs/tls.crt
    client-key-data: ${Buffer.from("a key").toString("base64")}
    as: bob
    as-groups: [team-a, team-b]
    as-uid: "7"
    as-user-extra: { reason: [support] }
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./bin/login
      args: [--quiet]
      env: [{ name: REALM, value: blue }, { name: EMPTY, value: "" }]
      installHint: brew install login
      provideClusterInfo: true
      interactiveMode: Never
    auth-provider: { name: gcp, config: { access-token: ${secret} } }
`;

test("every field is read, and paths start at the file's directory", () => {
  const config = parseKubeconfig("/home/a/.kube/config", whole);
  equal(config.currentContext, "dev");
  deepEqual(config.files, ["/home/a/.kube/config"]);
  deepEqual(config.contexts.get("dev"), { cluster: "here", user: "alice", namespace: "team-a" });
  const cluster = 'cluster "here" in /home/a/.kube/config';
  deepEqual(config.clusters.get("here"), {
    place: cluster,
    server: "https://10.0.0.1:6443",
    ca: { what: `certificate-authority of ${cluster}`, path: "/home/a/.kube/pki/ca.crt" },
    serverName: "kubernetes",
    skipVerify: false,
    proxyUrl: "http://proxy:3128",
    execConfig: { audience: "blue" },
  });
  const user = 'user "alice" in /home/a/.kube/config';
  deepEqual(config.users.get("alice"), {
    place: user,
    token: { what: `the token of ${user}`, path: "/home/a/token" },
    username: "alice",
    password: secret,
    certificate: { what: `client-certificate of ${user}`, path: "/abs/tls.crt" },
    key: { what: `client-key of ${user}`, text: "a key" },
    authProvider: "gcp",
    exec: {
      place: `the exec plugin of ${user}`,
      apiVersion: "client.authentication.k8s.io/v1",
      command: "/home/a/.kube/bin/login",
      args: ["--quiet"],
      env: { REALM: "blue", EMPTY: "" },
      installHint: "brew install login",
      provideClusterInfo: true,
      interactiveMode: "Never",
    },
    as: { user: "bob", groups: ["team-a", "team-b"], uid: "7", extra: { reason: ["support"] } },
  });
});

const execWith = (command: string) =>
  parseKubeconfig("/k/config", `users: [{ name: a, user: { exec: { command: ${command} } } }]`).users.get("a")?.exec
    ?.command;

test("a command without a slash is left to PATH, an absolute one is left alone", () => {
  equal(execWith("aws"), "aws");
  equal(execWith("/usr/bin/aws"), "/usr/bin/aws");
  equal(execWith("../aws"), "/aws");
});

test("what kubectl writes for nothing at all is a kubeconfig", () => {
  const config = parseKubeconfig(
    "/k",
    "apiVersion: v1\nclusters: null\ncontexts: null\ncurrent-context: ''\nusers: []\n",
  );
  equal(config.currentContext, undefined);
  deepEqual([config.contexts.size, config.clusters.size, config.users.size], [0, 0, 0]);
});

test("data wins over the file beside it, and may be folded", () => {
  const folded =
    "clusters: [{ name: c, cluster: { certificate-authority: ca.crt, certificate-authority-data: 'YW\n  Jj' } }]";
  deepEqual(parseKubeconfig("/k", folded).clusters.get("c")?.ca, {
    what: 'certificate-authority of cluster "c" in /k',
    text: "abc",
  });
});

test("YAML anchors and merges mean what they mean to kubectl", () => {
  const config = parseKubeconfig(
    "/k",
    "clusters:\n- &first { name: a, cluster: { server: https://one } }\n- { <<: *first, name: b }\n",
  );
  equal(config.clusters.get("b")?.server, "https://one");
});

test("an entry may be named like what every JavaScript object has", () => {
  const config = parseKubeconfig("/k", "users: [{ name: __proto__, user: { token: t } }, { name: b, user: {} }]");
  deepEqual([...config.users.keys()], ["__proto__", "b"]);
  equal(config.users.get("b")?.token, undefined);
});

const wrong: readonly (readonly [says: string, text: string, sentence: RegExp])[] = [
  ["nothing", "", /kubeconfig \/k is empty/],
  ["only blanks", " \n\n", /kubeconfig \/k is empty/],
  ["only a comment", "# nothing\n", /kubeconfig \/k is not one YAML document/],
  ["no YAML", `users: [${secret}`, /kubeconfig \/k is not one YAML document \(line 1, column \d+\)/],
  ["a password that is an alias to YAML", `users:\n- *${secret}`, /not one YAML document \(line 2, column \d+\)/],
  ["two documents", "a: 1\n---\nb: 2\n", /is not one YAML document/],
  ["a list", "- a\n", /kubeconfig \/k is not a mapping/],
  ["a word", secret, /kubeconfig \/k is not a mapping/],
  ["another kind of object", "kind: Pod\n", /\/k holds a Pod and no kubeconfig/],
  ["clusters that are no list", "clusters: { a: 1 }", /"clusters" of kubeconfig \/k must be a list/],
  ["a user that is a word", `users: [${secret}]`, /entry 1 of "users" in kubeconfig \/k is not a mapping/],
  ["an entry without a name", "contexts: [{ context: {} }]", /entry 1 of "contexts" in kubeconfig \/k has no name/],
  ["two entries of one name", "users: [{ name: a }, { name: a }]", /two entries for user "a" in \/k/],
  [
    "a token that is a number",
    "users: [{ name: a, user: { token: 12 } }]",
    /"token" of user "a" in \/k must be a text/,
  ],
  [
    "a switch that is a word",
    "clusters: [{ name: a, cluster: { insecure-skip-tls-verify: 'no' } }]",
    /"insecure-skip-tls-verify" of cluster "a" in \/k must be true or false/,
  ],
  ["groups that are no list", "users: [{ name: a, user: { as-groups: x } }]", /"as-groups" .* must be a list of texts/],
  ["extras that are no lists", "users: [{ name: a, user: { as-user-extra: { x: y } } }]", /"as-user-extra" .* must be/],
  ["extras that are a list", "users: [{ name: a, user: { as-user-extra: [x] } }]", /"as-user-extra" .* must be/],
  [
    "exec that is a word",
    `users: [{ name: a, user: { exec: ${secret} } }]`,
    /the exec plugin of user "a" in \/k is not/,
  ],
  ["a variable without a name", "users: [{ name: a, user: { exec: { env: [{ value: x }] } } }]", /has no name/],
  [
    "data that is no base64",
    `clusters: [{ name: a, cluster: { certificate-authority-data: "${secret}!!" } }]`,
    /certificate-authority-data of cluster "a" in \/k is not base64/,
  ],
  [
    "data that is cut off",
    "users: [{ name: a, user: { client-key-data: YWJ } }]",
    /client-key-data of user "a" in \/k is not base64/,
  ],
];

for (const [says, text, sentence] of wrong) {
  test(`is refused in one sentence: ${says}`, () => throws(() => parseKubeconfig("/k", text), failure(sentence)));
}
