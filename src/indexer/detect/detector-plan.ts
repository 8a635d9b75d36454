import { methodIdOfName } from '../../chain/stack/method-id.ts';
import { keyOf } from '../hash-key.ts';
import type { Code } from './code.ts';
import type { Detector } from './detector.ts';

/** Says which detectors may recognise contracts of a code. */
export type PlanDetectors = (code: Code) => readonly Detector[];

/** Prepares plans for some detectors. Most codes have none, so to find that out must be quick. */
export function createPlans(detectors: readonly Detector[]): PlanDetectors {
  const prepared = detectors.map((detector) => ({
    detector,
    codes: detector.codes && new Set([...detector.codes].map((hex) => keyOf(Buffer.from(hex, 'hex')))),
    lists: detector.methods.map((names) => names.map(methodIdOfName)),
  }));
  const known = new WeakMap<Code, readonly Detector[]>();
  const planOf = (code: Code): readonly Detector[] => {
    const plan = prepared.filter(({ codes, lists }) => {
      if (codes?.has(code.key) === false) return false;
      return lists.length === 0 || lists.some((ids) => ids.every((id) => code.has(id)));
    });
    return plan.map(({ detector }) => detector);
  };
  return (code) => {
    // What code that does not tell its methods has, is learnt by and by.
    if (code.isOpen || code.library !== undefined) return planOf(code);
    const plan = known.get(code) ?? planOf(code);
    known.set(code, plan);
    return plan;
  };
}
