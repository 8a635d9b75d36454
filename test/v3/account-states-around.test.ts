import { describe, expect, it } from 'vitest';
import { ACCOUNT_NONE } from '../../src/chain/tlb/account.ts';
import type { CurrencyTexts } from '../../src/chain/tlb/currency.ts';
import type { PlacedTransaction, StateAtTransaction } from '../../src/chain/tlb/placed-transaction.ts';
import { completeStates, type StateOrigin, type StatesAround } from '../../src/index/read/states-around.ts';
import { accountOf } from '../db/support/filled-index.ts';

/** What a block shows of the extra currencies of a state: all, that there are some, or nothing about the state. */
type Shown = CurrencyTexts | 'hidden' | undefined;

function state(lt: number, shown: Shown): StateAtTransaction {
  const extraCurrencies = shown === 'hidden' ? undefined : shown;
  return {
    hash: lt === 0 ? ACCOUNT_NONE : Buffer.alloc(32, lt),
    known: shown && ({ balance: 1n, extraCurrencies } as StateAtTransaction['known']),
  };
}

const made = (account: number, lt: number, before: Shown, after: Shown): PlacedTransaction => {
  const states = { before: state(lt - 1, before), after: state(lt, after) };
  const transaction = { lt: BigInt(lt), prevTransLt: BigInt(lt - 1), oldStateHash: states.before.hash };
  return { account: accountOf(account), transaction, ...states } as PlacedTransaction;
};

const LONG = 150;
const [FIVE, SEVEN, NINE] = [{ 1: '5' }, { 2: '7' }, { 9: '1' }];
const CHAIN: readonly PlacedTransaction[] = [
  made(1, 1, undefined, FIVE),
  made(1, 2, 'hidden', undefined),
  made(1, 3, undefined, 'hidden'),
  made(1, 4, 'hidden', 'hidden'),
  made(1, 5, 'hidden', {}),
  made(2, 9, SEVEN, 'hidden'),
  made(3, 9, 'hidden', 'hidden'),
  made(4, 1, undefined, NINE),
  ...Array.from({ length: LONG }, (_, at) => made(4, at + 2, 'hidden', 'hidden')),
];

async function readStates(origins: readonly StateOrigin[]): Promise<StatesAround[]> {
  const found = CHAIN.filter(({ account, transaction, after }) =>
    origins.some(
      (one) => account.equals(one.account) && transaction.lt === one.lt && after.hash.equals(one.hash),
    ),
  );
  return found.map(({ account, transaction: { lt, prevTransLt }, before, after }) => ({
    account,
    lt,
    previousLt: prevTransLt,
    before: before.known,
    after: after.known,
    hashBefore: () => before.hash,
  }));
}

async function extrasOf(placed: readonly PlacedTransaction[]) {
  const { transactions: shown } = await completeStates(placed, readStates);
  expect(shown.map(({ transaction }) => transaction)).toEqual(placed.map(({ transaction }) => transaction));
  return shown.map(({ before, after }) =>
    [before, after].map(({ known }) => known && (known.extraCurrencies ?? 'unknown')),
  );
}

describe('states that blocks do not show', () => {
  it('are those after the previous transaction, unless it is in the same block', async () => {
    const [, second, third] = CHAIN;
    const bare = { ...second!, before: { ...second!.before, known: undefined } };
    const { transactions, unsettled } = await completeStates([bare, third!], readStates);
    const [before, within] = transactions;
    expect(unsettled.size).toBe(0);
    expect(before!.before.known).toEqual(CHAIN[0]!.after.known);
    expect(within!.before.known).toBeUndefined();
    const unknown = { ...CHAIN[6]!, before: { ...CHAIN[6]!.before, known: undefined } };
    const later = await completeStates([unknown], readStates);
    expect(later.transactions[0]!.before).toEqual(unknown.before);
    expect(later.unsettled.has(later.transactions[0]!)).toBe(true);
  });
});

describe('extra currencies that blocks do not show', () => {
  const first = CHAIN.slice(0, 5);
  const expected = [
    [undefined, FIVE],
    [FIVE, undefined],
    [undefined, FIVE],
    [FIVE, FIVE],
    [FIVE, {}],
  ];

  it('are those of the state before, with and without the other transactions of the page', async () => {
    expect(await extrasOf(first)).toEqual(expected);
    expect(await extrasOf(first.toReversed())).toEqual(expected.toReversed());
    for (const [at, one] of first.entries()) expect(await extrasOf([one])).toEqual([expected[at]]);
    expect(await extrasOf([CHAIN[5]!])).toEqual([[SEVEN, SEVEN]]);
  });

  it('are unknown if the index does not have them', async () => {
    expect(await extrasOf([CHAIN[6]!])).toEqual([['unknown', 'unknown']]);
    expect(await extrasOf([])).toEqual([]);
  });

  it('are searched over a limited number of transactions', async () => {
    const long = CHAIN.slice(7);
    expect(await extrasOf([long[50]!, long[99]!])).toEqual([
      [NINE, NINE],
      [NINE, NINE],
    ]);
    expect(await extrasOf([long[LONG]!])).toEqual([['unknown', 'unknown']]);
    // Transactions on the same page fill in each other.
    expect((await extrasOf(long)).slice(1)).toEqual(long.slice(1).map(() => [NINE, NINE]));
    expect((await extrasOf(long.toReversed())).at(-2)).toEqual([NINE, NINE]);
    expect((await extrasOf(long.slice(60))).at(-1)).toEqual([NINE, NINE]);
    expect((await extrasOf(long.slice(120))).at(-1)).toEqual(['unknown', 'unknown']);
  });
});
