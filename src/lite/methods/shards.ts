import { type BlockId, MASTERCHAIN, sameBlock } from '../../chain/block-id.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { BLOCK_ID_BYTES, readBlockId, writeBlockId } from '../../chain/tl/ids.ts';
import type { LiteMethodCodec, TlReader, TlType, TlWriter } from '../../chain/tl/tl.ts';
import { readBlockExtra, readBlockRoot } from '../../chain/tlb/block.ts';
import type { ShardIdent } from '../../chain/tlb/block-refs.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-block.ts';
import { findShard, readShardHashes, type ShardDescr, topBlock } from '../../chain/tlb/shard-hashes.ts';
import { type Ask, askProvable } from './ask.ts';
import {
  type CellRef,
  type CheckOptions,
  checkHeader,
  checkRootHash,
  checkState,
  hashOf,
  isMasterchainBlock,
  isValidBlockId,
  masterchainExtra,
  openProof,
  openProofPair,
  readWholeBag,
  refuse,
  runProofCheck,
} from './proofs.ts';

/** `liteServer.shardInfo`: the newest block of one shard that a masterchain block names. */
export interface ShardInfo {
  readonly id: BlockId;
  readonly shardBlock: BlockId;
  readonly shardProof: Buffer;
  readonly shardDescr: Buffer;
}

/** `liteServer.allShardsInfo`: the newest blocks of all shards that a masterchain block names. */
export interface AllShardsInfo {
  readonly id: BlockId;
  readonly proof: Buffer;
  readonly data: Buffer;
}

const shardInfo: TlType<ShardInfo> = {
  name: 'liteServer.shardInfo',
  id: 0x9fe6cd84,
  write(w, info) {
    writeBlockId(w, info.id);
    writeBlockId(w, info.shardBlock);
    w.bytes(info.shardProof);
    w.bytes(info.shardDescr);
  },
  read: (r) => ({
    id: readBlockId(r),
    shardBlock: readBlockId(r),
    shardProof: r.bytes(),
    shardDescr: r.bytes(),
  }),
};

const allShardsInfo: TlType<AllShardsInfo> = {
  name: 'liteServer.allShardsInfo',
  id: 0x098fe72d,
  write(w, info) {
    writeBlockId(w, info.id);
    w.bytes(info.proof);
    w.bytes(info.data);
  },
  read: (r) => ({ id: readBlockId(r), proof: r.bytes(), data: r.bytes() }),
};

/** Request of `getShardInfo`; without `exact`, the shard that holds the given one is answered. */
export interface GetShardInfo {
  readonly method: 'getShardInfo';
  readonly id: BlockId;
  readonly workchain: number;
  readonly shard: bigint;
  readonly exact: boolean;
}

/** `liteServer.getShardInfo`: the newest block of one shard. */
export const getShardInfoCodec: LiteMethodCodec<GetShardInfo, ShardInfo> = {
  name: 'liteServer.getShardInfo',
  id: 0x46a2f425,
  answer: shardInfo,
  write(w, request) {
    writeBlockId(w, request.id);
    w.int(request.workchain);
    w.long(request.shard);
    w.bool(request.exact);
  },
  read: (r) => ({
    method: 'getShardInfo',
    id: readBlockId(r),
    workchain: r.int(),
    shard: r.long(),
    exact: r.bool(),
  }),
};

/** Request of `getAllShardsInfo`. */
interface GetAllShardsInfo {
  readonly method: 'getAllShardsInfo';
  readonly id: BlockId;
}

/** `liteServer.getAllShardsInfo`: the newest blocks of all shards. */
export const getAllShardsInfoCodec: LiteMethodCodec<GetAllShardsInfo, AllShardsInfo> = {
  name: 'liteServer.getAllShardsInfo',
  id: 0x74d3fd6b,
  answer: allShardsInfo,
  write: (w, request) => writeBlockId(w, request.id),
  read: (r) => ({ method: 'getAllShardsInfo', id: readBlockId(r) }),
};

