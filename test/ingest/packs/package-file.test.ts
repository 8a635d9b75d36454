import { randomBytes } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type BlockId, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { type EntryKind, PACKAGE_MAGIC, writeEntry } from '../../../src/chain/package-entries.ts';
import {
  createEntryReader,
  type Damage,
  type PackageEntry,
  readEntries,
} from '../../../src/ingest/fetch/packs/package-file.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';

const folder = makeTemporaryDirectory('package-file');
afterAll(() => removeTemporaryDirectory(folder));

function blockId(seqno: number, workchain = 0): BlockId {
  return { workchain, shard: WHOLE_SHARD, seqno, rootHash: randomBytes(32), fileHash: randomBytes(32) };
}

/** Entries of blocks with these sizes. */
function blocks(...sizes: number[]) {
  return sizes.map((size, i) => {
    const id = blockId(i + 1);
    return { kind: 'block', id, data: randomBytes(size) } as const;
  });
}

interface MadeEntry {
  readonly kind: EntryKind;
  readonly id: BlockId;
  readonly data: Buffer;
}

const entryBytes = ({ kind, id, data }: MadeEntry) => writeEntry(kind, id, data);
const packageBytes = (entries: readonly MadeEntry[]) =>
  Buffer.concat([PACKAGE_MAGIC, ...entries.map(entryBytes)]);

let files = 0;
function write(bytes: Buffer): string {
  const path = join(folder, `${++files}.pack`);
  writeFileSync(path, bytes);
  return path;
}

async function scan(path: string): Promise<{ entries: PackageEntry[]; damages: Damage[] }> {
  const entries: PackageEntry[] = [];
  const damages: Damage[] = [];
  for await (const entry of readEntries(path, (damage) => damages.push(damage))) entries.push(entry);
  return { entries, damages };
}

const seqnos = (entries: readonly PackageEntry[]) => entries.map(({ id }) => id.seqno);

describe('readEntries', () => {
  it('finds the entries of all known kinds and their data, whatever their size', async () => {
    const made = blocks(0, 10, 5000, 300_000);
    const proof = { kind: 'proof', id: blockId(9, -1), data: randomBytes(100) } as const;
    // One of another kind.
    const other = writeEntry('block', blockId(8), randomBytes(9));
    other.write('x', 8, 'latin1');
    const path = write(Buffer.concat([packageBytes(made), other, entryBytes(proof)]));
    const { entries, damages } = await scan(path);
    expect(damages).toEqual([]);
    expect(entries.map(({ kind }) => kind)).toEqual(['block', 'block', 'block', 'block', 'proof']);
    expect(entries.map(({ id }) => id)).toEqual([...made.map(({ id }) => id), proof.id]);
    const reader = createEntryReader();
    const read = await Promise.all(entries.map(reader.read));
    await reader.close();
    expect(Buffer.concat(read)).toEqual(Buffer.concat([...made.map(({ data }) => data), proof.data]));
  });

  it('reads a file that grows up to its last whole entry, and the rest the next time', async () => {
    const made = blocks(50, 60, 70);
    const whole = packageBytes(made);
    const last = entryBytes(made[2]!).length;
    for (const missing of [1, 70, 75, last - 3]) {
      const path = write(whole.subarray(0, whole.length - missing));
      const before = await scan(path);
      expect(seqnos(before.entries)).toEqual([1, 2]);
      expect(before.damages).toEqual([
        {
          path,
          at: whole.length - last,
          reason: 'the file ends inside an entry: it is cut, or still written',
        },
      ]);
      appendFileSync(path, whole.subarray(whole.length - missing));
      expect(seqnos((await scan(path)).entries)).toEqual([1, 2, 3]);
    }
  });

  it('has the data of entries wherever they lie, and of those that a file has grown by', async () => {
    const made = blocks(...Array.from({ length: 60 }, (_, i) => 1000 + i * 700));
    const path = write(packageBytes(made));
    const reader = createEntryReader();
    const { entries } = await scan(path);
    const read = await Promise.all(entries.toReversed().map(reader.read));
    expect(Buffer.concat(read.reverse())).toEqual(Buffer.concat(made.map(({ data }) => data)));
    const more = blocks(20, 30_000);
    appendFileSync(path, Buffer.concat(more.map(entryBytes)));
    const added = (await scan(path)).entries.slice(made.length);
    expect(await Promise.all(added.map(reader.read))).toEqual(more.map(({ data }) => data));
    await expect(reader.read({ ...added[1]!, dataBytes: 30_001 })).rejects.toThrow('the file became shorter');
    await reader.close();
  });

  it('goes on after a damaged header, length or name', async () => {
    const made = blocks(2000, 3000, 4000);
    const second = 4 + entryBytes(made[0]!).length;
    const third = second + entryBytes(made[1]!).length;
    // The magic of the second entry, its length too long for the file, its length somewhat too long.
    for (const [at, value, found] of [
      [second, 0, [1, 3]],
      [second + 7, 0x7f, [1, 3]],
      [second + 5, 0xff, [1, 3]],
      [second + 4, 0x01, [1, 2, 3]],
    ] as const) {
      const bytes = packageBytes(made);
      bytes[at] = value;
      const path = write(bytes);
      const { entries, damages } = await scan(path);
      expect(seqnos(entries)).toEqual(found);
      expect(damages).toHaveLength(1);
      expect(damages[0]!.reason).toBe(`damaged entry, continued at byte ${third}`);
    }
  });

  it('refuses a file that is no package', async () => {
    for (const bytes of [Buffer.alloc(0), randomBytes(3), Buffer.alloc(1000)]) {
      const path = write(bytes);
      expect(await scan(path)).toMatchObject({ entries: [], damages: [{ path, at: 0 }] });
    }
  });
});
