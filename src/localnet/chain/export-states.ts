import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { readBoc } from '../../chain/boc/bag.ts';
import type { CellRef } from '../../chain/boc/cells.ts';
import { writeStateBag } from '../../chain/boc/state-writer.ts';
import { shardPrefixBits, shardsOfDepth } from '../../chain/shards.ts';
import { BuildingArena } from '../../chain/state/building-arena.ts';
import {
  stateHeaderFileName,
  statePartFileName,
  wholeStateFileName,
  zeroStateFileName,
} from '../../chain/state/state-file-names.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import { buildStatePart, makeStateHeader } from '../../chain/tlb/split-state.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { headShards, headState } from '../store/head-state.ts';
import { replaceDurably } from './chain-folder.ts';

interface ExportStatesOptions {
  readonly store: ChainStore;
  readonly folder: string;
  /** States of shards with a shorter prefix than this are split into parts with prefixes of this length; 0 splits none. */
  readonly splitDepth: number;
}

/**
 * Writes the zero states of a chain and the states at its head into a folder, in files with the names and the form of a
 * node; returns their names.
 */
export async function exportStates({ store, folder, splitDepth }: ExportStatesOptions): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const names: string[] = [];
  const write = async (name: string, pieces: Iterable<Buffer>): Promise<void> => {
    await replaceDurably(join(folder, name), (draft) => writePieces(draft, pieces));
    names.push(name);
  };
  for (const id of store.zeroStates) await write(zeroStateFileName(id), [store.zeroStateBytes(id)!]);
  const head = headState(store);
  // At the zero state there is no other one.
  if (head.id.seqno === 0) return names;
  for (const block of [head.id, ...headShards(head)]) {
    if (block.seqno === 0) continue;
    const tree = store.state(block);
    if (typeof tree !== 'object') throw new Error('a state at the head is missing');
    const place = { block, masterchainBlock: head.id };
    const isSplit = block.workchain >= 0 && shardPrefixBits(block.shard) < splitDepth;
    if (!isSplit) {
      await write(wholeStateFileName(place), writeStateBag(tree));
      continue;
    }
    const header = readBoc(makeStateHeader(tree, splitDepth));
    await write(stateHeaderFileName(place), writeStateBag({ cells: header, cell: header.root }));
    for (const part of shardsOfDepth(block.shard, splitDepth)) {
      const cells = accountsOf(tree, part);
      if (cells !== undefined) await write(statePartFileName(place, part), writeStateBag(cells));
    }
  }
  return names;
}

/** The accounts with a prefix, in an arena of their own. */
function accountsOf({ cells, cell }: CellRef, part: bigint): CellRef | undefined {
  const arena = new BuildingArena();
  const accounts = arena.add(cells, readShardState(cells, cell).accounts);
  const root = buildStatePart(arena, accounts, part);
  return root === undefined ? undefined : { cells: arena, cell: root };
}

async function writePieces(path: string, pieces: Iterable<Buffer>): Promise<void> {
  const file = await open(path, 'w', 0o644);
  try {
    for (const piece of pieces) await file.writeFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}
