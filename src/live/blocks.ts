import { type BlockId, MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../chain/block-id.ts';
import { writeBoc } from '../chain/boc/writer.ts';
import { topBlock } from '../chain/tlb/shard-hashes.ts';
import { readTransaction, type Transaction } from '../chain/tlb/transaction.ts';
import { mapInOrder } from '../lib/concurrency.ts';
import { Failure } from '../lib/errors.ts';
import { getBlockLinks } from '../lite/methods/block-proofs.ts';
import {
  type ListedTransaction,
  type ListTransactions,
  listBlockTransactions,
  listBlockTransactionsExt,
  readBlockTransactions,
  type TransactionId3,
} from '../lite/methods/block-transactions.ts';
import { getBlockHeader, getStateRootHash } from '../lite/methods/blocks.ts';
import type { BlockLinkBack } from '../lite/methods/codec.ts';
import { type BlockKey, lookupBlockWithProof } from '../lite/methods/lookups.ts';
import { blockProofFailure, type ProvenHeader, readWholeBag, runProofCheck } from '../lite/methods/proofs.ts';
import { getBlockOutMsgQueueSize, getOutMsgQueueSizes } from '../lite/methods/queues.ts';
import { getAllShardsInfo, getShardBlockProof, type ShardBlockLink } from '../lite/methods/shards.ts';
import type { LiteSession, LiteTarget } from '../lite/session.ts';
import { type LiveCall, NO_SESSION_PREFIX, openSession, rethrowUnattributed } from './session.ts';

/** The newest masterchain block and the start of the chain. */
export type MasterchainHead = Readonly<Awaited<ReturnType<typeof readMasterchainHead>>>;

/** Reads the newest masterchain block that any lite server of the pool has. */
export async function readMasterchainHead(call: LiveCall) {
  const { caches, check, pool } = call.ports;
  const servers = pool(call.group);
  const session = await openSession(call, { seqno: servers.head?.seqno });
  // The head of the pool and not of the session, whose server may be behind: what clients see never goes back.
  const last = servers.consensusBlock();
  const stateRootHash = await caches.stateRoots.get(last.rootHash.toString('base64'), call, () =>
    session.run(({ query }) =>
      getStateRootHash((request) => query(request, { waitSeqno: last.seqno }), last, check),
    ),
  );
  return { last, stateRootHash, zeroState: servers.zeroState };
}

/** A block as a caller names it: by its seqno, a logical time or a time in it, and perhaps its hashes. */
type BlockQuery = BlockKey & {
  readonly rootHash?: Buffer | undefined;
  readonly fileHash?: Buffer | undefined;
};

/**
 * Finds a block in the chain of the reference block. A block that is given with both hashes is not looked up: whatever
 * is read from it next is checked against its hashes.
 */
export async function findBlock(call: LiveCall, target: LiteTarget, wanted: BlockQuery): Promise<BlockId> {
  return fullBlockId(wanted, target) ?? (await lookUp(call, target, wanted)).block;
}

export async function findHeader(call: LiveCall, target: LiteTarget, wanted: BlockQuery) {
  const block = fullBlockId(wanted, target);
  if (block === undefined) return lookUp(call, target, wanted);
  const header = getBlockHeader(target.query, block, call.ports.check);
  return block === target.reference ? header : rethrowUnattributed(header);
}

/**
 * The masterchain seqno to open a session for when a block is requested. The seqno of a shard block does not tell; but
 * callers often have it from the newest masterchain block, and a server that is behind does not know that block yet.
 */
export function sessionSeqno(
  { ports, group }: LiveCall,
  { workchain, seqno }: { readonly workchain: number; readonly seqno?: number | undefined },
): number | undefined {
  if (workchain === MASTERCHAIN && seqno !== undefined) return seqno;
  const { head } = ports.pool(group);
  // A server that lacks one block can wait for it.
  return head && head.seqno - 1;
}

function fullBlockId(wanted: BlockQuery, { reference }: LiteTarget): BlockId | undefined {
  if (!('seqno' in wanted)) return undefined;
  const { workchain, shard, seqno, rootHash, fileHash } = wanted;
  if (rootHash !== undefined && fileHash !== undefined)
    return { workchain, shard, seqno, rootHash, fileHash };
  return workchain === MASTERCHAIN && seqno === reference.seqno ? reference : undefined;
}

function lookUp({ ports }: LiveCall, { query, reference }: LiteTarget, key: BlockKey): Promise<ProvenHeader> {
  return lookupBlockWithProof(query, reference, key, ports.check);
}

function masterchainKey(seqno: number) {
  return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
}

/** Reads the newest blocks of all shards at a masterchain block. */
export async function readShards(call: LiveCall, seqno: number): Promise<BlockId[]> {
  const session = await openSession(call, { seqno });
  const shards = await session.run(async (target) => {
    const block = await findBlock(call, target, masterchainKey(seqno));
    return getAllShardsInfo(target.query, block, call.ports.check);
  });
  return shards.map(topBlock);
}

/** Which transactions of which block are wanted. */
export type BlockTransactionsQuery = BlockQuery & {
  readonly seqno: number;
  readonly limit: number;
  readonly after: TransactionId3 | undefined;
};

/** Lists the ids of a block's transactions, by account and logical time. */
export function listTransactionsInBlock(
  call: LiveCall,
  wanted: BlockTransactionsQuery,
  take: (listed: ListedTransaction) => void,
) {
  return readPages(call, listBlockTransactions, wanted, take);
}

/**
 * Reads a block's transactions, by account and logical time. `take` runs inside the proof check, because it may be the
 * first to read deeper cells of the transaction.
 */
export function readTransactionsInBlock(
  call: LiveCall,
  wanted: BlockTransactionsQuery,
  take: (transaction: Transaction) => void,
) {
  return readPages(call, listBlockTransactionsExt, wanted, ({ cells, cell }) =>
    runProofCheck('VALIDATE_TRANSACTION', () => take(readTransaction(cells, cell, wanted.workchain))),
  );
}

/** Returns the block that was read, and whether more transactions may follow. */
async function readPages<T extends ListedTransaction>(
  call: LiveCall,
  list: ListTransactions<T>,
  wanted: BlockTransactionsQuery,
  take: (transaction: T) => void,
) {
  const { rootHash, fileHash, limit, after } = wanted;
  const session = await openSession(call, {
    seqno: sessionSeqno(call, wanted),
    refusalPrefix: NO_SESSION_PREFIX,
  });
  const block = await session.run((target) => findBlock(call, target, wanted));
  const isClaimed = rootHash !== undefined && fileHash !== undefined;
  const incomplete = await readBlockTransactions(
    (part) =>
      session.run(({ query }) => {
        const page = list(query, block, part, call.ports.check);
        return isClaimed ? rethrowUnattributed(page) : page;
      }),
    { limit, after },
    take,
  );
  // A block never changes, and this one is named by its seqno or by its hashes.
  call.immutable = true;
  return { block, incomplete };
}

/** Reads the signatures of a masterchain block; they are part of its proof from the block before. */
export async function readSignedBlock(call: LiveCall, seqno: number) {
  const { check, caches } = call.ports;
  const session = await openSession(call, { seqno });
  return session.run(async (target) => {
    const before = await findBlock(call, target, masterchainKey(seqno - 1));
    const block = await findBlock(call, target, masterchainKey(seqno));
    const options = { ...check, signersOf: caches.signersOf };
    const last = (await getBlockLinks(target.query, before, block, options)).at(-1);
    // A link without signatures would lead back, which the order of the two blocks rules out.
    if (last?.kind !== 'forward') throw blockProofFailure('got invalid proof chain');
    return { block, signatures: last.signatures };
  });
}

/** How a masterchain block proves another block: back to an older masterchain block, and down to the shard. */
export interface ProvenShardBlock {
  readonly from: BlockId;
  readonly masterchain: BlockId;
  readonly links: readonly ShardBlockLink[];
  /** At most one link. */
  readonly back: readonly BlockLinkBack[];
}

/** Proves a block from the masterchain block with a seqno, or from the reference block. */
export async function proveShardBlock(
  call: LiveCall,
  wanted: BlockQuery & { readonly seqno: number },
  fromSeqno: number | undefined,
): Promise<ProvenShardBlock> {
  const session = await openSession(call, { seqno: fromSeqno ?? sessionSeqno(call, wanted) });
  const block = await session.run((target) => findBlock(call, target, wanted));
  const from = fromSeqno === undefined ? session.reference : await findFrom(call, session, fromSeqno);
  return session.run((target) => prove(call, target, block, from));
}

/** Runs by itself: the error text may only change after every suitable server has failed. */
async function findFrom(call: LiveCall, session: LiteSession, seqno: number): Promise<BlockId> {
  try {
    return await session.run((target) => findBlock(call, target, masterchainKey(seqno)));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.kind, `lookup from block error: ${error.message}`, { cause: error });
  }
}

