import { MASTERCHAIN } from '../chain/block-id.ts';
import { readBoc } from '../chain/boc/bag.ts';
import { publicNetworkOf } from '../chain/public-networks.ts';
import { readShardState } from '../chain/tlb/shard-state.ts';
import { gapsBetween } from '../index/coverage.ts';
import { joinRanges, type SeqnoRange } from '../index/snapshot.ts';
import { findPacks, type PackFolder, readBags } from '../ingest/fetch/packs/pack-folder.ts';
import { describeDamage, type PackageEntry, readEntries } from '../ingest/fetch/packs/package-file.ts';
import type { TextOutput } from '../lib/log.ts';
import { formatBytes, formatTable } from './format.ts';

const MAX_SHOWN = 20;

interface Counts {
  files: number;
  bytes: number;
  blocks: number;
  shardBlocks: number;
  proofs: number;
}

/**
 * Says what the packs in folders hold, by the headers of their entries; returns whether an import from the first block would
 * find everything. Whether blocks are true is not looked at.
 */
export async function examinePacks(folders: readonly string[], out: TextOutput): Promise<boolean> {
  const folder = await findPacks(folders);
  const { counts, seqnos, damages } = await countEntries(folder);
  const zeroStates = await readZeroStates(folder);
  out.write(`Packs below ${folders.join(', ')}\n\n`);
  out.write(
    formatTable([
      {
        FILES: `${counts.files}`,
        SIZE: formatBytes(counts.bytes),
        MASTERCHAIN: `${counts.blocks}`,
        PROOFS: `${counts.proofs}`,
        SHARDS: `${counts.shardBlocks}`,
      },
    ]),
  );
  out.write('\n');
  const held = joinRanges(seqnos);
  const gaps = held.length === 0 ? [] : gapsBetween(held, { first: held[0]!.first, last: held.at(-1)!.last });
  const lines = [
    ...held.map((range) => `Masterchain seqnos ${rangeText(range)}`),
    ...gaps.map((range) => `Missing: masterchain seqnos ${rangeText(range)}`),
    ...zeroStates.map(({ workchain, name, path }) => `Zero state of workchain ${workchain}${name}: ${path}`),
    ...damages.map((text) => `Damaged: ${text}`),
  ];
  for (const line of lines.slice(0, MAX_SHOWN)) out.write(`- ${line}\n`);
  if (lines.length > MAX_SHOWN) out.write(`- ${lines.length - MAX_SHOWN} more lines\n`);
  if (held[0]?.first === 1 && !zeroStates.some(({ workchain }) => workchain === MASTERCHAIN))
    out.write(
      '- The zero state of the masterchain is not here: import needs it to prove the first blocks.\n',
    );
  return held.length === 1 && damages.length === 0;
}

async function countEntries({ slices, others, keyPacks }: PackFolder) {
  const counts: Counts = { files: 0, bytes: 0, blocks: 0, shardBlocks: 0, proofs: 0 };
  const seqnos = new Set<number>();
  const damages: string[] = [];
  const add = ({ kind, id: { workchain, seqno }, dataBytes }: PackageEntry): void => {
    counts.bytes += dataBytes;
    if (kind === 'proof') counts.proofs++;
    else if (kind === 'block' && workchain !== MASTERCHAIN) counts.shardBlocks++;
    else if (kind === 'block') {
      counts.blocks++;
      seqnos.add(seqno);
    }
  };
  for (const path of [...slices, ...keyPacks].flatMap(({ paths }) => paths).concat(others)) {
    counts.files++;
    try {
      for await (const entry of readEntries(path, (damage) => damages.push(describeDamage(damage))))
        add(entry);
    } catch (error) {
      damages.push(describeDamage({ path, reason: (error as Error).message }));
    }
  }
  const ascending = [...seqnos].sort((a, b) => a - b);
  return { counts, seqnos: ascending.map((seqno) => ({ first: seqno, last: seqno })), damages };
}

async function readZeroStates(folder: PackFolder) {
  const found: { readonly workchain: number; readonly name: string; readonly path: string }[] = [];
  for await (const { path, bytes } of readBags(folder))
    try {
      const bag = readBoc(bytes);
      const { workchain, seqno } = readShardState(bag, bag.root);
      if (seqno !== 0) continue;
      const network = workchain === MASTERCHAIN ? publicNetworkOf(bag.hash(bag.root)) : undefined;
      found.push({ workchain, name: network === undefined ? '' : ` (${network})`, path });
    } catch {
      // Another kind of bag.
    }
  return found;
}

function rangeText({ first, last }: SeqnoRange): string {
  return first === last ? `${first}` : `${first} to ${last}`;
}
