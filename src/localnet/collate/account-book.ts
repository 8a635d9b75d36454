import { CellBuilder } from '../../chain/boc/cell-builder.ts';
import { readBoc } from '../../chain/boc/read-boc.ts';
import { Slice } from '../../chain/boc/slice.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import { readShardAccount, type ShardAccount } from '../../chain/tlb/shard-account.ts';
import {
  ACCOUNT_TRANSACTIONS,
  type AccountBlock,
  SHARD_ACCOUNT_BLOCKS,
  transactionKey,
} from '../../chain/tlb-write/account-blocks.ts';
import { Dictionary } from '../../chain/tlb-write/dictionary.ts';
import { buildHashUpdate } from '../../chain/tlb-write/hash-update.ts';
import { SHARD_ACCOUNTS } from '../../chain/tlb-write/shard-accounts.ts';
import { bocOf } from '../run-surroundings.ts';
import { type MadeTransaction, readMade } from './made-transaction.ts';

/** An account that the block deals with. */
export interface OpenAccount {
  readonly id: Buffer;
  /** As it was before the block; undefined if it did not exist. */
  readonly original: ShardAccount | undefined;
  /** As it is now: a cell of ShardAccount, and the same as a bag of cells. */
  current: ShardAccount;
  boc: Buffer;
  readonly transactions: MadeTransaction[];
}

const NO_HASH = Buffer.alloc(32);

/** The accounts of a shard while a block is being made. */
export class AccountBook {
  readonly #arena: BuildingArena;
  readonly #accounts: Dictionary<ShardAccount, unknown>;
  /** The root of the dictionary of accounts before the block. */
  readonly #root: number;
  readonly #open = new Map<string, OpenAccount>();
  /** The cell of an account that does not exist. */
  readonly #none: number;

  constructor(arena: BuildingArena, root: number) {
    this.#arena = arena;
    this.#accounts = new Dictionary(arena, SHARD_ACCOUNTS) as Dictionary<ShardAccount, unknown>;
    this.#root = root;
    this.#none = arena.build(new CellBuilder().boolean(false));
  }

  /** The account of an id, which need not exist. */
  get(id: Buffer): OpenAccount {
    const name = id.toString('hex');
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const found = this.#accounts.get(this.#root, id);
    const original = found && readShardAccount(found);
    const current = original ?? { account: this.#none, lastTransHash: NO_HASH, lastTransLt: 0n };
    const opened = { id, original, current, boc: this.#bocOf(current), transactions: [] };
    this.#open.set(name, opened);
    return opened;
  }

  /** Those that the block has touched. */
  touched(): OpenAccount[] {
    return [...this.#open.values()].filter(({ transactions }) => transactions.length > 0);
  }

  /** The last transaction of an account that does not exist (any more): nothing but the block knows of it. */
  lastOfGone({ current, transactions }: OpenAccount): MadeTransaction | undefined {
    return current.account === this.#none ? transactions.at(-1) : undefined;
  }

  /** Takes over a transaction and the account after it, both bags of cells. */
  commit(account: OpenAccount, transaction: Buffer, after: Buffer): MadeTransaction {
    const arena = this.#arena;
    const last = this.lastOfGone(account);
    let cell = this.#import(transaction);
    account.current = readShardAccount(new Slice(arena, this.#import(after)));
    account.boc = after;
    if (last !== undefined) {
      cell = followUp(arena, cell, last);
      account.current = { ...account.current, lastTransHash: Buffer.from(arena.hash(cell)) };
      account.boc = this.#bocOf(account.current);
    }
    const made = readMade(arena, cell);
    account.transactions.push(made);
    return made;
  }

  /** The root of the dictionary of accounts after the block. */
  build(): number {
    let root = this.#root;
    for (const { id, original, current } of this.touched()) {
      if (current.account === (original?.account ?? this.#none)) continue;
      if (current.account === this.#none) root = this.#accounts.delete(root, id);
      else root = this.#accounts.set(root, id, current);
    }
    return root;
  }

  /** The root of the dictionary of what the block did to accounts. */
  buildBlocks(): number {
    const arena = this.#arena;
    const transactions = new Dictionary(arena, ACCOUNT_TRANSACTIONS);
    const sorted = this.touched().sort((a, b) => a.id.compare(b.id));
    const blocks = sorted.map(({ id, original, current, transactions: made }): [Buffer, AccountBlock] => {
      const entries = made.map(({ lt, cell }) => [transactionKey(lt), cell] as const);
      const before = arena.hash(original?.account ?? this.#none);
      const stateUpdate = buildHashUpdate(arena, before, arena.hash(current.account));
      return [id, { account: id, transactions: transactions.build(entries), stateUpdate }];
    });
    return new Dictionary(arena, SHARD_ACCOUNT_BLOCKS).build(blocks);
  }

  #import(boc: Buffer): number {
    const bag = readBoc(boc);
    return this.#arena.add(bag, bag.root);
  }

  #bocOf({ account, lastTransHash, lastTransLt }: ShardAccount): Buffer {
    const builder = new CellBuilder().ref(account).hash(lastTransHash).uint64(lastTransLt);
    return bocOf(this.#arena, this.#arena.build(builder));
  }
}

const BITS_BEFORE_PREVIOUS = 4 + 256 + 64;
const PREVIOUS_BITS = 256 + 64;

/** A transaction with another one named as the one before it. */
function followUp(arena: BuildingArena, transaction: number, last: MadeTransaction): number {
  const slice = new Slice(arena, transaction);
  const builder = new CellBuilder().sliceBits(slice, BITS_BEFORE_PREVIOUS);
  slice.skip(PREVIOUS_BITS);
  return arena.build(builder.hash(arena.hash(last.cell)).uint64(last.lt).slice(slice));
}
