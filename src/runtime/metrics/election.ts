import type { MetricsRegistry } from "./registry.ts";

/** Read at every scrape, so that it cannot say otherwise than what steps are told. */
export function electionMetrics(
  registry: MetricsRegistry,
  name: string,
  election: { holdsWithMargin(): boolean },
): void {
  const status = registry.gauge({
    name: "leader_election_master_status",
    help: "1 while this process holds the lease, 0 while it does not.",
    labels: ["name"],
  });
  status.read({ name }, () => (election.holdsWithMargin() ? 1 : 0));
}
