import type { BlockId } from '../../../chain/block-id.ts';
import type { FetchedSeqno } from '../../fetch/fetched-seqno.ts';

/** The name of a block as a thread is told: hashes as text, since views would be sent with all that they look at. */
interface BlockIdWire extends Pick<BlockId, 'workchain' | 'shard' | 'seqno'> {
  readonly rootHash: string;
  readonly fileHash: string;
}

/** A seqno to be decoded, as a thread is told. */
export interface JobWire {
  readonly number: number;
  readonly mcSeqno: number;
  readonly globalVersion: number;
  /** The masterchain block first. */
  readonly blocks: readonly BlockIdWire[];
  /** The lengths of the blocks in `bytes`, where they follow each other. */
  readonly lengths: readonly number[];
  readonly bytes: ArrayBuffer;
  readonly tops: readonly BlockIdWire[];
}

/** What a thread answers: a packed seqno, or why there is none. */
export type ReplyWire =
  | { readonly number: number; readonly packed: ArrayBuffer }
  | { readonly number: number; readonly fault: string };

/** A seqno as it is sent to a thread; the bytes of its blocks are copied. */
export function toWire(number: number, fetched: FetchedSeqno): JobWire {
  const { mcSeqno, globalVersion, tops } = fetched;
  const blocks = [fetched.masterchain, ...fetched.shardBlocks];
  const lengths = blocks.map(({ bytes }) => bytes.length);
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    bytes.set(block.bytes, at);
    at += block.bytes.length;
  }
  return {
    number,
    mcSeqno,
    globalVersion,
    blocks: blocks.map(({ id }) => idToWire(id)),
    lengths,
    bytes: bytes.buffer,
    tops: tops.map(idToWire),
  };
}

/** A seqno as a thread got it. */
export function fromWire({ mcSeqno, globalVersion, blocks, lengths, bytes, tops }: JobWire): FetchedSeqno {
  let at = 0;
  const [masterchain, ...shardBlocks] = blocks.map((id, i) => {
    at += lengths[i]!;
    return { id: idFromWire(id), bytes: Buffer.from(bytes, at - lengths[i]!, lengths[i]!) };
  });
  return { mcSeqno, globalVersion, masterchain: masterchain!, shardBlocks, tops: tops.map(idFromWire) };
}

function idToWire({ workchain, shard, seqno, rootHash, fileHash }: BlockId): BlockIdWire {
  const hashes = { rootHash: rootHash.toString('latin1'), fileHash: fileHash.toString('latin1') };
  return { workchain, shard, seqno, ...hashes };
}

function idFromWire({ rootHash, fileHash, ...place }: BlockIdWire): BlockId {
  const hashes = { rootHash: Buffer.from(rootHash, 'latin1'), fileHash: Buffer.from(fileHash, 'latin1') };
  return { ...place, ...hashes };
}
