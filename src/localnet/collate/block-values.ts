import type { BuildingArena } from '../../chain/state/building-arena.ts';
import type { CurrencyCollection } from '../../chain/tlb/currency.ts';
import type { ImportFees } from '../../chain/tlb/in-msg-descr.ts';
import type { ValueFlow } from '../../chain/tlb/value-flow.ts';
import { NO_CURRENCY } from '../../chain/tlb-write/currency.ts';
import { type Burning, burnedOf } from './chain-config.ts';
import { coins, difference, isNothing, sameAmount, sumOf } from './currency-math.ts';

/** Money that comes into a block from neither accounts nor messages. */
export interface BlockIncome {
  /** The reward for the block. */
  readonly created: CurrencyCollection;
  /** What shards collected, rewards for their blocks included; the masterchain takes it over. */
  readonly feesImported: CurrencyCollection;
  /** Fees of earlier blocks that are paid out now. */
  readonly recovered: CurrencyCollection;
  readonly minted: CurrencyCollection;
  /** What of the imported fees is burned. */
  readonly importedBurned: bigint;
}

/** What the transactions and messages of a block add up to. */
export interface BlockSums {
  readonly before: CurrencyCollection;
  readonly after: CurrencyCollection;
  readonly imports: ImportFees;
  readonly exported: CurrencyCollection;
  readonly transactionFees: CurrencyCollection;
  /** What went to the account that burns what it gets. */
  readonly burned: bigint;
}

/** A block that takes in nothing but its reward. */
export function shardIncome(created: bigint): BlockIncome {
  return {
    created: coins(created),
    feesImported: NO_CURRENCY,
    recovered: NO_CURRENCY,
    minted: NO_CURRENCY,
    importedBurned: 0n,
  };
}

/** Where the money of a block came from and went to. `burning` is that of the masterchain; shards burn nothing. */
export function flowOf(
  arena: BuildingArena,
  income: BlockIncome,
  sums: BlockSums,
  burning: Burning | undefined,
): ValueFlow {
  const own = sumOf(arena, sums.transactionFees, coins(sums.imports.feesCollected));
  const burnedFees = burning === undefined ? 0n : burnedOf(burning, own.grams);
  const burned = coins(income.importedBurned + sums.burned + burnedFees);
  const collected = sumOf(arena, income.feesImported, income.created, own);
  const flow = {
    fromPrevBlock: sums.before,
    toNextBlock: sums.after,
    imported: sums.imports.valueImported,
    exported: sums.exported,
    feesCollected: difference(arena, collected, coins(income.importedBurned + burnedFees)),
    burned: isNothing(burned) ? undefined : burned,
    feesImported: income.feesImported,
    recovered: income.recovered,
    created: income.created,
    minted: income.minted,
  };
  const came = sumOf(
    arena,
    flow.fromPrevBlock,
    flow.imported,
    flow.feesImported,
    flow.created,
    flow.minted,
    flow.recovered,
  );
  const went = sumOf(arena, flow.toNextBlock, flow.exported, flow.feesCollected, burned);
  if (!sameAmount(came, went))
    throw new Error(`the value flow does not balance: ${came.grams} came, ${went.grams} went`);
  return flow;
}
