import { readBoc } from '../../../chain/boc/bag.ts';
import { readBlockInfo, readBlockRoot } from '../../../chain/tlb/block.ts';
import type { PackFolder } from './pack-folder.ts';
import type { PackIndex } from './pack-index.ts';
import type { EntryReader } from './package-file.ts';

interface TimeParts {
  readonly folder: PackFolder;
  readonly index: PackIndex;
  readonly reader: EntryReader;
}

/** The first masterchain seqno of packs that was made at a time or later, in unix seconds; undefined if all are older. */
export async function firstSeqnoSince(parts: TimeParts, utime: number): Promise<number | undefined> {
  const { slices, others } = parts.folder;
  const groups = slices.map(({ paths }) => paths);
  if (others.length > 0) groups.push(others);
  // The last slice that begins before the time may have the seqno, or else the next one begins with it.
  const later = await firstIndex(groups.length, async (i) => {
    const [first] = await parts.index.seqnosIn(groups[i]!);
    return first !== undefined && (await utimeOf(parts, first)) >= utime;
  });
  for (const paths of groups.slice(Math.max(0, later - 1), later + 1)) {
    const seqnos = await parts.index.seqnosIn(paths);
    const at = await firstIndex(seqnos.length, async (i) => (await utimeOf(parts, seqnos[i]!)) >= utime);
    if (at < seqnos.length) return seqnos[at];
  }
  return undefined;
}

/** The first index for which a condition holds that holds for all after it too. */
async function firstIndex(count: number, holds: (index: number) => Promise<boolean>): Promise<number> {
  let low = 0;
  for (let high = count; low < high; ) {
    const middle = (low + high) >> 1;
    if (await holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** When a block was made, by its unproven header; a damaged one counts as old. */
async function utimeOf({ index, reader }: TimeParts, seqno: number): Promise<number> {
  const [entry] = await index.masterchainBlocks(seqno);
  try {
    const bag = readBoc(await reader.read(entry!));
    return readBlockInfo(bag, readBlockRoot(bag, bag.root).info).genUtime;
  } catch {
    return 0;
  }
}
