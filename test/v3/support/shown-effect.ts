import { expect } from 'vitest';

interface Shown {
  readonly transactions: readonly unknown[] | Readonly<Record<string, unknown>>;
}

/** Fields that depend on the position in the chain. */
const OF_PLACE = new Set([
  'hash',
  'lt',
  'now',
  'mc_block_seqno',
  'trace_id',
  'trace_external_hash',
  'block_ref',
  'prev_trans_hash',
  'prev_trans_lt',
  'created_lt',
  'created_at',
  'emulated',
  'finality',
  'is_tock',
  'installed',
  'hash_norm',
  'account_state_before',
  'account_state_after',
]);
/** Fields that depend on how long ago an account paid storage fees. */
const OF_RENT = new Set(['storage_fees_collected', 'storage_fees_due', 'total_fees', 'value', 'credit']);
/** Storage fees of some minutes. */
const SOME_NANOTONS = 10_000;

/** Expects that the transactions of two responses have the same effect, regardless of their position in the chain. */
export function expectSameEffect(foreseen: Shown, real: Shown): void {
  const [expected, found] = [partsOf(real), partsOf(foreseen)];
  expect(found.map(({ text }) => JSON.parse(text))).toEqual(expected.map(({ text }) => JSON.parse(text)));
  for (const [at, { amounts }] of found.entries()) {
    const real = expected[at]!.amounts;
    expect(amounts).toHaveLength(real.length);
    for (const [i, amount] of amounts.entries())
      expect(Math.abs(amount - real[i]!)).toBeLessThan(SOME_NANOTONS);
  }
}

interface ShownActionPhase {
  readonly success?: boolean;
  readonly spec_actions?: number;
}

/** The effects of transactions as texts, and the amounts that depend on storage fees. */
export function partsOf({ transactions }: Shown) {
  return Object.values(transactions)
    .map((one) => {
      const amounts: number[] = [];
      const text = JSON.stringify(one, function (this: ShownActionPhase, key, value) {
        // An action list that the account cannot pay for, or with a reserve, may contain its whole balance.
        if (key === 'action_list_hash' && (this.success === false || this.spec_actions !== 0)) return;
        if (OF_RENT.has(key) && /^\d+$/.test(value)) amounts.push(Number(value));
        else if (!OF_PLACE.has(key)) return value;
      });
      return { text, amounts };
    })
    .sort((a, b) => (a.text < b.text ? -1 : 1));
}
