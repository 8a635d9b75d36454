import type { BlockId } from '../../chain/block-id.ts';
import type { ConfigFacts } from '../../index/write/seqno-parts.ts';
import { mapAhead } from '../../lib/concurrency.ts';
import { retryUntilDone } from '../../lib/retry.ts';
import { type FetchContext, onServer } from '../../lite/fetch-context.ts';
import { getBlockBytes } from '../../lite/methods/blocks.ts';
import {
  type FetchedBlock,
  type FetchRange,
  type MasterchainStep,
  masterchainBlocks,
  readPrevious,
  type ShardTops,
} from './masterchain-blocks.ts';

/**
 * One masterchain block and all shard blocks that it commits for the first time, ordered by workchain, seqno and shard:
 * a block comes after its predecessors, also across splits and merges.
 */
export interface FetchedSeqno extends ConfigFacts {
  readonly mcSeqno: number;
  readonly masterchain: FetchedBlock;
  readonly shardBlocks: readonly FetchedBlock[];
  /** The newest blocks of all shards, including those committed before; without zero states. */
  readonly tops: readonly BlockId[];
}

const AHEAD_SEQNOS = 48;
const AHEAD_BYTES = 32 * 1024 * 1024;

/**
 * Fetches masterchain blocks and the shard blocks that they commit, in ascending order, ahead of the reader within
 * limits. Failures of lite servers are retried until they recover; a chain that differs from the indexed one throws
 * ChainDiverged; the signal stops everything.
 */
export function fetchSeqnos(
  context: FetchContext,
  range: FetchRange,
  { seqnos = AHEAD_SEQNOS, bytes = AHEAD_BYTES }: { readonly seqnos?: number; readonly bytes?: number } = {},
): AsyncIterable<FetchedSeqno> {
  const complete = async ({ block, tops, topsBefore, ...step }: MasterchainStep): Promise<FetchedSeqno> => {
    const shardTops = { mcSeqno: step.mcSeqno, tops, topsBefore };
    const task = `fetch the shard blocks of masterchain block ${step.mcSeqno}`;
    const { mcSeqno } = step;
    const fetchBlocks: ReadBlocks = (ids) => fetchFromServers(context, mcSeqno, ids);
    const shardBlocks = await retryUntilDone(() => newShardBlocks(shardTops, fetchBlocks), {
      ...context,
      task,
    });
    const { id, bytes: blockBytes } = block;
    return {
      ...step,
      masterchain: { id, bytes: blockBytes },
      shardBlocks,
      tops: tops.filter(({ seqno }) => seqno > 0),
    };
  };
  const limits = { count: seqnos, weight: bytes, weigh: bytesOf };
  return mapAhead(masterchainBlocks(context, range), limits, complete);
}

/** Total size of all blocks. */
export function bytesOf({ masterchain, shardBlocks }: FetchedSeqno): number {
  return shardBlocks.reduce((sum, { bytes }) => sum + bytes.length, masterchain.bytes.length);
}

/** A masterchain block commits a few blocks per shard; more than this is an error. */
const MAX_SHARD_BLOCKS = 1000;

/** Gets shard blocks, whose bytes have the file hashes of their ids. */
type ReadBlocks = (ids: readonly BlockId[]) => Promise<readonly FetchedBlock[]>;

/**
 * Gets the shard blocks that a masterchain block commits for the first time, across splits, merges and intermediate
 * blocks: from its tops back to those of the previous masterchain block, or to the start of a shard.
 */
export async function newShardBlocks({ mcSeqno, tops, topsBefore }: ShardTops, readBlocks: ReadBlocks) {
  const before = new Set(topsBefore.map(nameOf));
  const successors = new Set(topsBefore.map((id) => positionOf(id, id.seqno + 1)));
  const found = new Map<string, FetchedBlock>();
  const isNew = (id: BlockId): boolean => id.seqno > 0 && !before.has(nameOf(id)) && !found.has(nameOf(id));

  for (let wanted = tops.filter(isNew); wanted.length > 0; ) {
    if (found.size + wanted.length > MAX_SHARD_BLOCKS)
      throw new Error(`masterchain block ${mcSeqno} commits more than ${MAX_SHARD_BLOCKS} shard blocks`);
    const blocks = await readBlocks(wanted);
    for (const block of blocks) found.set(nameOf(block.id), block);
    // The direct successor of a previous top has no other predecessors to look up.
    const others = blocks.filter(({ id }) => !successors.has(positionOf(id, id.seqno)));
    const previous = others.flatMap(({ bytes }) => readPrevious(bytes)).filter(isNew);
    wanted = [...new Map(previous.map((id) => [nameOf(id), id])).values()];
  }
  return [...found.values()].sort(byAncestry);
}

async function fetchFromServers(context: FetchContext, mcSeqno: number, ids: readonly BlockId[]) {
  const fetchBlock = (id: BlockId) =>
    onServer(context, mcSeqno, ({ query }) => getBlockBytes(query, id, context.check));
  return Promise.all(ids.map(async (id) => ({ id, bytes: await context.gate.run(() => fetchBlock(id)) })));
}

function byAncestry({ id: a }: FetchedBlock, { id: b }: FetchedBlock): number {
  if (a.workchain !== b.workchain) return a.workchain - b.workchain;
  if (a.seqno !== b.seqno) return a.seqno - b.seqno;
  return BigInt.asUintN(64, a.shard) < BigInt.asUintN(64, b.shard) ? -1 : 1;
}

function positionOf({ workchain, shard }: BlockId, seqno: number): string {
  return `${workchain}:${shard}:${seqno}`;
}

function nameOf(id: BlockId): string {
  return `${positionOf(id, id.seqno)}:${id.rootHash.toString('latin1')}`;
}
