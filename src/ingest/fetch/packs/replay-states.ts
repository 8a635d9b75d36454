import { type BlockId, MASTERCHAIN, shortBlockName, WHOLE_SHARD } from '../../../chain/block-id.ts';
import { type CellBag, readBoc } from '../../../chain/boc/bag.ts';
import type { CellRef } from '../../../chain/boc/cells.ts';
import { accountPrefix, shardContains } from '../../../chain/shards.ts';
import { CellArena } from '../../../chain/state/arena.ts';
import { applyMerkleUpdate } from '../../../chain/state/merkle-updates.ts';
import { previousBlocks, readBlockInfo, readBlockRoot } from '../../../chain/tlb/block.ts';
import { lookUpShardAccount } from '../../../chain/tlb/shard-accounts.ts';
import { joinStates, readShardState } from '../../../chain/tlb/shard-state.ts';
import type { FetchedSeqno } from '../fetch-seqnos.ts';
import type { FetchedBlock } from '../masterchain-blocks.ts';

/** The states need more memory than allowed. */
class StatesTooLarge extends Error {
  override readonly name = 'StatesTooLarge';
}

export type StateReplay = ReturnType<typeof createStateReplay>;

/**
 * Follows the states of all shards from the zero states, by the Merkle updates of all blocks in order; throws StatesTooLarge.
 * `zeroStates` are those of all workchains with their ids.
 */
export function createStateReplay(
  zeroStates: readonly { readonly id: BlockId; readonly bag: CellBag }[],
  { maxBytes }: { readonly maxBytes: number },
) {
  const arena = new CellArena();
  /** The roots of states by block, of the newest blocks and those before them. */
  const roots = new Map<string, number>();
  let newest: readonly BlockId[] = zeroStates.map(({ id }) => id);
  let compactedBytes = 0;
  for (const { id, bag } of zeroStates) roots.set(shortBlockName(id), arena.add(bag, bag.root));

  function rootOf(id: BlockId): number {
    const root = roots.get(shortBlockName(id));
    if (root === undefined) throw new Error(`the state after block ${shortBlockName(id)} is not known`);
    return root;
  }

  function applyBlock({ id, bytes }: FetchedBlock): void {
    const bag = readBoc(bytes);
    const { info, stateUpdate } = readBlockRoot(bag, bag.root);
    const [first, second] = previousBlocks(readBlockInfo(bag, info)).map(rootOf);
    const old = second === undefined ? first! : joinStates(arena, first!, second);
    roots.set(shortBlockName(id), applyMerkleUpdate(arena, old, bag, stateUpdate));
  }

  /** Forgets what no newest state has, when that is about half of all. */
  function tidy(): void {
    const names = new Set(newest.map(shortBlockName));
    for (const name of roots.keys()) if (!names.has(name)) roots.delete(name);
    if (arena.memory < Math.max(2 * compactedBytes, maxBytes / 4)) return;
    const kept = arena.compact([...roots.values()]);
    for (const [i, name] of [...roots.keys()].entries()) roots.set(name, kept[i]!);
    compactedBytes = arena.memory;
    if (compactedBytes > maxBytes / 2)
      throw new StatesTooLarge(`the states need more than ${maxBytes / 2 ** 20} MiB of memory`);
  }

  return {
    /** Applies the blocks of the next masterchain seqno. */
    apply({ masterchain, shardBlocks, tops }: FetchedSeqno): void {
      for (const block of shardBlocks) applyBlock(block);
      applyBlock(masterchain);
      const started = new Set(tops.map(({ workchain }) => workchain));
      // A workchain without blocks is still at its zero state.
      const asleep = newest.filter(({ workchain, seqno }) => seqno === 0 && !started.has(workchain));
      newest = [masterchain.id, ...tops, ...asleep.filter(({ workchain }) => workchain !== MASTERCHAIN)];
      tidy();
    },
    /** The Account cell of an account of 33 bytes; undefined if it does not exist. It is good until the next seqno. */
    account(bytes: Buffer): CellRef | undefined {
      const workchain = bytes.readInt8(0);
      const hash = bytes.subarray(1);
      const prefix = accountPrefix(hash);
      const id = newest.find(
        (one) =>
          one.workchain === workchain && (one.shard === WHOLE_SHARD || shardContains(one.shard, prefix)),
      );
      if (id === undefined) return undefined;
      const { accounts } = readShardState(arena, rootOf(id));
      const entry = lookUpShardAccount(arena, accounts, hash);
      return entry && { cells: arena, cell: entry.account };
    },
  };
}
