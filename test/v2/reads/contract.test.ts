import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { createMemory } from '../../../src/v2/memory.ts';
import { contractOf } from '../../../src/v2/reads/contract.ts';
import { makeAccountAt } from '../support/made-account.ts';

describe('a contract', () => {
  const code = beginCell().storeUint(7, 32).endCell().toBoc().toString('base64');

  it('is made once of an account that is remembered', () => {
    const memory = createMemory();
    const { proven } = makeAccountAt({ code, balance: 5n });
    const contract = contractOf(memory, proven);
    expect(contract?.run).toMatchObject({
      address: `0:${'07'.repeat(32)}`,
      balance: 5n,
      extraCurrencies: [],
    });
    expect(contractOf(memory, proven)).toBe(contract);
  });

  it('is nothing without code', () => {
    const memory = createMemory();
    for (const made of [undefined, {}, { active: true }, { frozenHash: Buffer.alloc(32) }])
      expect(contractOf(memory, makeAccountAt(made).proven)).toBeUndefined();
  });
});