/** `liteServer.shardBlockLink`: one step from a masterchain block down to a shard block. */
export interface ShardBlockLink {
  readonly id: BlockId;
  readonly proof: Buffer;
}

/** The fewest bytes a link has: its block and an empty proof. */
export const SHARD_BLOCK_LINK_BYTES = BLOCK_ID_BYTES + 4;

/** Writes a link. */
export function writeShardBlockLink(writer: TlWriter, link: ShardBlockLink): void {
  writeBlockId(writer, link.id);
  writer.bytes(link.proof);
}

/** Reads a link. */
export function readShardBlockLink(reader: TlReader): ShardBlockLink {
  return { id: readBlockId(reader), proof: reader.bytes() };
}

/** `liteServer.shardBlockProof`: the steps that prove a shard block from a masterchain block. */
export interface ShardBlockProof {
  readonly masterchainId: BlockId;
  readonly links: readonly ShardBlockLink[];
}

const shardBlockProof: TlType<ShardBlockProof> = {
  name: 'liteServer.shardBlockProof',
  id: 0x1d62a07a,
  write(w, proof) {
    writeBlockId(w, proof.masterchainId);
    w.vector(proof.links, writeShardBlockLink);
  },
  read: (r) => ({
    masterchainId: readBlockId(r),
    links: r.vector(SHARD_BLOCK_LINK_BYTES, readShardBlockLink),
  }),
};

/** Request of `getShardBlockProof`. */
interface GetShardBlockProof {
  readonly method: 'getShardBlockProof';
  readonly id: BlockId;
}

/** `liteServer.getShardBlockProof`: proves a shard block from a masterchain block that the server chooses. */
export const getShardBlockProofCodec: LiteMethodCodec<GetShardBlockProof, ShardBlockProof> = {
  name: 'liteServer.getShardBlockProof',
  id: 0x4ca60350,
  answer: shardBlockProof,
  write: (w, request) => writeBlockId(w, request.id),
  read: (r) => ({ method: 'getShardBlockProof', id: readBlockId(r) }),
};

/** The newest block of the shard that holds another one, or with `exact` of that one itself; undefined for none. */
export async function getShardInfo(
  ask: Ask,
  block: BlockId,
  { workchain, shard, exact }: ShardIdent & { readonly exact: boolean },
  options: CheckOptions,
): Promise<ShardDescr | undefined> {
  const request = { method: 'getShardInfo', id: block, workchain, shard, exact } as const;
  const answer = await askProvable(ask, getShardInfoCodec, request, 'VALIDATE_BLOCK_PROOF');
  return checkShardInfo(answer, { block, workchain, shard, exact }, options);
}

/** The newest blocks of all shards that a masterchain block names, in the order that clients expect. */
export async function getAllShardsInfo(
  ask: Ask,
  block: BlockId,
  options: CheckOptions,
): Promise<ShardDescr[]> {
  const answer = await askProvable(
    ask,
    getAllShardsInfoCodec,
    { method: 'getAllShardsInfo', id: block },
    'VALIDATE_BLOCK_PROOF',
  );
  return checkAllShards(answer, block, options);
}

/** The links that lead from a masterchain block, which is still to be proven, to a shard block. */
export async function getShardBlockProof(
  ask: Ask,
  block: BlockId,
  options: CheckOptions,
): Promise<ShardBlockProof> {
  const answer = await askProvable(
    ask,
    getShardBlockProofCodec,
    { method: 'getShardBlockProof', id: block },
    'VALIDATE_BLOCK_PROOF',
  );
  return checkShardBlockProof(answer, block, options);
}

/** The root of ShardHashes in a masterchain block, -1 when it is empty. */
export function shardHashesOf({ cells, cell }: CellRef): number {
  const extra = readBlockExtra(cells, readBlockRoot(cells, cell).extra);
  if (extra.masterchain < 0) refuse('cannot unpack block extra: not a masterchain block');
  return readMasterchainExtra(cells, extra.masterchain).shardHashes;
}

