import type { BuildingArena } from '../../chain/state/building-arena.ts';
import type { ValueFlow } from '../../chain/tlb/block.ts';
import {
  addCurrencies,
  buildExtraCurrencies,
  type CurrencyCollection,
  NO_CURRENCY,
  readExtraCurrencies,
} from '../../chain/tlb/currency.ts';
import type { ImportFees } from '../../chain/tlb/msg-descr.ts';
import { type Burning, burnedOf } from './chain-config.ts';

/** Value that enters a block from neither accounts nor messages. */
export type BlockIncome = Readonly<ReturnType<typeof shardIncome>>;

/** Sums over the transactions and messages of a block. */
interface BlockSums {
  readonly before: CurrencyCollection;
  readonly after: CurrencyCollection;
  readonly imports: ImportFees;
  readonly exported: CurrencyCollection;
  readonly transactionFees: CurrencyCollection;
  /** Value sent to the blackhole account. */
  readonly burned: bigint;
}

/** A block with no income but its reward. */
export function shardIncome(created: bigint) {
  return {
    /** Block reward. */
    created: coins(created),
    /** Fees collected by shards, including their block rewards; imported by the masterchain. */
    feesImported: NO_CURRENCY,
    /** Fees of earlier blocks paid out now. */
    recovered: NO_CURRENCY,
    minted: NO_CURRENCY,
    /** Burned share of the imported fees. */
    importedBurned: 0n,
  };
}

/** Value flow of a block. `burning` is that of the masterchain; shards burn nothing. */
export function valueFlowOf(
  arena: BuildingArena,
  income: BlockIncome,
  sums: BlockSums,
  burning: Burning | undefined,
): ValueFlow {
  const { feesImported, created, minted, recovered } = income;
  const own = sumOf(arena, sums.transactionFees, coins(sums.imports.feesCollected));
  const burnedFees = burning === undefined ? 0n : burnedOf(burning, own.grams);
  const burned = coins(income.importedBurned + sums.burned + burnedFees);
  const collected = sumOf(arena, feesImported, created, own);
  const flow = {
    fromPrevBlock: sums.before,
    toNextBlock: sums.after,
    imported: sums.imports.valueImported,
    exported: sums.exported,
    feesCollected: difference(arena, collected, coins(income.importedBurned + burnedFees)),
    burned: isZero(burned) ? undefined : burned,
    feesImported,
    recovered,
    created,
    minted,
  };
  const came = sumOf(arena, flow.fromPrevBlock, flow.imported, feesImported, created, minted, recovered);
  const went = sumOf(arena, flow.toNextBlock, flow.exported, flow.feesCollected, burned);
  // Equal dictionaries of one arena are one cell.
  if (came.grams !== went.grams || came.extra !== went.extra)
    throw new Error(`the value flow does not balance: ${came.grams} came, ${went.grams} went`);
  return flow;
}

export function coins(grams: bigint): CurrencyCollection {
  return { grams, extra: -1 };
}

export function sumOf(arena: BuildingArena, ...amounts: readonly CurrencyCollection[]): CurrencyCollection {
  return amounts.reduce((sum, amount) => addCurrencies(sum, amount, arena), NO_CURRENCY);
}

/** Difference of two amounts; the second must not exceed the first. */
export function difference(
  arena: BuildingArena,
  from: CurrencyCollection,
  taken: CurrencyCollection,
): CurrencyCollection {
  const grams = from.grams - taken.grams;
  if (grams < 0n) throw new Error('an amount is less than what is taken from it');
  if (taken.extra < 0) return { grams, extra: from.extra };
  const left = new Map(readExtraCurrencies(arena, from).map(({ id, amount }) => [id, amount]));
  for (const { id, amount } of readExtraCurrencies(arena, taken)) {
    const rest = (left.get(id) ?? 0n) - amount;
    if (rest < 0n) throw new Error(`an amount of currency ${id} is less than what is taken from it`);
    if (rest === 0n) left.delete(id);
    else left.set(id, rest);
  }
  const currencies = [...left].map(([id, amount]) => ({ id, amount })).sort((a, b) => a.id - b.id);
  return { grams, extra: buildExtraCurrencies(arena, currencies) };
}

export function isZero({ grams, extra }: CurrencyCollection): boolean {
  return grams === 0n && extra < 0;
}
