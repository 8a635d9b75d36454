import { createHash } from 'node:crypto';
import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Cell } from '@ton/core';
import { Failure } from '../lib/errors.ts';
import { readStateConfig } from './chain-block.ts';
import type { ChainReader } from './chain-reader.ts';
import { type BlockId, MASTERCHAIN, rootOf, WHOLE_SHARD } from './core-readers.ts';
import { LiteRefusal } from './lite-client.ts';

interface PackSource {
  readonly folders: readonly string[];
  /** Root hash of the masterchain zero state, which one of the files must hold. */
  readonly zeroState: Buffer;
}

interface Place {
  readonly path: string;
  readonly at: number;
  readonly bytes: number;
}

const NAME = /^block_\((-?\d+),([0-9a-f]{16}),(\d+)\):([0-9a-f]{64}):([0-9a-f]{64})$/i;
const MAX_BAG_BYTES = 64 * 2 ** 20;

/**
 * Reads the chain from the pack files in folders, by code that shares nothing with their import. A file is read until it
 * ends or is not a package any more. States are not to be had.
 */
export async function createPackReader({ folders, zeroState: wanted }: PackSource): Promise<ChainReader> {
  const places = new Map<string, Place>();
  const masterchain = new Map<number, BlockId>();
  let zero: { readonly id: BlockId; readonly root: Cell } | undefined;
  for (const folder of folders)
    for await (const path of filesBelow(folder))
      if (path.endsWith('.pack'))
        await readEntries(path, (id, place) => {
          places.set(keyOf(id), place);
          if (id.workchain === MASTERCHAIN) masterchain.set(id.seqno, id);
        });
      else zero ??= await readZeroState(path, wanted);
  if (zero === undefined)
    throw new Failure('not_found', `no file below ${folders.join(', ')} holds the zero state of the index`);
  const { id: zeroState, root: zeroRoot } = zero;

  async function masterchainId(seqno: number): Promise<BlockId> {
    const id = masterchain.get(seqno);
    if (id === undefined) throw new Failure('not_found', `no pack has masterchain block ${seqno}`);
    return id;
  }

  return {
    zeroState,
    head: async () => (masterchain.size === 0 ? zeroState : masterchainId(Math.max(...masterchain.keys()))),
    lookUp: masterchainId,
    masterchainId,
    async block(id) {
      const place = places.get(keyOf(id));
      if (place === undefined)
        throw new Failure('not_found', `no pack has block (${id.workchain},${id.shard},${id.seqno})`);
      const bytes = await readPlace(place);
      if (!createHash('sha256').update(bytes).digest().equals(id.fileHash))
        throw new Failure(
          'lite_server',
          `${place.path} at byte ${place.at}: the block has another file hash`,
        );
      return rootOf(bytes);
    },
    firstConfig: async () => readStateConfig(zeroRoot),
    async account() {
      throw new LiteRefusal("state already gc'd");
    },
    close: async () => {},
  };
}

function keyOf({ rootHash, fileHash }: BlockId): string {
  return rootHash.toString('hex') + fileHash.toString('hex');
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    if (!entry.isDirectory()) yield join(entry.parentPath, entry.name);
}

async function readEntries(path: string, onBlock: (id: BlockId, place: Place) => void): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    for (let at = 4; at + 8 <= size; ) {
      const header = await readAt(file, at, 8);
      if (header.readUInt16LE(0) !== 0x1e8b) return;
      const nameBytes = header.readUInt16LE(2);
      const bytes = header.readUInt32LE(4);
      const start = at + 8 + nameBytes;
      if (start + bytes > size) return;
      const match = NAME.exec((await readAt(file, at + 8, nameBytes)).toString('latin1'));
      if (match !== null) onBlock(idOf(match), { path, at: start, bytes });
      at = start + bytes;
    }
  } finally {
    await file.close();
  }
}

function idOf([, workchain, shard, seqno, rootHash, fileHash]: RegExpExecArray): BlockId {
  return {
    workchain: Number(workchain),
    shard: BigInt.asIntN(64, BigInt(`0x${shard}`)),
    seqno: Number(seqno),
    rootHash: Buffer.from(rootHash!, 'hex'),
    fileHash: Buffer.from(fileHash!, 'hex'),
  };
}

async function readPlace({ path, at, bytes }: Place): Promise<Buffer> {
  const file = await open(path);
  try {
    return await readAt(file, at, bytes);
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
  return buffer.subarray(0, bytesRead);
}

/** The zero state in a file, if it is the wanted one. */
async function readZeroState(path: string, wanted: Buffer) {
  const { size } = await stat(path);
  if (size > MAX_BAG_BYTES) return undefined;
  const bytes = await readFile(path);
  // An unsorted folder has many other files.
  if (bytes.length < 4 || bytes.readUInt32BE(0) !== 0xb5ee9c72) return undefined;
  const [root] = Cell.fromBoc(bytes);
  if (!root?.hash().equals(wanted)) return undefined;
  const fileHash = createHash('sha256').update(bytes).digest();
  const id = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0, rootHash: wanted, fileHash };
  return { id, root };
}
