import { methodIdOfName } from '../../../chain/stack/method-id.ts';
import type { Detection, Judge } from '../../detect/detection.ts';
import type { Detector } from '../../detect/detector.ts';
import type { Verdicts } from '../../detect/verdicts.ts';
import type { UnindexedState } from './state-of.ts';

/** Judges states that are not in the index. */
export type JudgeStates = (states: readonly UnindexedState[], signal: AbortSignal) => Promise<Verdicts>;

/** Time for the states of one trace. */
const TIMEOUT_MS = 3000;
const NOTHING: Verdicts = { found: [], withdrawn: new Map(), undetected: new Set() };

/**
 * Lends judges out, each to one at a time: what a judge has read for one trace must not be told to another, but it keeps
 * the configuration.
 */
export function createJudges(detection: Detection, detectors: readonly Detector[]): JudgeStates {
  const idle: Judge[] = [];
  const lists = detectors.flatMap(({ methods }) => methods.map((names) => names.map(methodIdOfName)));
  const mayBeSomething = ({ code }: UnindexedState): boolean =>
    code !== undefined &&
    (code.methods === undefined || lists.some((ids) => ids.every((id) => code.methods!.includes(id))));

  return async (states, signal) => {
    // All of them or none: one may have to vouch for another.
    if (!states.some(mayBeSomething)) return NOTHING;
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
