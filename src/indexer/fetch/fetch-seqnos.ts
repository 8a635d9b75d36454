import { mapAhead } from '../../lib/map-ahead.ts';
import type { FetchContext } from './fetch-context.ts';
import { fetchShardBlocks } from './fetch-shard-blocks.ts';
import type { FetchedSeqno } from './fetched-seqno.ts';
import { type FetchRange, type MasterchainStep, masterchainBlocks } from './masterchain-blocks.ts';
import { persist } from './persist.ts';

/** How much is fetched ahead of the reader. */
export interface FetchAhead {
  readonly seqnos?: number;
  readonly bytes?: number;
}

const AHEAD_SEQNOS = 48;
const AHEAD_BYTES = 32 * 1024 * 1024;

/**
 * Fetches masterchain blocks and all shard blocks that they commit, in ascending order, ahead of the reader within
 * limits. Trouble with lite servers is waited out, however long it lasts; a chain that is not the one that was known
 * before throws ChainDiverged, and the signal ends everything.
 */
export function fetchSeqnos(
  context: FetchContext,
  range: FetchRange,
  { seqnos = AHEAD_SEQNOS, bytes = AHEAD_BYTES }: FetchAhead = {},
): AsyncIterable<FetchedSeqno> {
  const { log, signal, onTrouble } = context;
  const complete = async ({ block, tops, topsBefore, ...step }: MasterchainStep): Promise<FetchedSeqno> => {
    const shardTops = { mcSeqno: step.mcSeqno, tops, topsBefore };
    const shardBlocks = await persist(() => fetchShardBlocks(context, shardTops), {
      ...{ log, signal, onTrouble, task: `fetch the shard blocks of masterchain block ${step.mcSeqno}` },
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

/** Bytes of all blocks. */
export function bytesOf({ masterchain, shardBlocks }: FetchedSeqno): number {
  return shardBlocks.reduce((sum, { bytes }) => sum + bytes.length, masterchain.bytes.length);
}
