export { type Monitor, type MonitorOptions, monitor, type Watched } from "./monitor/monitor.ts";
export { currentOf, type StateRule, type Version, type Violation } from "./monitor/version.ts";
