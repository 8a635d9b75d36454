import { type BlockId, fullBlockName } from './block-id.ts';

/*
 * Package files, in which nodes keep blocks, their proofs and zero states. All numbers are little-endian:
 *   magic:uint32 { entryMagic:uint16 nameBytes:uint16 dataBytes:uint32 name data }
 */

/** The first bytes of a package file. */
export const PACKAGE_MAGIC: Buffer = Buffer.from('01dd8fae', 'hex');
/** The first bytes of an entry. */
export const ENTRY_MAGIC: Buffer = Buffer.from('8b1e', 'hex');
export const ENTRY_HEADER_BYTES = 8;
/** Longer names than those of blocks are none that a node writes. */
export const MAX_NAME_BYTES = 256;

interface EntrySizes {
  readonly nameBytes: number;
  readonly dataBytes: number;
}

/** The sizes in the header of an entry; undefined where there is none. */
export function readEntryHeader(bytes: Buffer, at: number): EntrySizes | undefined {
  if (bytes.length < at + ENTRY_HEADER_BYTES) return undefined;
  if (bytes[at] !== ENTRY_MAGIC[0] || bytes[at + 1] !== ENTRY_MAGIC[1]) return undefined;
  const nameBytes = bytes.readUInt16LE(at + 2);
  if (nameBytes === 0 || nameBytes > MAX_NAME_BYTES) return undefined;
  return { nameBytes, dataBytes: bytes.readUInt32LE(at + 4) };
}

/** What an entry holds: a block, a proof of a masterchain block with signatures, one of a shard block, a zero state. */
export type EntryKind = 'block' | 'proof' | 'prooflink' | 'zerostate';

const NAME =
  /^(block|proof|prooflink|zerostate)_\((-?\d{1,10}),([0-9a-fA-F]{16}),(\d{1,10})\):([0-9a-fA-F]{64}):([0-9a-fA-F]{64})$/;

/** What the name of an entry says; undefined for entries of other kinds. */
export function parseEntryName(name: string): { readonly kind: EntryKind; readonly id: BlockId } | undefined {
  const match = NAME.exec(name);
  if (match === null) return undefined;
  const [, kind, workchain, shard, seqno, rootHash, fileHash] = match;
  const id = {
    workchain: Number(workchain),
    shard: BigInt.asIntN(64, BigInt(`0x${shard}`)),
    seqno: Number(seqno),
    rootHash: Buffer.from(rootHash!, 'hex'),
    fileHash: Buffer.from(fileHash!, 'hex'),
  };
  return { kind: kind as EntryKind, id };
}

/** The bytes of an entry. */
export function writeEntry(kind: EntryKind, id: BlockId, data: Buffer): Buffer {
  const name = Buffer.from(`${kind}_${fullBlockName(id)}`, 'latin1');
  const header = Buffer.alloc(ENTRY_HEADER_BYTES);
  ENTRY_MAGIC.copy(header);
  header.writeUInt16LE(name.length, 2);
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, name, data]);
}
