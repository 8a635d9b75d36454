import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cell } from '@ton/core';
import { afterAll, describe, expect, it } from 'vitest';
import { createDemoExamples } from '../../src/cli/demo-examples.ts';
import { FIXED_VALUES } from '../../src/http/example-values.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

const folder = makeTemporaryDirectory('demo-examples');
afterAll(() => removeTemporaryDirectory(folder));

const ALICE = '0QCzPL_KaXdazMRZ-Wwj4AVb3zt9-ZQ2CgkBhFG9FiUlwxOh';

/** Examples of a chain whose demo file names a chain; nothing but the file is there. */
function examplesOf(chain: string, zeroState = chain) {
  const path = join(folder, `${chain}.json`);
  const wallets = { alice: { address: ALICE }, judy: { address: ALICE } };
  writeFileSync(path, JSON.stringify({ chain, wallets, contracts: { probe: ALICE } }));
  return createDemoExamples({
    path,
    zeroState: () => zeroState,
    ask: async () => undefined,
    clock: () => 2_000_000_000.5,
  });
}

describe('values of examples on a local chain', () => {
  it('are fixed without a demo', async () => {
    const find = createDemoExamples({
      path: join(folder, 'missing.json'),
      zeroState: () => 'aa',
      ask: async () => undefined,
      clock: () => 0,
    });
    expect(await find()).toBe(FIXED_VALUES);
  });

  it('are fixed if the demo is that of another chain', async () => {
    expect(await examplesOf('aa', 'bb')()).toBe(FIXED_VALUES);
  });

  it('are those of the demo as far as they are known, and fixed beyond that', async () => {
    const values = await examplesOf('cc')();
    expect(values('alice')).toBe(ALICE);
    expect(values('domain')).toBe('alice.ton');
    expect(values('trace id')).toBe(FIXED_VALUES('trace id'));
    expect(() => values('nobody')).toThrow('examples have no value named nobody');
  });

  it('have a new message each time', async () => {
    const values = await examplesOf('dd')();
    const messages = [values('message'), values('message')].map((boc) => Cell.fromBase64(String(boc)));
    expect(messages[0]!.equals(messages[1]!)).toBe(false);
    expect(values('soon')).toBeGreaterThan(2_000_000_000);
  });
});
