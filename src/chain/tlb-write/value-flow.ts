import { CellBuilder } from '../boc/cell-builder.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { CurrencyCollection } from '../tlb/currency.ts';
import type { ValueFlow } from '../tlb/value-flow.ts';
import { writeCurrencyCollection } from './currency.ts';

const VALUE_FLOW = 0xb8e48dfb;
const VALUE_FLOW_V2 = 0x3ebf98b7;

/** Makes the cell of ValueFlow: in the second version if it says what was burned. */
export function buildValueFlow(arena: BuildingArena, flow: ValueFlow): number {
  const { fromPrevBlock, toNextBlock, imported, exported, feesCollected, burned } = flow;
  const blocks = buildAmounts(arena, [fromPrevBlock, toNextBlock, imported, exported]);
  const fees = buildAmounts(arena, [flow.feesImported, flow.recovered, flow.created, flow.minted]);
  const builder = new CellBuilder().uint(burned === undefined ? VALUE_FLOW : VALUE_FLOW_V2, 32).ref(blocks);
  writeCurrencyCollection(builder, feesCollected);
  if (burned !== undefined) writeCurrencyCollection(builder, burned);
  return arena.build(builder.ref(fees));
}

function buildAmounts(arena: BuildingArena, amounts: readonly CurrencyCollection[]): number {
  const builder = new CellBuilder();
  for (const amount of amounts) writeCurrencyCollection(builder, amount);
  return arena.build(builder);
}
