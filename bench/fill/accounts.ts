import { hash as hashOnce } from 'node:crypto';
import { accountKey } from '../../src/chain/address.ts';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { CellBuilder } from '../../src/chain/boc/builder.ts';
import type { BuildingArena } from '../../src/chain/state/building-arena.ts';
import { buildAccount } from '../../src/chain/tlb/account.ts';
import type { StateSummary } from '../../src/index/write/decoded-seqno.ts';
import compiled from '../../src/localnet/contracts/tolk/compiled.json' with { type: 'json' };
import walletCodes from '../../src/localnet/contracts/wallet-codes.json' with { type: 'json' };
import { LT_PER_SEQNO } from './plan.ts';

/** The kinds of accounts, with their codes. Nothing runs the codes. */
const CODES = {
  wallet: walletCodes.v4r2,
  jettonWallet: compiled['jetton-wallet'],
  jetton: compiled['jetton-minter'],
  item: compiled['nft-item'],
  collection: compiled['nft-collection'],
  domain: compiled['dns-item'],
  zone: compiled['dns-collection'],
  /** The router and the pools of the DEX. */
  dex: compiled.probe,
  system: compiled['tick-tock'],
} as const satisfies Readonly<Record<string, (typeof compiled)['probe']>>;

export type AccountKind = keyof typeof CODES;

interface NewAccount {
  readonly kind: AccountKind;
  /** Number among the accounts of its kind in its lane. */
  readonly number: number;
  readonly balance: number;
  readonly amount: number;
  readonly workchain?: number;
  readonly owner?: Account;
  readonly parent?: Account;
}

/** Where the hashes of an account are in its bytes; first is its key. */
const LAST_HASH = 33;
const STATE_HASH = 65;
const DATA_HASH = 97;
const BYTES = 129;
/** Where its figures are. */
const BALANCE = 0;
const AMOUNT = 1;
const LAST_LT = 2;
const COUNT = 3;
const FIGURES = 4;
const PER_BLOCK = 1024;

/** The figures and hashes of accounts: millions of small objects would keep the garbage collector busy. */
class AccountBlock {
  readonly figures = new Float64Array(PER_BLOCK * FIGURES);
  readonly bytes = Buffer.alloc(PER_BLOCK * BYTES);
  used = 0;
}

let block = new AccountBlock();

/** An account of the generated chain in its newest state. Amounts are numbers: they stay below 2^53. */
export class Account {
  readonly kind: AccountKind;
  readonly number: number;
  readonly workchain: number;
  /** Of a token. */
  owner: Account | undefined;
  /** The jetton or collection. */
  readonly parent: Account | undefined;
  /** Whether its state was built; it is not until its first use. */
  hasState = false;
  readonly #block: AccountBlock;
  readonly #slot: number;

  /** An account that exists since before the index. The name tells accounts of different seeds and lanes apart. */
  constructor(name: string, { kind, number, balance, amount, workchain = 0, owner, parent }: NewAccount) {
    this.kind = kind;
    this.number = number;
    this.workchain = workchain;
    this.owner = owner;
    this.parent = parent;
    if (block.used === PER_BLOCK) block = new AccountBlock();
    this.#block = block;
    this.#slot = block.used++;
    const hash = sha256(`${name}/${kind}/${number}`);
    this.#set(0, accountKey(workchain, hash));
    this.lastHash = sha256(`${name}/${kind}/${number}/before`);
    this.balance = balance;
    this.amount = amount;
    this.lastLt = 1 + (hash.readUInt32BE(0) % (LT_PER_SEQNO - 1));
  }

  /** The 33-byte key. */
  get key(): Buffer {
    return this.#view(0, LAST_HASH);
  }

  get hash(): Buffer {
    return this.#view(1, LAST_HASH);
  }

