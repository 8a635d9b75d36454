import type { Case, Outcome } from './case.ts';
import type { HttpFile, TonlibFile } from './recorded-files.ts';

/** What rules may look up. */
export interface Recorded {
  readonly http: ReadonlyMap<string, HttpFile>;
  readonly tonlib: ReadonlyMap<string, TonlibFile>;
  /** The answer that was recorded for another question, as it is compared. */
  readonly want: (name: string) => Outcome;
}

/**
 * A difference from a recorded answer that we want, or that time explains: it makes the answer that we should give of
 * the recorded one. It never looks at our answer.
 */
export interface Rule {
  readonly name: string;
  /** `time`: the question was answered at a later block than the last one of the recording. */
  readonly kind: 'wanted' | 'time';
  /** Where the contract says so. */
  readonly where: string;
  readonly why: string;
  /** What should be answered; nothing where the rule does not apply. */
  readonly change: (want: Outcome, asked: Case, recorded: Recorded) => Outcome | undefined;
}