/**
 * Checks the answer of getAllShardsInfo: the newest blocks of all shards that a masterchain block names, workchains in
 * ascending order, shards of one from left to right.
 */
export function checkAllShards(answer: AllShardsInfo, block: BlockId, options: CheckOptions): ShardDescr[] {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
    if (!isMasterchainBlock(block))
      refuse('Shard configuration can be requested only for a masterchain block');
    const data = readWholeBag(answer.data);
    const slice = new Slice(data, data.root);
    const root = slice.maybeRef();
    slice.end();
    const proof = openProof(answer.proof, options);
    checkRootHash(proof, block, options);
    const expected = shardHashesOf(proof);
    if (root < 0 !== expected < 0) refuse('Block shards data or proof missing root reference');
    if (options.verify && root >= 0 && !data.hash(root).equals(proof.cells.hash(expected, 0)))
      refuse("Block shards data and proof hashes don't match");
    return readShardHashes(data, root);
  });
}

/** A question about one shard as a masterchain block sees it. */
interface ShardQuestion extends ShardIdent {
  readonly block: BlockId;
  /** Whether a shard that holds the given one is no answer. */
  readonly exact: boolean;
}

/** Checks the answer of getShardInfo: the newest block of a shard, or undefined where there is no such shard. */
export function checkShardInfo(
  answer: ShardInfo,
  question: ShardQuestion,
  options: CheckOptions,
): ShardDescr | undefined {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    const { block, exact } = question;
    const { shardBlock, shardDescr } = answer;
    if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
    const [headerCell, stateCell] = openProofPair(answer.shardProof, 'shard configuration proof', options);
    const state = checkState(headerCell, stateCell, block, options);
    const found = findShard(state.cells, masterchainExtra(state).shardHashes, question, exact);
    if (found === undefined) {
      if (isValidBlockId(shardBlock) || shardDescr.length > 0)
        refuse('shard configuration proof shows no such shard, but the answer names one');
      return undefined;
    }
    if (!sameBlock(topBlock(found.descr), shardBlock))
      refuse('shard configuration proof shows another block than the answer names');
    const received = readWholeBag(shardDescr);
    if (options.verify && !received.hash(received.root).equals(hashOf(found)))
      refuse('shard configuration proof shows another shard description than the answer holds');
    return found.descr;
  });
}

// Between two masterchain blocks a shard makes no more blocks than this.
const MAX_LINKS = 8;

/** Follows links from a masterchain block through shard blocks, each of which names the next; gives the last one. */
export function followShardLinks(
  from: BlockId,
  links: readonly ShardBlockLink[],
  options: CheckOptions,
): BlockId {
  if (links.length > MAX_LINKS) refuse('chain is too long');
  let at = from;
  for (const { id, proof } of links) {
    const found = openProof(proof, options);
    if (at.workchain === MASTERCHAIN) {
      checkRootHash(found, at, options);
      const shard = findShard(found.cells, shardHashesOf(found), id, true);
      if (shard === undefined || !sameBlock(topBlock(shard.descr), id))
        refuse('invalid proof chain: prev block is not in mc shard list');
    } else if (!checkHeader(found, at, options).previous.some((previous) => sameBlock(previous, id)))
      refuse('invalid proof chain: prev block is not in prev blocks list');
    at = id;
  }
  return at;
}

/**
 * Checks the answer of getShardBlockProof: its links lead from a masterchain block to the block that was asked about.
 * The masterchain block, which is given back, is still to be proven.
 */
export function checkShardBlockProof(
  answer: ShardBlockProof,
  block: BlockId,
  options: CheckOptions,
): ShardBlockProof {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    const { masterchainId, links } = answer;
    if (!isMasterchainBlock(masterchainId)) refuse('got invalid masterchain block id');
    if (masterchainId.seqno === 0) refuse('got masterchain block id with seqno=0');
    if (!sameBlock(followShardLinks(masterchainId, links, options), block)) refuse('got invalid proof chain');
    return answer;
  });
}
