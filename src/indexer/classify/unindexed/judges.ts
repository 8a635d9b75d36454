import type { Detection, Judge } from '../../detect/detection.ts';
import type { Verdicts } from '../../detect/verdicts.ts';
import type { UnindexedState } from './state-of.ts';

/** Judges states that are not in the index. */
export type JudgeStates = (states: readonly UnindexedState[], signal: AbortSignal) => Promise<Verdicts>;

/** Time for the states of one trace. */
const TIMEOUT_MS = 3000;

/**
 * Lends judges out, each to one at a time: what a judge has read for one trace must not be told to another, but it keeps
 * the configuration.
 */
export function createJudges(detection: Detection): JudgeStates {
  const idle: Judge[] = [];
  return async (states, signal) => {
    const judge = idle.pop() ?? detection.open({ follows: false });
    try {
      return await judge.judge({
        states: states.map(({ state }) => state),
        codes: states.flatMap(({ code }) => code ?? []),
        ...{ hasKeyBlock: false, timeoutMs: TIMEOUT_MS, signal },
      });
    } finally {
      idle.push(judge);
    }
  };
}
