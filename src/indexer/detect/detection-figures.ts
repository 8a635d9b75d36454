/** What detection has done so far. */
export interface DetectionFigures {
  /** Get-methods that were run. */
  readonly runs: number;
  /** Get-methods whose result was known. */
  readonly hits: number;
  /** Accounts that were judged. */
  readonly judged: number;
  /** Questions to lite servers. */
  readonly asked: number;
  /** Time in which batches were judged; those of several ranges at once count each. */
  readonly busyMs: number;
}

/** The same while it is counted. */
export type CountedFigures = { -readonly [Name in keyof DetectionFigures]: number };
