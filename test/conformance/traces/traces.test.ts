import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { classifyTrace } from '../../../src/actions/classify-trace.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { checkExpected } from './check-expected.ts';
import { checkTraces } from './check-traces.ts';
import { compareActions } from './compare-actions.ts';
import { fixtureInput, readTraceFixture } from './read-fixture.ts';

const shared = (name: string) => fileURLToPath(new URL(`../../../../shared/data/${name}/`, import.meta.url));
const TRACES = shared('traces');
const NEWER_TRACES = shared('traces-1.3');
const missing =
  existsSync(TRACES) && existsSync(NEWER_TRACES) ? '' : ' (skipped: the traces are not beside this checkout)';

describe.skipIf(missing !== '')(`classification of mainnet traces${missing}`, () => {
  it('equals the reference in every field of every action', () => {
    const { traces, faults } = checkTraces([TRACES]);
    expect(faults).toEqual([]);
    expect(traces.length).toBeGreaterThanOrEqual(81);
    expect(traces.every(({ isEqual }) => isEqual)).toBe(true);
  });

  it('passes the test cases of the reference', () => {
    const { cases, values, faults } = checkExpected([TRACES, NEWER_TRACES]);
    expect(faults).toEqual([]);
    expect(cases).toBeGreaterThanOrEqual(91);
    expect(values).toBeGreaterThan(500);
  });

  it('returns one unknown action for a trace without recognised actions', () => {
    const [special] = JSON.parse(readFileSync(join(TRACES, 'expected_special.json'), 'utf8'));
    const { trace, interfaces } = fixtureInput(readTraceFixture(join(TRACES, special.file)));
    const [first, ...others] = trace.transactions;
    const inMessage = { ...first!.inMessage!, body: Buffer.alloc(0) };
    const changed = { ...trace, transactions: [{ ...first!, inMessage }, ...others] };
    const { state, actions } = classifyTrace({ trace: changed, interfaces });
    expect(state).toBe(special.state);
    expect(compareActions(actions, special.actions)).toEqual({ matched: ['unknown'], differing: [] });
  });
});

describe.skipIf(missing !== '')(`check of traces${missing}`, () => {
  const golden = '-0M6pWgvSrqN06gIYbqrG2UbMCBKwiSuhR3-mZzRCS0.json';
  const expected = 'dedust-liquidities--merged-deposit-jetton-excess.json';

  it('reports the differences of another fixture folder', () => {
    const folder = makeTemporaryDirectory('traces');
    onTestFinished(() => removeTemporaryDirectory(folder));
    const copyChanged = (name: string, from: string, to: string) => {
      const text = readFileSync(join(TRACES, name), 'utf8');
      expect(text).toContain(from);
      writeFileSync(join(folder, name), text.replace(from, to));
    };
    for (const name of ['data', 'golden', 'expected']) mkdirSync(join(folder, name));
    cpSync(join(TRACES, 'data', golden), join(folder, 'data', golden));
    copyChanged(
      join('golden', golden),
      '"lp_tokens_minted": 502474030067',
      '"lp_tokens_minted": 502474030068',
    );
    copyChanged(join('expected', expected), '"amount1": 12000000000', '"amount1": 12000000001');
    const { types, traces, faults } = checkTraces([folder]);
    expect(traces).toEqual([{ name: golden, isEqual: false }]);
    expect(types.get('dex_deposit_liquidity')).toEqual({ matched: 0, differing: 1 });
    expect(faults.map(({ text }) => text)).toEqual([
      expect.stringContaining('dex_deposit_liquidity_data is'),
    ]);
    expect(checkExpected([folder]).faults).toEqual([
      { name: expected, text: expect.stringContaining('dex_deposit_liquidity_data is') },
    ]);
    expect(checkExpected([folder], 'no such text')).toEqual({ cases: 0, values: 0, faults: [] });
  });
});
