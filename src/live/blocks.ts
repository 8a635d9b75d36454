import { type BlockId, MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../chain/block-id.ts';
import { writeBoc } from '../chain/boc/writer.ts';
import type { SignatureSet } from '../chain/tl/signatures.ts';
import { topBlock } from '../chain/tlb/shard-hashes.ts';
import { mapInOrder } from '../lib/concurrency.ts';
import { Failure } from '../lib/errors.ts';
import { type BlockLinkBack, getBlockLinks } from '../lite/methods/block-proofs.ts';
import {
  type ListedTransaction,
  type ListTransactions,
  readBlockTransactions,
} from '../lite/methods/block-transactions.ts';
import { getBlockHeader } from '../lite/methods/blocks.ts';
import { type BlockKey, lookupBlockWithProof } from '../lite/methods/lookups.ts';
import { blockProofFailure, type ProvenHeader, readWholeBag, runProofCheck } from '../lite/methods/proofs.ts';
import { getBlockOutMsgQueueSize, getOutMsgQueueSizes } from '../lite/methods/queues.ts';
import { getAllShardsInfo, getShardBlockProof, type ShardBlockLink } from '../lite/methods/shards.ts';
import type { TransactionId3 } from '../lite/methods/transactions.ts';
import type { LiteSession, LiteTarget } from '../lite/session.ts';
import { type LiveCall, NO_SESSION_PREFIX, openSession, rethrowUnattributed } from './session.ts';

/** What a caller knows of a block: its place or a time in it, and perhaps its hashes. */
type BlockQuery = BlockKey & {
  readonly rootHash?: Buffer | undefined;
  readonly fileHash?: Buffer | undefined;
};

/**
 * Finds a block in the chain of the reference block. A block that is given by its whole name is not looked up: what is
 * asked about it next is checked against its hashes.
 */
export async function findBlock(call: LiveCall, target: LiteTarget, wanted: BlockQuery): Promise<BlockId> {
  return fullBlockId(wanted, target) ?? (await lookUp(call, target, wanted)).block;
}

/** The same with the header of the block. */
export async function findHeader(
  call: LiveCall,
  target: LiteTarget,
  wanted: BlockQuery,
): Promise<ProvenHeader> {
  const block = fullBlockId(wanted, target);
  if (block === undefined) return lookUp(call, target, wanted);
  const header = getBlockHeader(target.query, block, call.ports.check);
  return block === target.reference ? header : rethrowUnattributed(header);
}

/** The key of a masterchain block. */
export function masterchainKey(seqno: number) {
  return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
}

/**
 * The masterchain block that a session about a block should be opened for. A number in a shard does not tell; but
 * callers often have it from the newest masterchain block, and then a server that is behind does not know it yet.
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

/** Which transactions of which block are wanted. */
export type BlockTransactionsQuery = BlockQuery & {
  readonly seqno: number;
  readonly limit: number;
  readonly after: TransactionId3 | undefined;
};

/** Reads transactions of a block by account and logical time; gives the block, and whether more may follow. */
export async function readTransactionsInBlock<T extends ListedTransaction>(
  call: LiveCall,
  list: ListTransactions<T>,
  wanted: BlockTransactionsQuery,
  take: (transaction: T) => void,
): Promise<{ readonly block: BlockId; readonly incomplete: boolean }> {
  const { rootHash, fileHash, limit, after } = wanted;
  const session = await openSession(call, {
    seqno: sessionSeqno(call, wanted),
    refusalPrefix: NO_SESSION_PREFIX,
  });
  const block = await session.run((target) => findBlock(call, target, wanted));
  const claimed = rootHash !== undefined && fileHash !== undefined;
  const incomplete = await readBlockTransactions(
    (part) =>
      session.run(({ query }) => {
        const page = list(query, block, part, call.ports.check);
        return claimed ? rethrowUnattributed(page) : page;
      }),
    { limit, after },
    take,
  );
  // A block never changes, and this one is named by its number or by its hashes.
  call.immutable = true;
  return { block, incomplete };
}

/** A masterchain block and what its validators signed it with. */
interface SignedBlock {
  readonly block: BlockId;
  readonly signatures: SignatureSet;
}

/** Reads the signatures of a masterchain block, which are part of its proof from the block before. */
export async function readSignedBlock(
  call: LiveCall,
  target: LiteTarget,
  seqno: number,
): Promise<SignedBlock> {
  const { check, memory } = call.ports;
  const before = await findBlock(call, target, masterchainKey(seqno - 1));
  const block = await findBlock(call, target, masterchainKey(seqno));
  const options = { ...check, signersOf: memory.signersOf };
  const last = (await getBlockLinks(target.query, before, block, options)).at(-1);
  // Without signatures it would be a step back, which the order of the two blocks rules out.
  if (last?.kind !== 'forward') throw blockProofFailure('got invalid proof chain');
  return { block, signatures: last.signatures };
}

/** How a masterchain block proves another block: back to an older masterchain block, and down to the shard. */
export interface ProvenShardBlock {
  readonly from: BlockId;
  readonly masterchain: BlockId;
  readonly links: readonly ShardBlockLink[];
  /** One step at most. */
  readonly back: readonly BlockLinkBack[];
}

/** Proves a block from a masterchain block: the one with a number, or the reference block. */
export async function proveShardBlock(
  call: LiveCall,
  session: LiteSession,
  wanted: BlockQuery,
  fromSeqno: number | undefined,
): Promise<ProvenShardBlock> {
  const block = await session.run((target) => findBlock(call, target, wanted));
  const from = fromSeqno === undefined ? session.reference : await findFrom(call, session, fromSeqno);
  return session.run((target) => prove(call, target, block, from));
}

/** A run of its own: the text may only change once no other server can do better. */
async function findFrom(call: LiveCall, session: LiteSession, seqno: number): Promise<BlockId> {
  try {
    return await session.run((target) => findBlock(call, target, masterchainKey(seqno)));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.kind, `lookup from block error: ${error.message}`, { cause: error });
  }
}

