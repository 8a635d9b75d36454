import type { BlockId } from '../../chain/block-id.ts';
import { getBlockBytes } from '../../lite/queries/get-block-bytes.ts';
import { type FetchContext, onServer } from './fetch-context.ts';
import type { FetchedBlock } from './fetched-seqno.ts';
import { readPrevious } from './masterchain-facts.ts';

/** A masterchain block commits a few blocks a shard; more than this must be something else. */
const MOST_BLOCKS = 1000;

/** What is known around a masterchain block: the newest blocks of all shards in it and in the one before. */
export interface ShardTops {
  readonly mcSeqno: number;
  readonly tops: readonly BlockId[];
  readonly topsBefore: readonly BlockId[];
}

/**
 * Fetches the shard blocks that a masterchain block commits for the first time, through splits, merges and blocks
 * between two tops: from its tops back to those of the masterchain block before, or to where a chain begins.
 */
export async function fetchShardBlocks(
  context: FetchContext,
  { mcSeqno, tops, topsBefore }: ShardTops,
): Promise<FetchedBlock[]> {
  const before = new Set(topsBefore.map(nameOf));
  const nextPlaces = new Set(topsBefore.map((id) => placeOf(id, id.seqno + 1)));
  const found = new Map<string, FetchedBlock>();
  const isNew = (id: BlockId): boolean => id.seqno > 0 && !before.has(nameOf(id)) && !found.has(nameOf(id));

  for (let wanted = tops.filter(isNew); wanted.length > 0; ) {
    if (found.size + wanted.length > MOST_BLOCKS)
      throw new Error(`masterchain block ${mcSeqno} seems to commit more than ${MOST_BLOCKS} shard blocks`);
    const blocks = await fetchBlocks(context, mcSeqno, wanted);
    for (const block of blocks) found.set(nameOf(block.id), block);
    // The next block of a shard that did not change follows its top of before: nothing is to be looked up.
    const others = blocks.filter(({ id }) => !nextPlaces.has(placeOf(id, id.seqno)));
    const previous = others.flatMap(({ bytes }) => readPrevious(bytes)).filter(isNew);
    wanted = [...new Map(previous.map((id) => [nameOf(id), id])).values()];
  }
  return [...found.values()].sort(byAncestry);
}

async function fetchBlocks(
  context: FetchContext,
  mcSeqno: number,
  ids: readonly BlockId[],
): Promise<FetchedBlock[]> {
  const fetchBlock = (id: BlockId) =>
    onServer(context, mcSeqno, ({ query }) => getBlockBytes(query, id, context.check));
  return Promise.all(ids.map(async (id) => ({ id, bytes: await context.gate.run(() => fetchBlock(id)) })));
}

function byAncestry({ id: a }: FetchedBlock, { id: b }: FetchedBlock): number {
  if (a.workchain !== b.workchain) return a.workchain - b.workchain;
  if (a.seqno !== b.seqno) return a.seqno - b.seqno;
  return BigInt.asUintN(64, a.shard) < BigInt.asUintN(64, b.shard) ? -1 : 1;
}

function placeOf({ workchain, shard }: BlockId, seqno: number): string {
  return `${workchain}:${shard}:${seqno}`;
}

function nameOf(id: BlockId): string {
  return `${placeOf(id, id.seqno)}:${id.rootHash.toString('latin1')}`;
}
