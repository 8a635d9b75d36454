import type { Cells } from '../../../src/chain/boc/cells.ts';
import { openMerkleUpdate } from '../../../src/chain/boc/merkle.ts';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { writeBoc } from '../../../src/chain/boc/write-boc.ts';
import { applyMerkleUpdate } from '../../../src/chain/state/apply-merkle-update.ts';
import { CellArena } from '../../../src/chain/state/cell-arena.ts';
import { codeHash, dataHash, readAccount } from '../../../src/chain/tlb/account.ts';
import { readBlockRoot } from '../../../src/chain/tlb/block.ts';
import { readExtraCurrencies } from '../../../src/chain/tlb/currency.ts';
import { lookUpShardAccount } from '../../../src/chain/tlb/shard-account.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';

/** An account in a state that is known in full. */
export interface FullAccount {
  readonly hash: string;
  readonly status: string;
  readonly balance: bigint;
  readonly extra: string | undefined;
  readonly codeHash: string | undefined;
  readonly dataHash: string | undefined;
  readonly frozenHash: string | undefined;
  readonly code: Buffer | undefined;
  readonly data: Buffer | undefined;
  readonly lastTransLt: bigint;
  readonly lastTransHash: string;
}

/** Finds an account by its id; undefined when it is not there. */
export type FullState = (id: Buffer) => FullAccount | undefined;

/** The states of a chain, followed block by block from its zero states. */
export class FollowedStates {
  readonly #arena = new CellArena();

  constructor(zeroStates: readonly Buffer[]) {
    for (const bytes of zeroStates) {
      const bag = readBoc(bytes);
      this.#arena.add(bag, bag.root);
    }
  }

  /** The states before and after a block; blocks must come in their order. */
  apply(block: Buffer): { readonly before: FullState; readonly after: FullState } {
    const bag = readBoc(block);
    const { stateUpdate } = readBlockRoot(bag, bag.root);
    const { oldHash } = openMerkleUpdate(bag, stateUpdate);
    const before = this.#arena.find(oldHash);
    const after = applyMerkleUpdate(this.#arena, oldHash, bag, stateUpdate);
    return { before: fullState(this.#arena, before), after: fullState(this.#arena, after) };
  }
}

/** The accounts of a state that has all its cells. */
export function fullState(cells: Cells, root: number): FullState {
  const { accounts } = readShardState(cells, root);
  return (id) => {
    const entry = lookUpShardAccount(cells, accounts, id);
    const account = entry && readAccount(cells, entry.account);
    if (entry === undefined || account === undefined) return undefined;
    const { state, balance } = account;
    const extra = readExtraCurrencies(cells, balance).map((one) => `"${one.id}":"${one.amount}"`);
    const { code, data } = state.kind === 'active' ? state.init : { code: -1, data: -1 };
    return {
      hash: cells.hash(entry.account).toString('hex'),
      status: state.kind,
      balance: balance.grams,
      extra: extra.length === 0 ? undefined : `{${extra.join()}}`,
      codeHash: codeHash(cells, account)?.toString('hex'),
      dataHash: dataHash(cells, account)?.toString('hex'),
      frozenHash: state.kind === 'frozen' ? state.stateHash.toString('hex') : undefined,
      code: bocOf(cells, code),
      data: bocOf(cells, data),
      lastTransLt: entry.lastTransLt,
      lastTransHash: entry.lastTransHash.toString('hex'),
    };
  };
}

function bocOf(cells: Cells, cell: number): Buffer | undefined {
  return cell < 0 ? undefined : writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc: false });
}
