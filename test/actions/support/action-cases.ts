import { expect, it } from 'vitest';
import type { TraceFacts } from '../../../src/actions/rules/classifier-input.ts';
import { type ActionSummary, summarizeActions } from './action-summaries.ts';
import type { KnownContracts } from './known-contracts.ts';

/** A trace, and what is expected of its actions. */
interface ActionCase {
  readonly trace: TraceFacts;
  readonly known?: KnownContracts;
  /** All actions. */
  readonly all?: readonly ActionSummary[];
  /** The first action. */
  readonly first?: ActionSummary;
  /** Some columns of all actions, and of the first. */
  readonly allHave?: readonly ActionSummary[];
  readonly firstHas?: ActionSummary;
  /** Actions that occur among others. */
  readonly has?: readonly ActionSummary[];
  /** Some columns of the actions after the first that are neither plain calls nor transfers. */
  readonly others?: readonly ActionSummary[];
  /** The types that occur, each once. */
  readonly types?: readonly string[];
}

/** Tests each case under its title. */
export function testActions(cases: Readonly<Record<string, ActionCase>>): void {
  it.each(Object.entries(cases))('%s', (_title, { trace, known, ...expected }) => {
    const { all, first, allHave, firstHas, has = [], others, types } = expected;
    expect.hasAssertions();
    const actions = summarizeActions(trace, known);
    if (all !== undefined) expect(actions).toEqual(all);
    if (first !== undefined) expect(actions[0]).toEqual(first);
    if (allHave !== undefined) expect(actions).toMatchObject(allHave);
    if (firstHas !== undefined) expect(actions[0]).toMatchObject(firstHas);
    for (const one of has) expect(actions).toContainEqual(one);
    if (others !== undefined) {
      const notable = actions.filter(({ type }) => type !== 'call_contract' && type !== 'ton_transfer');
      expect(notable.slice(1)).toMatchObject(others);
    }
    if (types !== undefined) expect(new Set(actions.map(({ type }) => type))).toEqual(new Set(types));
  });
}
