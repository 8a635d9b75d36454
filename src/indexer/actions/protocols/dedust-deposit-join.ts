import type { Block } from '../block.ts';
import type { DedustDepositData } from './dedust-deposit-parts.ts';

/**
 * Joins the two sides of deposits of liquidity that meet in the same deposit contract. Not in a trace in which more than two
 * meet in one: it is not known then which belong together.
 */
export function joinDedustDeposits(blocks: readonly Block[]): Block[] {
  const firsts = blocks.filter(({ type }) => type === 'dedust_deposit_liquidity_partial');
  const finals = blocks.filter(({ type }) => type === 'dedust_deposit_liquidity');
  if (firsts.length === 0 || finals.length === 0) return [...blocks];
  const meetings = Map.groupBy([...firsts, ...finals], contractOf);
  if ([...meetings.values()].some(({ length }) => length > 2)) return [...blocks];
  const joined = new Set<Block>();
  for (const first of firsts) {
    const final = finals.find((one) => contractOf(one) === contractOf(first));
    if (final && join(first, final)) joined.add(first);
  }
  return blocks.filter((block) => !joined.has(block));
}

function contractOf(block: Block): string | null {
  return (block.data as DedustDepositData).contract;
}

/** Puts a first side into its final side, unless they cannot be of the same deposit. */
function join(first: Block, final: Block): boolean {
  const data = joinData(first.data as DedustDepositData, final.data as DedustDepositData);
  if (!data) return false;
  final.data = data;
  final.nodes.push(...first.nodes);
  // Only one step can be told as that which sent the whole; another one becomes a part of it.
  if (first.initiating && first.initiating !== final.initiating) final.nodes.push(first.initiating);
  final.children.push(...first.children);
  final.measure();
  return true;
}

function joinData(first: DedustDepositData, final: DedustDepositData): DedustDepositData | undefined {
  const sides = [...first.sides, ...final.sides];
  const assets = sides.map(({ asset }) => asset);
  if (!isSame(assets, first.targetAssets) || !isSame(assets, final.targetAssets)) return undefined;
  // The amounts keep the pool's order; so clients are used to it.
  return { ...final, sides, targetAssets: assets };
}

/** True for the same two different assets, in any order. */
function isSame(assets: readonly (string | null)[], others: readonly (string | null)[]): boolean {
  const both = new Set([...assets, ...others]);
  return both.size === 2 && new Set(assets).size === 2 && new Set(others).size === 2;
}
