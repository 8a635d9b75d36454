import { createHash } from 'node:crypto';
import { type BlockId, shardText } from '../block-id.ts';
import { tl } from '../tl/fields.ts';
import { TlWriter } from '../tl/tl.ts';

/** What a node's file of a state holds, by its name. */
export type StateFileName =
  | { readonly kind: 'zero'; readonly workchain: number }
  | {
      /** The whole state of a shard, or the header of one that is split. */
      readonly kind: 'whole' | 'header';
      readonly mcSeqno: number;
      readonly workchain: number;
      readonly shard: bigint;
    }
  | {
      readonly kind: 'part';
      readonly mcSeqno: number;
      readonly workchain: number;
      readonly shard: bigint;
      /** The prefix of its accounts. */
      readonly part: bigint;
    };

const ZERO = /^zerostate_(-?\d{1,10})_[0-9a-f]{64}$/i;
const STATE = /^(state|statesplit)_(\d{1,10})_(-?\d{1,10})_([0-9a-f]{16})_[0-9a-f]{64}$/i;
const PART = /^stateaccount_(\d{1,10})_(-?\d{1,10})_([0-9a-f]{16})_([0-9a-f]{16})_[0-9a-f]{64}$/i;

/** What the name of a file says; undefined for names that nodes do not give to states. */
export function parseStateFileName(name: string): StateFileName | undefined {
  const zero = ZERO.exec(name);
  if (zero !== null) return { kind: 'zero', workchain: Number(zero[1]) };
  const state = STATE.exec(name);
  if (state !== null)
    return {
      kind: state[1]!.toLowerCase() === 'state' ? 'whole' : 'header',
      mcSeqno: Number(state[2]),
      workchain: Number(state[3]),
      shard: readShard(state[4]!),
    };
  const part = PART.exec(name);
  if (part === null) return undefined;
  return {
    kind: 'part',
    mcSeqno: Number(part[1]),
    workchain: Number(part[2]),
    shard: readShard(part[3]!),
    part: readShard(part[4]!),
  };
}

function readShard(hex: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${hex}`));
}

// The hash in a name is that of the key in a node's database:
// db.filedb.key.zeroStateFile block_id:tonNode.blockIdExt = db.filedb.Key;
// db.filedb.key.persistentStateFile block_id:tonNode.blockIdExt masterchain_block_id:tonNode.blockIdExt = db.filedb.Key;
// db.filedb.key.splitPersistentStateFile block_id:tonNode.blockIdExt masterchain_block_id:tonNode.blockIdExt
//   = db.filedb.Key;
// db.filedb.key.splitAccountStateFile block_id:tonNode.blockIdExt masterchain_block_id:tonNode.blockIdExt
//   effective_shard:long = db.filedb.Key;

const ZERO_KEY = 0x1252863d;
const WHOLE_KEY = 0xafb6764c;
const HEADER_KEY = 0x9bb0335f;
const PART_KEY = 0xc66ca566;

export function zeroStateFileName(id: BlockId): string {
  return `zerostate_${id.workchain}_${hashOfKey(ZERO_KEY, [id])}`;
}

/** The state after a block that a masterchain block refers to. */
interface StatePlace {
  readonly block: BlockId;
  readonly masterchainBlock: BlockId;
}

export function wholeStateFileName(place: StatePlace): string {
  return `state_${placeText(place)}_${hashOfKey(WHOLE_KEY, [place.block, place.masterchainBlock])}`;
}

export function stateHeaderFileName(place: StatePlace): string {
  return `statesplit_${placeText(place)}_${hashOfKey(HEADER_KEY, [place.block, place.masterchainBlock])}`;
}

export function statePartFileName(place: StatePlace, part: bigint): string {
  const hash = hashOfKey(PART_KEY, [place.block, place.masterchainBlock], part);
  return `stateaccount_${placeText(place)}_${shardText(part)}_${hash}`;
}

function placeText({ block, masterchainBlock }: StatePlace): string {
  return `${masterchainBlock.seqno}_${block.workchain}_${shardText(block.shard)}`;
}

function hashOfKey(key: number, blocks: readonly BlockId[], part?: bigint): string {
  const writer = new TlWriter();
  writer.uint(key);
  for (const block of blocks) tl.blockId.write(writer, block);
  if (part !== undefined) writer.long(part);
  return createHash('sha256').update(writer.finish()).digest('hex').toUpperCase();
}
