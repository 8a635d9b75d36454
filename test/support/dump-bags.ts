import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exportPacks } from '../../src/localnet/chain/export-packs.ts';
import { startDemoChain } from '../v3/support/indexed-demo.ts';
import { createQuietLog } from './quiet-log.ts';
import type { OfferedBag } from './storage-daemon.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

/** A bag of the demo chain. */
export interface DemoBag {
  readonly from: number;
  readonly to: number;
  readonly bag: string;
  readonly files: readonly string[];
}

const BAGS = 10;
/** Where key blocks are differs from chain to chain; there are always enough slices. */
const SLICE_SEQNOS = 5;

export const bagId = (name: string): string => createHash('sha256').update(name).digest('hex');

/** Writes the demo chain into packs as a node does, and makes ten bags of them; some begin at key blocks. */
export async function makeDemoBags() {
  const chain = await startDemoChain();
  const { seqno: head } = chain.localnet.store.head;
  const { zeroStates } = chain.localnet.store;
  await chain.stop();
  const folder = makeTemporaryDirectory('dump-bags');
  const packs = join(folder, 'packs');
  await exportPacks(dirname(chain.globalConfigPath), packs, createQuietLog(), SLICE_SEQNOS);
  const slices = new Map<number, string[]>();
  for (const name of readdirSync(packs, { recursive: true, encoding: 'utf8' }).sort()) {
    const first = /\/archive\.(\d+)\.[^/]*pack$/.exec(name)?.[1];
    if (first !== undefined)
      slices.set(Number(first), [...(slices.get(Number(first)) ?? []), join(packs, name)]);
  }
  const starts = [...slices.keys()].sort((a, b) => a - b);
  const bags = starts.slice(0, BAGS).map((from, i): DemoBag => {
    const isLast = i === BAGS - 1;
    const to = isLast ? head : starts[i + 1]! - 1;
    const files = isLast ? starts.slice(i).flatMap((start) => slices.get(start)!) : slices.get(from)!;
    return { from, to, bag: bagId(`bag ${i}`), files };
  });
  return { folder, packs, states: join(packs, 'archive', 'states'), head, zeroState: zeroStates[0]!, bags };
}

/** Writes a list of bags as the public one. */
export function writeDumpList(path: string, bags: readonly DemoBag[]): void {
  const blocks = bags.map(({ from, to, bag }) => ({ from, to, bag: bag.toUpperCase() }));
  writeFileSync(path, JSON.stringify({ blocks, states: [] }));
}

export function offered(bags: readonly DemoBag[]): Map<string, OfferedBag> {
  return new Map(bags.map(({ bag, files }) => [bag, { files }]));
}
