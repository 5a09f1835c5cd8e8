/** How much is measured. */
export interface Work {
  readonly disks: number;
  readonly inFlight: number;
  /** Transfers one after another, by Portway and by the script, which takes seconds for some of them. */
  readonly idle: number;
  readonly scriptIdle: number;
  readonly claims: number;
  readonly journals: number;
  /** Given by annotation, all at once, after so many one after another. */
  readonly gives: number;
  readonly givesIdle: number;
}

export const fullWork: Work = {
  disks: 200,
  inFlight: 25,
  idle: 100,
  scriptIdle: 40,
  claims: 10_000,
  journals: 1000,
  gives: 520,
  givesIdle: 20,
};
/** To see that it works. */
export const shortWork: Work = {
  disks: 50,
  inFlight: 25,
  idle: 20,
  scriptIdle: 5,
  claims: 1000,
  journals: 200,
  gives: 110,
  givesIdle: 10,
};