  get lastHash(): Buffer {
    return Buffer.from(this.#view(LAST_HASH, STATE_HASH));
  }

  set lastHash(hash: Buffer) {
    this.#set(LAST_HASH, hash);
  }

  get balance(): number {
    return this.#block.figures[this.#slot * FIGURES + BALANCE]!;
  }

  set balance(value: number) {
    this.#block.figures[this.#slot * FIGURES + BALANCE] = value;
  }

  /** Jettons of a wallet, the supply of a jetton, the seqno of a wallet contract. */
  get amount(): number {
    return this.#block.figures[this.#slot * FIGURES + AMOUNT]!;
  }

  set amount(value: number) {
    this.#block.figures[this.#slot * FIGURES + AMOUNT] = value;
  }

  get lastLt(): number {
    return this.#block.figures[this.#slot * FIGURES + LAST_LT]!;
  }

  set lastLt(value: number) {
    this.#block.figures[this.#slot * FIGURES + LAST_LT] = value;
  }

  /** Transactions so far. */
  get count(): number {
    return this.#block.figures[this.#slot * FIGURES + COUNT]!;
  }

  set count(value: number) {
    this.#block.figures[this.#slot * FIGURES + COUNT] = value;
  }

  /** The hashes of its newest state. */
  get stateHashes(): { readonly hash: Buffer; readonly dataHash: Buffer } {
    return {
      hash: Buffer.from(this.#view(STATE_HASH, DATA_HASH)),
      dataHash: Buffer.from(this.#view(DATA_HASH, BYTES)),
    };
  }

  keepState(hash: Buffer, dataHash: Buffer): void {
    this.#set(STATE_HASH, hash);
    this.#set(DATA_HASH, dataHash);
    this.hasState = true;
  }

  #view(from: number, to: number): Buffer {
    const start = this.#slot * BYTES;
    return this.#block.bytes.subarray(start + from, start + to);
  }

  #set(at: number, bytes: Buffer): void {
    bytes.copy(this.#block.bytes, this.#slot * BYTES + at);
  }
}

export function sha256(text: string): Buffer {
  return Buffer.from(hashOnce('sha256', text, 'binary'), 'latin1');
}

/** Builds the states of accounts in an arena; the codes are added to it once. */
export class StateBuilder {
  readonly originTime: number;
  readonly #arena: BuildingArena;
  readonly #builder = new CellBuilder();
  readonly #codes = new Map<AccountKind, { readonly cell: number; readonly hash: Buffer }>();

  /** `originTime` is the time of the states from before the index. */
  constructor(arena: BuildingArena, originTime: number) {
    this.#arena = arena;
    this.originTime = originTime;
    for (const [kind, bag] of codeBags) {
      const cell = arena.add(bag, bag.root);
      this.#codes.set(kind, { cell, hash: bag.hash(bag.root) });
    }
  }

  /** The cells of all codes. */
  codes(): readonly { readonly cell: number; readonly hash: Buffer }[] {
    return [...this.#codes.values()];
  }

  /** The newest state of an account; before its first transaction, that from before the index. */
  current(account: Account): StateSummary {
    return account.hasState ? this.#summary(account) : this.build(account, account.lastLt, this.originTime);
  }

  /** Builds the state of an account after a transaction. `endLt` is the logical time after its last transaction. */
  build(account: Account, endLt: number, now: number): StateSummary {
    const data = this.dataCell(account);
    const cell = buildAccount(this.#arena, {
      address: { kind: 'std', workchain: account.workchain, hash: account.hash, anycast: undefined },
      storageInfo: { ...STORAGE, lastPaid: now },
      lastTransLt: BigInt(endLt),
      balance: { grams: BigInt(account.balance), extra: -1 },
      state: { kind: 'active', init: { ...INIT, code: this.#codes.get(account.kind)!.cell, data } },
    });
    account.keepState(this.#arena.hash(cell), this.#arena.hash(data));
    return this.#summary(account);
  }

  #summary(account: Account): StateSummary {
    const { hash, dataHash } = account.stateHashes;
    return {
      hash,
      status: 'active',
      balance: BigInt(account.balance),
      balanceExtra: undefined,
      extraIsHidden: false,
      codeHash: this.#codes.get(account.kind)!.hash,
      dataHash,
      frozenHash: undefined,
    };
  }

  /** The data of an account, laid out like that of the real contracts. */
  dataCell(account: Account): number {
    const builder = this.#builder;
    switch (account.kind) {
      case 'wallet':
        // Seqno, wallet id, public key, no plugins.
        builder.uint(account.amount, 32).uint(WALLET_ID, 32).hash(account.hash).boolean(false);
        break;
      case 'jettonWallet':
        builder.uint(0, 4).coins(BigInt(account.amount));
        this.#address(account.owner).#address(account.parent);
        break;
      case 'jetton':
        builder.coins(BigInt(account.amount));
        this.#address(account.owner);
        break;
      case 'item':
      case 'domain':
        builder.uint(account.number, 64);
        this.#address(account.parent).#address(account.owner);
        break;
      default:
        builder.uint(account.amount, 64);
        this.#address(account.owner);
    }
    return this.#arena.build(builder);
  }

  #address(account: Account | undefined): this {
    writeAddress(this.#builder, account);
    return this;
  }
}

/** The default id of wallets in the basechain. */
export const WALLET_ID = 698_983_191;
const STORAGE = {
  usedCells: 22,
  usedBits: 5697,
  publicCells: undefined,
  dictHash: undefined,
  duePayment: undefined,
};
const INIT = { fixedPrefixLength: undefined, special: undefined, library: -1 };

const codeBags = Object.entries(CODES).map(
  ([kind, { boc }]) => [kind as AccountKind, readBoc(Buffer.from(boc, 'base64'))] as const,
);

const ADDR_STD = 0b100;

/** Writes the address of an account, or addr_none. */
export function writeAddress(builder: CellBuilder, account: Account | undefined): CellBuilder {
  if (account === undefined) return builder.uint(0, 2);
  return builder.uint(ADDR_STD, 3).int(account.workchain, 8).hash(account.hash);
}
