import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import { PACKAGE_MAGIC, writeEntry } from '../../chain/package-entries.ts';
import type { SeqnoRange } from '../../index/snapshot.ts';
import { fetchProvenBlock, readMasterchainFacts } from '../fetch/masterchain-blocks.ts';
import type { PackIndex } from '../fetch/packs/pack-index.ts';
import type { EntryReader } from '../fetch/packs/package-file.ts';
import { readBlock } from '../fetch/packs/prove-range.ts';
import type { LiteHelp } from '../fill-gaps.ts';

/*
 * The first block of a bag is read by two blocks before it, whose bag is deleted by then: the masterchain block before, which
 * says which shard blocks are new, and the last key block, which has the configuration and the validators. Both are kept in
 * packs of one block.
 */

type Kind = 'last' | 'key';
const NAME = /^kept-(last|key)\.(\d+)\.pack$/;

/** What packs have, and how far their blocks are believed. */
interface Packs {
  readonly index: PackIndex;
  readonly reader: EntryReader;
  /** Whether a block needs no proof. */
  readonly isKnown: (id: BlockId) => Promise<boolean>;
}

export type KeptBlocks = ReturnType<typeof createKeptBlocks>;

/** Creates the keeper of a folder. */
export function createKeptBlocks(folder: string) {
  async function keep(kind: Kind, id: BlockId, bytes: Buffer): Promise<void> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, `kept-${kind}.${id.seqno}.pack`);
    // Another process may keep the same one.
    const draft = `${path}.${process.pid}.new`;
    await writeFile(draft, Buffer.concat([PACKAGE_MAGIC, writeEntry('block', id, bytes)]));
    await rename(draft, path);
  }

  /** Keeps a block of lite servers, which is proven from their head; returns it. */
  async function fetchFrom(lite: LiteHelp, kind: Kind, seqno: number, signal: AbortSignal) {
    const block = await fetchProvenBlock({ ...lite, signal }, seqno);
    await keep(kind, block.id, block.bytes);
    return block;
  }

  return {
    folder,
    /**
     * Gets from lite servers what the packs lack of the blocks before a seqno; returns the ids of those that came, which
     * are proven.
     */
    async complete(packs: Packs, seqno: number, lite: LiteHelp, signal: AbortSignal): Promise<BlockId[]> {
      if (seqno <= 1) return [];
      const fetched: BlockId[] = [];
      let before = await findBlock(packs, seqno - 1);
      if (before === undefined) {
        before = await fetchFrom(lite, 'last', seqno - 1, signal);
        fetched.push(before.id);
      }
      const { prevKeyBlockSeqno, config } = readMasterchainFacts(before.bytes);
      // The configuration of a key block goes for the blocks after it.
      const keySeqno = config === undefined ? prevKeyBlockSeqno : seqno - 1;
      if (keySeqno === 0 || fetched.some((id) => id.seqno === keySeqno)) return fetched;
      const key = await findBlock(packs, keySeqno);
      if (key === undefined || !(await packs.isKnown(key.id)))
        fetched.push((await fetchFrom(lite, 'key', keySeqno, signal)).id);
      return fetched;
    },
    /** Keeps what the seqno after a range is read by; with `onlyKnown` nothing that is not proven yet. */
    async keepEnd(
      packs: Packs,
      range: SeqnoRange,
      { onlyKnown }: { readonly onlyKnown: boolean },
    ): Promise<void> {
      for (let seqno = range.last; seqno >= range.first; seqno--) {
        const block = await findBlock(packs, seqno);
        // Before a damaged block there may be the key block.
        if (block === undefined || (onlyKnown && !(await packs.isKnown(block.id)))) continue;
        if (seqno === range.last) await keep('last', block.id, block.bytes);
        const { prevKeyBlockSeqno, config } = readMasterchainFacts(block.bytes);
        const key = config === undefined ? await findBlock(packs, prevKeyBlockSeqno) : block;
        if (key !== undefined) await keep('key', key.id, key.bytes);
        return;
      }
    },
    /** Deletes what nothing will be read by any more. */
    async prune(indexed: readonly SeqnoRange[]): Promise<void> {
      const kept = (await readdir(folder).catch(() => [])).flatMap((name) => {
        const match = NAME.exec(name);
        return match === null ? [] : [{ name, kind: match[1] as Kind, seqno: Number(match[2]) }];
      });
      for (const { name, kind, seqno } of kept) {
        const range = indexed.find(({ first, last }) => first <= seqno && seqno < last);
        if (range === undefined) continue;
        const hasLaterKey = kept.some(
          (other) => other.kind === 'key' && other.seqno > seqno && other.seqno <= range.last,
        );
        if (kind === 'last' || hasLaterKey) await rm(join(folder, name), { force: true });
      }
    },
  };
}

/** A masterchain block of the packs, undamaged; of several the one that is known. */
async function findBlock({ index, reader, isKnown }: Packs, seqno: number) {
  let found: { readonly id: BlockId; readonly bytes: Buffer } | undefined;
  for (const entry of seqno === 0 ? [] : await index.masterchainBlocks(seqno)) {
    if (found !== undefined && sameBlock(found.id, entry.id)) continue;
    const bytes = await readBlock({ reader, onDamage() {} }, entry);
    if (bytes === undefined) continue;
    if (await isKnown(entry.id)) return { id: entry.id, bytes };
    found ??= { id: entry.id, bytes };
  }
  return found;
}
