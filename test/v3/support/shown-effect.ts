import { expect } from 'vitest';

interface Shown {
  readonly transactions: readonly unknown[] | Readonly<Record<string, unknown>>;
}

/** Members that depend on the place in the chain that something has. */
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
/** Members that depend on how long ago an account paid its rent. */
const OF_RENT = new Set(['storage_fees_collected', 'storage_fees_due', 'total_fees', 'value', 'credit']);
/** Rent of some minutes. */
const SOME_NANOTONS = 10_000;

/** Checks that the transactions of two answers did the same, whatever their places in the chain are. */
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

/** Texts of what transactions did, and the amounts that depend on rent. */
export function partsOf({ transactions }: Shown) {
  return Object.values(transactions)
    .map((one) => {
      const amounts: number[] = [];
      const text = JSON.stringify(one, function (this: { success?: boolean }, key, value) {
        // A list of actions that an account cannot pay for may name all that it has left.
        if (key === 'action_list_hash' && this.success === false) return;
        if (OF_RENT.has(key) && /^\d+$/.test(value)) amounts.push(Number(value));
        else if (!OF_PLACE.has(key)) return value;
      });
      return { text, amounts };
    })
    .sort((a, b) => (a.text < b.text ? -1 : 1));
}
