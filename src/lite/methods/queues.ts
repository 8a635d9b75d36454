import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import { liteMethod, liteType, type TlValue, tl } from '../../chain/tl/fields.ts';
import type { ShardIdent } from '../../chain/tlb/block.ts';
import { readOutMsgQueueInfo } from '../../chain/tlb/queues.ts';
import {
  type CheckOptions,
  checkState,
  openProofPair,
  type QueryServer,
  queryProvable,
  queryUnproven,
  refuse,
  runProofCheck,
  withErrorContext,
} from './proofs.ts';

/** A bit of the mode of both functions about one block: the response has a proof. */
export const QUEUE_WITH_PROOF = 1;

// liteServer.blockOutMsgQueueSize mode:# id:tonNode.blockIdExt size:long proof:mode.0?bytes =
//   liteServer.BlockOutMsgQueueSize
const blockOutMsgQueueSize = liteType('blockOutMsgQueueSize', 0x8acdbe1b, {
  mode: tl.uint,
  id: tl.blockId,
  size: tl.long,
  proof: tl.optional(0, tl.bytes),
});

// liteServer.getBlockOutMsgQueueSize mode:# id:tonNode.blockIdExt want_proof:mode.0?true =
//   liteServer.BlockOutMsgQueueSize
export const getBlockOutMsgQueueSizeCodec = liteMethod(
  'getBlockOutMsgQueueSize',
  0x8f6c7779,
  { mode: tl.uint, id: tl.blockId },
  blockOutMsgQueueSize,
);

/** How many messages wait in the out-queue of a shard after a block. */
export async function getBlockOutMsgQueueSize(
  query: QueryServer,
  block: BlockId,
  options: CheckOptions,
): Promise<number> {
  const request = { mode: options.verify ? QUEUE_WITH_PROOF : 0, id: block };
  const response = await queryProvable(query, getBlockOutMsgQueueSizeCodec, request, 'VALIDATE_BLOCK_PROOF');
  return checkQueueSize(response, block, options);
}

/** Checks the response of getBlockOutMsgQueueSize, which must have a proof if that is verified; returns the size. */
export function checkQueueSize(
  response: TlValue<typeof blockOutMsgQueueSize>,
  block: BlockId,
  options: CheckOptions,
): number {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(response.id, block)) refuse('Liteserver responded with wrong block');
    if (!options.verify) return Number(response.size);
    if (response.proof === undefined) refuse('no proof of the size of the out message queue');
    const [headerCell, stateCell] = openProofPair(response.proof, 'proof', options);
    const { cells, state } = withErrorContext('error in block header proof: ', () =>
      checkState(headerCell, stateCell, block, options),
    );
    const size = readOutMsgQueueInfo(cells, state.outMsgQueueInfo).extra?.outQueueSize;
    if (size === undefined) refuse('no out_msg_queue_size in shard state');
    if (BigInt(size) !== response.size) refuse('queue size mismatch');
    return size;
  });
}

// liteServer.outMsgQueueSize id:tonNode.blockIdExt size:int = liteServer.OutMsgQueueSize
const outMsgQueueSize = tl.record({ id: tl.blockId, size: tl.int });

// liteServer.outMsgQueueSizes shards:(vector liteServer.outMsgQueueSize) ext_msg_queue_size_limit:int =
//   liteServer.OutMsgQueueSizes
const outMsgQueueSizes = liteType('outMsgQueueSizes', 0xf8504a03, {
  shards: tl.vector(outMsgQueueSize),
  /** The size at which external messages are refused. */
  extMsgQueueSizeLimit: tl.int,
});

// liteServer.getOutMsgQueueSizes mode:# wc:mode.0?int shard:mode.0?long = liteServer.OutMsgQueueSizes
export const getOutMsgQueueSizesCodec = liteMethod(
  'getOutMsgQueueSizes',
  0x7bc19c36,
  { mode: tl.uint, workchain: tl.optional(0, tl.int), shard: tl.optional(0, tl.long) },
  outMsgQueueSizes,
);

const OF_SHARD = 1;

/** Sizes of the out-queues at the server's head, of all shards or of those that intersect one; nothing proves them. */
export function getOutMsgQueueSizes(
  query: QueryServer,
  shard?: ShardIdent,
): Promise<TlValue<typeof outMsgQueueSizes>> {
  const part = shard && { workchain: shard.workchain, shard: shard.shard };
  return queryUnproven(query, getOutMsgQueueSizesCodec, { mode: part ? OF_SHARD : 0, ...part });
}

// liteServer.accountDispatchQueueInfo addr:int256 size:long min_lt:long max_lt:long =
//   liteServer.AccountDispatchQueueInfo
const accountDispatchQueueInfo = tl.record({
  addr: tl.int256,
  size: tl.long,
  minLt: tl.long,
  maxLt: tl.long,
});

/** The deferred messages of one account. */
export type AccountDispatchQueueInfo = TlValue<typeof accountDispatchQueueInfo>;

// liteServer.dispatchQueueInfo mode:# id:tonNode.blockIdExt account_dispatch_queues:(vector
//   liteServer.accountDispatchQueueInfo) complete:Bool proof:mode.0?bytes = liteServer.DispatchQueueInfo
const dispatchQueueInfo = liteType('dispatchQueueInfo', 0x5d1132d0, {
  mode: tl.uint,
  id: tl.blockId,
  accountDispatchQueues: tl.vector(accountDispatchQueueInfo),
  complete: tl.bool,
  proof: tl.optional(0, tl.bytes),
});

// liteServer.getDispatchQueueInfo mode:# id:tonNode.blockIdExt after_addr:mode.1?int256 max_accounts:int
//   want_proof:mode.0?true = liteServer.DispatchQueueInfo
export const getDispatchQueueInfoCodec = liteMethod(
  'getDispatchQueueInfo',
  0x01e66bf3,
  { mode: tl.uint, id: tl.blockId, afterAddr: tl.optional(1, tl.int256), maxAccounts: tl.int },
  dispatchQueueInfo,
);
