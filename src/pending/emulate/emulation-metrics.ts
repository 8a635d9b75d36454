/** How an emulation ended: with all messages delivered, at a bound, with a refusal, or without an answer. */
export type EmulationOutcome = 'whole' | 'bound' | 'refused' | 'failed';

/** Where emulations are counted. */
export interface EmulationMetrics {
  /** `seconds` is all the time it took, waiting included. */
  emulated(outcome: EmulationOutcome, transactions: number, seconds: number): void;
}

/** Counts nothing. */
export const NO_METRICS: EmulationMetrics = { emulated() {} };
