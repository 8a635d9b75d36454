import { LRUCache } from 'lru-cache';
import type { AccountId } from '../../chain/address.ts';
import { type BlockId, fullBlockName, MASTERCHAIN, shardText, shortBlockName } from '../../chain/block-id.ts';
import { type CellBag, readBoc } from '../../chain/boc/bag.ts';
import { CellError, type CellRef, type Cells, MERKLE_PROOF } from '../../chain/boc/cells.ts';
import { openMerkleProof } from '../../chain/boc/merkle.ts';
import { accountPrefix, shardContains } from '../../chain/shards.ts';
import { encodeTl, TlError } from '../../chain/tl/tl.ts';
import {
  type BlockInfo,
  type BlockRoot,
  previousBlocks,
  readBlockInfo,
  readBlockRoot,
  readStateUpdate,
  type ShardIdent,
} from '../../chain/tlb/block.ts';
import { type McStateExtra, readMcStateExtra } from '../../chain/tlb/masterchain-state.ts';
import { readShardState, type ShardState } from '../../chain/tlb/shard-state.ts';
import { ownBytes } from '../../lib/bytes-key.ts';
import { Failure } from '../../lib/errors.ts';
import {
  decodeResponse,
  LITE_METHODS,
  type LiteArguments,
  type LiteMethod,
  type LiteResponseOf,
} from './codec.ts';

/** Which check failed; client libraries know these prefixes. */
type ProofPrefix = ConstructorParameters<typeof ProofFailure>[0];

/** Whether hashes are compared. Without it a response is still parsed and must be complete. */
export interface CheckOptions {
  readonly verify: boolean;
  /** Proofs that need not be checked again. */
  readonly shardProofs?: ShardProofCache | undefined;
}

/** A wrong statement in a response; `runProofCheck` turns it into a ProofFailure. */
class ProofMismatch extends Error {}

/** Fails a check. */
export function refuse(detail: string): never {
  throw new ProofMismatch(detail);
}

/** Runs a check; a wrong or unparseable response throws a ProofFailure. */
export function runProofCheck<T>(prefix: ProofPrefix, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof ProofMismatch || error instanceof CellError || error instanceof TlError)
      throw new ProofFailure(prefix, error.message, error);
    throw error;
  }
}

/** Runs a part of a check with a text before its error texts. */
export function withErrorContext<T>(text: string, part: () => T): T {
  try {
    return part();
  } catch (error) {
    if (error instanceof ProofMismatch || error instanceof CellError) refuse(text + error.message);
    throw error;
  }
}

/** A hash in the form that nodes print. */
export function formatHash(hash: Buffer): string {
  return hash.toString('hex').toUpperCase();
}

/**
 * Reads a bag that has pruned branches only inside Merkle proofs. Otherwise a server could respond with a pruned branch
 * instead of the cell it stands for.
 */
export function readWholeBag(bytes: Buffer): CellBag {
  const bag = readBoc(bytes);
  for (const root of bag.roots)
    if (bag.levelMask(root) !== 0) throw new CellError('a pruned branch that no Merkle proof holds');
  return bag;
}

/** Opens the Merkle proof in a bag and returns the proven cell. */
export function openProof(bytes: Buffer, options: CheckOptions): CellRef {
  const bag = readWholeBag(bytes);
  return openRoot(bag, bag.root, options);
}

/** Opens a bag of two Merkle proofs: of a block, and of the state after it. `what` is used in error texts. */
export function openProofPair(
  bytes: Buffer,
  what: string,
  options: CheckOptions,
): [block: CellRef, state: CellRef] {
  const bag = withErrorContext(`cannot deserialize ${what}: `, () => readWholeBag(bytes));
  const [block, state] = bag.roots;
  if (block === undefined || state === undefined || bag.roots.length !== 2)
    refuse(`${what} must have exactly two roots`);
  return [openRoot(bag, block, options), openRoot(bag, state, options)];
}

/** Whether a cell has a hash, pruned branches resolved. */
export function hasHash(cell: CellRef, hash: Buffer): boolean {
  return hashOf(cell).equals(hash);
}

/** The hash of a cell, pruned branches resolved. */
export function hashOf({ cells, cell }: CellRef): Buffer {
  return cells.hash(cell, 0);
}

function openRoot(cells: Cells, cell: number, { verify }: CheckOptions): CellRef {
  if (verify) return { cells, cell: openMerkleProof(cells, cell).root };
  if (cells.kind(cell) !== MERKLE_PROOF) throw new CellError('the cell is not a Merkle proof');
  return { cells, cell: cells.ref(cell, 0) };
}

/** A block's header, and where its other parts are. */
export interface ProvenHeader extends CellRef {
  readonly block: BlockId;
  readonly root: BlockRoot;
  readonly info: BlockInfo;
  /** The previous blocks: two after a merge. */
  readonly previous: readonly BlockId[];
}

/** Checks that a cell is the root of a block. */
export function checkRootHash(root: CellRef, block: BlockId, { verify }: CheckOptions): void {
  if (verify && !hashOf(root).equals(block.rootHash))
    refuse(
      ` block header for block ${fullBlockName(block)} has incorrect root hash ${formatHash(hashOf(root))} instead of ${formatHash(block.rootHash)}`,
    );
}

