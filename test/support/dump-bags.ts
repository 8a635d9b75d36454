import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exportPacks } from '../../src/localnet/chain/export-packs.ts';
import { startDemoChain } from '../v3/support/indexed-demo.ts';
import { isLongRun, sampled } from './long-run.ts';
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
const SLICE_SEQNOS = sampled(3, 5);

export const bagId = (name: string): string => createHash('sha256').update(name).digest('hex');

/**
 * Writes the demo chain into packs as a node does, and makes ten bags of them; some begin at key blocks. The bags end at
 * the head of the chain in a long run, and before it in a short one.
 */
export async function makeDemoBags() {
  const chain = await startDemoChain();
  const { seqno: last } = chain.localnet.store.head;
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
    // The rest of the chain takes long.
    const isLast = isLongRun && i === BAGS - 1;
    const to = isLast ? last : starts[i + 1]! - 1;
    const files = isLast ? starts.slice(i).flatMap((start) => slices.get(start)!) : slices.get(from)!;
    return { from, to, bag: bagId(`bag ${i}`), files };
  });
  const states = join(packs, 'archive', 'states');
  return { folder, packs, states, head: bags.at(-1)!.to, zeroState: zeroStates[0]!, bags };
}

/** Writes a list of bags as the public one. */
export function writeDumpList(path: string, bags: readonly DemoBag[]): void {
  const blocks = bags.map(({ from, to, bag }) => ({ from, to, bag: bag.toUpperCase() }));
  writeFileSync(path, JSON.stringify({ blocks, states: [] }));
}

export function offered(bags: readonly DemoBag[]): Map<string, OfferedBag> {
  return new Map(bags.map(({ bag, files }) => [bag, { files }]));
}
