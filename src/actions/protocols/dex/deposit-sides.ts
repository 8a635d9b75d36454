import type { ActionColumns } from '../../rules/action.ts';
import type { Block, BlockContent } from '../../rules/block.ts';
import type { Excess } from './transfers.ts';

/** Data of the blocks of one or both sides. */
export interface DepositData {
  readonly sender: string | null;
  readonly pool: string | null;
  /** The contract that collects both sides. */
  readonly contract: string | null;
  readonly minted: bigint | null;
  /** Null while the deposit is incomplete. */
  readonly excesses: readonly Excess[] | null;
}

/** How the two sides of a liquidity deposit are recognised and joined. */
export interface DepositSides<Data extends DepositData> {
  /** The block types of the side that waits, and of the one that completes the deposit. */
  readonly first: string;
  readonly final: string;
  describe(data: Data): ActionColumns;
  /** The data of both sides; undefined if they cannot belong to the same deposit. */
  joinData(first: Data, final: Data): Data | undefined;
}

/** The block of a deposit, or of its first side only. */
export function depositBlock<Data extends DepositData>(
  sides: DepositSides<Data>,
  part: 'first' | 'final',
  data: Data,
  failed = false,
): BlockContent<Data> {
  return { type: sides[part], data, failed, describe: (block) => sides.describe(block.data as Data) };
}

/**
 * Joins the two sides of liquidity deposits that use the same deposit contract. If more than two use one in a trace, they
 * stay apart: it is unknown which belong together.
 */
export function joinDepositSides<Data extends DepositData>(
  blocks: readonly Block[],
  sides: DepositSides<Data>,
): Block[] {
  const firsts = blocks.filter(({ type }) => type === sides.first);
  const finals = blocks.filter(({ type }) => type === sides.final);
  if (firsts.length === 0 || finals.length === 0) return [...blocks];
  const contractOf = (block: Block) => (block.data as Data).contract;
  const meetings = Map.groupBy([...firsts, ...finals], contractOf);
  if ([...meetings.values()].some(({ length }) => length > 2)) return [...blocks];
  const joined = new Set<Block>();
  for (const first of firsts) {
    const final = finals.find((one) => contractOf(one) === contractOf(first));
    const data = final && sides.joinData(first.data as Data, final.data as Data);
    if (!final || !data) continue;
    final.data = data;
    addBlock(final, first);
    joined.add(first);
  }
  return blocks.filter((block) => !joined.has(block));
}

function addBlock(final: Block, first: Block): void {
  final.nodes.push(...first.nodes);
  // A block has only one initiating step; the other becomes a part of it.
  if (first.initiating && first.initiating !== final.initiating) final.nodes.push(first.initiating);
  final.children.push(...first.children);
  final.measure();
}