/** Reads a header and checks that it belongs to the block. */
export function checkHeader(proof: CellRef, block: BlockId, options: CheckOptions): ProvenHeader {
  checkRootHash(proof, block, options);
  const { cells, cell } = proof;
  const root = readBlockRoot(cells, cell);
  const info = readBlockInfo(cells, root.info);
  if (info.version !== 0) refuse('cannot unpack block header');
  if (info.workchain !== block.workchain || info.shard !== block.shard || info.seqno !== block.seqno)
    refuse(`block header contains block id ${shortBlockName(info)}, expected ${shortBlockName(block)}`);
  if (info.notMaster !== (info.workchain !== MASTERCHAIN))
    refuse('block has invalid not_master flag in its (Merkelized) header');
  if (info.afterMerge && info.afterSplit)
    refuse('shardchains cannot be simultaneously split and merged at the same block');
  const previous = previousBlocks(info);
  if (info.seqno !== 1 + Math.max(...previous.map(({ seqno }) => seqno)))
    refuse('new block has invalid seqno (not equal to one plus maximum of seqnos of its ancestors)');
  return { cells, cell, block, root, info, previous };
}

/** The state of a shard after a block, as far as a proof shows it. */
export interface ProvenState extends CellRef {
  readonly header: ProvenHeader;
  readonly state: ShardState;
}

/** Checks that a cell is the state after a block, given the block's header. */
export function checkState(
  headerCell: CellRef,
  stateCell: CellRef,
  block: BlockId,
  options: CheckOptions,
): ProvenState {
  const header = checkHeader(headerCell, block, options);
  const { newHash } = readStateUpdate(header.cells, header.root.stateUpdate);
  if (options.verify && !hashOf(stateCell).equals(newHash))
    refuse(
      `state hash mismatch in block header of ${fullBlockName(block)} : header declares ${formatHash(newHash)} expected ${formatHash(hashOf(stateCell))}`,
    );
  const { cells, cell } = stateCell;
  return { cells, cell, header, state: readShardState(cells, cell) };
}

/** The same for proofs in two bags. */
export function checkStateProofs(
  headerProof: Buffer,
  stateProof: Buffer,
  block: BlockId,
  options: CheckOptions,
): ProvenState {
  return checkState(openProof(headerProof, options), openProof(stateProof, options), block, options);
}

/** The part that only masterchain states have. */
export function masterchainExtra({ cells, state }: ProvenState): McStateExtra {
  if (state.custom < 0) refuse('the state is not that of the masterchain');
  return readMcStateExtra(cells, state.custom);
}

export function isAccountInBlock(block: BlockId, account: AccountId): boolean {
  return block.workchain === account.workchain && shardContains(block.shard, accountPrefix(account.hash));
}

/** A shard id in the form that nodes print. */
export function formatShard({ workchain, shard }: ShardIdent): string {
  return `${workchain}:${shardText(shard)}`;
}

/** The proof that a block is the newest one of its shard at a masterchain block. */
interface ShardProof {
  readonly id: BlockId;
  readonly shardBlock: BlockId;
  readonly shardProof: Buffer;
}

/** Enough for all shards of a busy network at the few blocks that are queried at the same time. */
const MAX_CACHED = 64;

/**
 * Verified proofs of shard blocks. All accounts of a shard come with the same one as long as a block is the newest, and
 * comparing its bytes is a hundred times cheaper than checking it.
 */
export class ShardProofCache {
  readonly #proofs = new LRUCache<string, Buffer>({ max: MAX_CACHED });

  /** Whether exactly this proof was verified before. */
  has(proof: ShardProof): boolean {
    return this.#proofs.get(keyOf(proof))?.equals(proof.shardProof) ?? false;
  }

  add(proof: ShardProof): void {
    this.#proofs.set(keyOf(proof), ownBytes(proof.shardProof));
  }
}

function keyOf({ id, shardBlock }: ShardProof): string {
  return `${textOf(id)}:${textOf(shardBlock)}`;
}

function textOf({ workchain, shard, seqno, rootHash, fileHash }: BlockId): string {
  return `${workchain}:${shard}:${seqno}:${rootHash.toString('latin1')}${fileHash.toString('latin1')}`;
}

/** A wrong proof of a masterchain block. */
export function blockProofFailure(detail: string, cause?: unknown): ProofFailure {
  return new ProofFailure('VALIDATE_BLOCK_PROOF', detail, cause);
}

/**
 * Queries a lite server: the bytes of one function (without `liteServer.query` around them) in, those of its response
 * out. A response `liteServer.error` is thrown as a LiteServerError.
 */
export type QueryServer = (request: Buffer) => Promise<Buffer>;

/** Queries and decodes; an unparseable response fails like the check that would follow. */
export async function queryProvable<M extends LiteMethod>(
  query: QueryServer,
  method: M,
  request: LiteArguments<M>,
  prefix: ProofPrefix,
): Promise<LiteResponseOf<M>> {
  const response = await query(encodeTl(LITE_METHODS[method], request));
  return runProofCheck(prefix, () => decodeResponse(method, response));
}

/** Queries something that cannot be proven; an unparseable response counts as a network error. */
export async function queryUnproven<M extends LiteMethod>(
  query: QueryServer,
  method: M,
  request: LiteArguments<M>,
): Promise<LiteResponseOf<M>> {
  const response = await query(encodeTl(LITE_METHODS[method], request));
  try {
    return decodeResponse(method, response);
  } catch (error) {
    if (error instanceof TlError) throw new LiteNetworkError(error.message, error);
    throw error;
  }
}

/** A query without a response: the connection failed or broke, or the response could not be parsed. */
export class LiteNetworkError extends Failure {
  /** `detail` follows the prefix without a separator, as existing clients expect. */
  constructor(detail: string, cause?: unknown) {
    super('lite_server', `LITE_SERVER_NETWORK${detail}`, { cause });
  }
}

/** A response whose proof is wrong: the server is malicious or broken. */
export class ProofFailure extends Failure {
  /** `prefix` is one of the VALIDATE_… names; `detail` follows it without a separator. */
  constructor(prefix: `VALIDATE_${string}`, detail: string, cause?: unknown) {
    super('lite_server', `${prefix}${detail}`, { cause });
  }
}