async function prove(
  { ports: { check, memory } }: LiveCall,
  { query }: LiteTarget,
  block: BlockId,
  from: BlockId,
): Promise<ProvenShardBlock> {
  const { masterchainId: masterchain, links } = await getShardBlockProof(query, block, check);
  if (masterchain.seqno > from.seqno) throw new Failure('lite_server', 'from mc block is too old');
  if (sameBlock(from, masterchain)) return { from, masterchain, links, back: [] };
  const steps = await getBlockLinks(query, from, masterchain, { ...check, signersOf: memory.signersOf });
  const [step] = steps;
  if (steps.length !== 1 || step?.kind !== 'back') throw blockProofFailure('got invalid proof chain');
  return { from, masterchain, links, back: [rewrite(step)] };
}

/** By contract these proofs are bags of one form, whatever the server's looks like. */
function rewrite(link: BlockLinkBack): BlockLinkBack {
  const again = (proof: Buffer) => {
    const cells = readWholeBag(proof);
    return writeBoc({ cells, roots: [cells.root] }, { order: 'tonlib', crc: false });
  };
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => ({
    ...link,
    destProof: again(link.destProof),
    proof: again(link.proof),
    stateProof: again(link.stateProof),
  }));
}

/** How many messages wait in the out-queues at the reference block. */
export interface QueueSizes {
  /** The masterchain first. */
  readonly queues: readonly { readonly block: BlockId; readonly size: number }[];
  /** From which size on a shard refuses external messages. */
  readonly limit: number;
}

const CONCURRENCY = 16;

/** Reads the sizes of all out-queues at the reference block. */
export async function readQueueSizes(
  { ports: { check } }: LiveCall,
  { query, reference }: LiteTarget,
): Promise<QueueSizes> {
  const sizeOf = async (block: BlockId) => ({
    block,
    // Nothing waits in a zero state, and no server has a block to prove that with.
    size: block.seqno === 0 ? 0 : await getBlockOutMsgQueueSize(query, block, check),
  });
  const [shards, { extMsgQueueSizeLimit }] = await Promise.all([
    getAllShardsInfo(query, reference, check),
    getOutMsgQueueSizes(query, { workchain: MASTERCHAIN, shard: WHOLE_SHARD }),
  ]);
  const queues = await mapInOrder([reference, ...shards.map(topBlock)], CONCURRENCY, sizeOf);
  return { queues, limit: extMsgQueueSizeLimit };
}