async function prove(
  { ports: { check, caches } }: LiveCall,
  { query }: LiteTarget,
  block: BlockId,
  from: BlockId,
): Promise<ProvenShardBlock> {
  const { masterchainId: masterchain, links } = await getShardBlockProof(query, block, check);
  if (masterchain.seqno > from.seqno) throw new Failure('lite_server', 'from mc block is too old');
  if (sameBlock(from, masterchain)) return { from, masterchain, links, back: [] };
  const steps = await getBlockLinks(query, from, masterchain, { ...check, signersOf: caches.signersOf });
  const [step] = steps;
  if (steps.length !== 1 || step?.kind !== 'back') throw blockProofFailure('got invalid proof chain');
  return { from, masterchain, links, back: [rewriteProofs(step)] };
}

/** By contract these proofs are serialised in one form, whatever form the lite server uses. */
function rewriteProofs(link: BlockLinkBack): BlockLinkBack {
  const rewrite = (proof: Buffer) => {
    const cells = readWholeBag(proof);
    return writeBoc({ cells, roots: [cells.root] }, { order: 'tonlib', crc: false });
  };
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => ({
    ...link,
    destProof: rewrite(link.destProof),
    proof: rewrite(link.proof),
    stateProof: rewrite(link.stateProof),
  }));
}

/** How many messages wait in the out-queues of all shards. */
export type QueueSizes = Readonly<Awaited<ReturnType<typeof readQueueSizes>>>;

const MAX_CONCURRENT_QUERIES = 16;

/**
 * Reads the sizes of all out-queues at the newest block, that of the masterchain first, and the size from which a shard
 * rejects external messages.
 */
export async function readQueueSizes(call: LiveCall) {
  const { check } = call.ports;
  const session = await openSession(call);
  return session.run(async ({ query, reference }) => {
    const sizeOf = async (block: BlockId) => ({
      block,
      // The queue of a zero state is empty, and no server has a block to prove that with.
      size: block.seqno === 0 ? 0 : await getBlockOutMsgQueueSize(query, block, check),
    });
    const [shards, { extMsgQueueSizeLimit }] = await Promise.all([
      getAllShardsInfo(query, reference, check),
      getOutMsgQueueSizes(query, { workchain: MASTERCHAIN, shard: WHOLE_SHARD }),
    ]);
    const blocks = [reference, ...shards.map(topBlock)];
    return { queues: await mapInOrder(blocks, MAX_CONCURRENT_QUERIES, sizeOf), limit: extMsgQueueSizeLimit };
  });
}
