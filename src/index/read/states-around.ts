import { ACCOUNT_NONE } from '../../chain/tlb/account.ts';
import type { CurrencyTexts } from '../../chain/tlb/currency.ts';
import type { PlacedTransaction, StateAtTransaction } from '../../chain/tlb/placed-transaction.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { eachInSlices, mapInSlices } from '../../lib/slices.ts';

/** Blocks show extra currencies only when they change. If they did not for more transactions than this, they are not shown. */
const MAX_STEPS = 100;

/** The transaction that made a state. */
export interface StateOrigin {
  readonly account: Buffer;
  readonly lt: bigint;
  /** Of the state. */
  readonly hash: Buffer;
}

export interface StatesAround {
  readonly account: Buffer;
  readonly lt: bigint;
  /** Of the previous transaction of the account; 0 without one. */
  readonly previousLt: bigint;
  /** What is known of the state before, whose hash may cost some work. */
  readonly before: StateAtTransaction['known'];
  readonly after: StateAtTransaction['known'];
  readonly hashBefore: () => Buffer;
}

/** Reads the states around the transactions that made states; those that are not in the index are left out. */
type ReadStates = (origins: readonly StateOrigin[]) => Promise<readonly StatesAround[]>;

interface CompletedStates<T> {
  readonly transactions: readonly T[];
  /** Those of which more may be known once earlier blocks are indexed. */
  readonly unsettled: ReadonlySet<T>;
}

/**
 * Adds what blocks do not show of account states: the state before a transaction is the one after the previous
 * transaction, and extra currencies that a block leaves out are those of the state before.
 */
export async function completeStates<T extends PlacedTransaction>(
  placed: readonly T[],
  read: ReadStates,
  signal?: AbortSignal,
): Promise<CompletedStates<T>> {
  if (!placed.some((one) => lacksBefore(one) || isHiding(one)))
    return { transactions: placed, unsettled: new Set() };
  const known = new Map<string, StatesAround>();
  await eachInSlices(
    placed,
    (one) => {
      known.set(keyOf(one.account, one.transaction.lt), statesAround(one));
    },
    signal,
  );
  const load = async (origins: readonly StateOrigin[]): Promise<boolean> => {
    const found = origins.length === 0 ? [] : await read(origins);
    for (const one of found) known.set(keyOf(one.account, one.lt), one);
    return found.length > 0;
  };
  await load(
    placed
      .filter(lacksBefore)
      .map(previousOf)
      .filter(({ account, lt }) => !known.has(keyOf(account, lt))),
  );
  const withBefore = await mapInSlices(
    placed,
    (one) => (lacksBefore(one) ? withStateBefore(one, known) : one),
    signal,
  );
  const hasPrevious = ({ account, transaction: { prevTransLt } }: T) =>
    known.has(keyOf(account, prevTransLt));
  const unsettled = new Set(withBefore.filter((one) => lacksBefore(one) && !hasPrevious(one)));
  const hiding = withBefore.filter(isHiding);
  if (hiding.length === 0) return { transactions: withBefore, unsettled };
  let extras = findExtras(known, hiding);
  for (let step = 0; step < MAX_STEPS; step++) {
    const unknown = new Map<string, StateOrigin>();
    for (const { end } of extras.values())
      if (end !== undefined) unknown.set(keyOf(end.account, end.lt), end);
    if (!(await load([...unknown.values()]))) break;
    extras = findExtras(known, hiding);
  }
  const transactions = withBefore.map((one) => {
    const extra = extras.get(one)?.shown;
    const whole = { ...one, before: withExtra(one.before, extra), after: withExtra(one.after, extra) };
    if (unsettled.has(one) || isHiding(whole)) unsettled.add(whole);
    return whole;
  });
  return { transactions, unsettled };
}

function statesAround({ account, transaction, before, after }: PlacedTransaction): StatesAround {
  return {
    account,
    lt: transaction.lt,
    previousLt: transaction.prevTransLt,
    before: before.known,
    after: after.known,
    hashBefore: () => before.hash,
  };
}

/** Whether there is a state before a transaction that its block does not show. */
function lacksBefore({ before: { hash, known } }: PlacedTransaction): boolean {
  return known === undefined && !hash.equals(ACCOUNT_NONE);
}

function previousOf({ account, transaction: { prevTransLt, oldStateHash } }: PlacedTransaction): StateOrigin {
  return { account, lt: prevTransLt, hash: oldStateHash };
}

function withStateBefore<T extends PlacedTransaction>(placed: T, known: ReadonlyMap<string, StatesAround>) {
  const previous = known.get(keyOf(placed.account, placed.transaction.prevTransLt));
  return previous === undefined ? placed : { ...placed, before: { ...placed.before, known: previous.after } };
}

/** Whether a state at a transaction has extra currencies that its block does not show. */
function isHiding({ before, after }: PlacedTransaction): boolean {
  return hides(before) || hides(after);
}

function hides({ known }: StateAtTransaction): boolean {
  return known !== undefined && known.extraCurrencies === undefined;
}

/** Where extra currencies come from: a state that shows them, or one that is not known yet. */
interface ExtraOrigin {
  readonly shown?: CurrencyTexts;
  readonly end?: StateOrigin;
}

/** Finds where the extra currencies before transactions come from; each transaction is passed once. */
function findExtras(known: ReadonlyMap<string, StatesAround>, hiding: readonly PlacedTransaction[]) {
  const origins = new Map<string, ExtraOrigin>();
  const found = new Map<PlacedTransaction, ExtraOrigin>();
  for (const first of hiding) {
    const passed: string[] = [];
    let origin: ExtraOrigin | undefined;
    for (let one = statesAround(first); origin === undefined; ) {
      const { account, previousLt: lt, before } = one;
      passed.push(keyOf(account, one.lt));
      const key = keyOf(account, lt);
      const previous = known.get(key);
      const shown = before?.extraCurrencies ?? previous?.after?.extraCurrencies;
      if (shown !== undefined) origin = { shown };
      else if (previous === undefined) origin = { end: { account, lt, hash: one.hashBefore() } };
      else {
        origin = origins.get(key);
        one = previous;
      }
    }
    for (const key of passed) origins.set(key, origin);
    found.set(first, origin);
  }
  return found;
}

function withExtra(state: StateAtTransaction, extraCurrencies: CurrencyTexts | undefined) {
  return hides(state) ? { hash: state.hash, known: { ...state.known!, extraCurrencies } } : state;
}

function keyOf(account: Buffer, lt: bigint): string {
  return `${bytesKey(account)}${lt}`;
}
