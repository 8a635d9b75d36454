import { setImmediate as turn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { BlockId } from '../../chain/block-id.ts';
import { dataHash, readAccount } from '../../chain/tlb/account.ts';
import type { Tables } from '../../db/tables.ts';
import { NoSuchShard } from '../../lite/proofs/no-such-shard.ts';
import type { FoundCell } from '../../lite/proofs/open-proof.ts';
import { getAccountState } from '../../lite/queries/get-account-state.ts';
import { bytesOf, keyOf } from '../hash-key.ts';
import { accountCells } from '../states/account-cells.ts';
import { readAccountData } from '../states/state-rows.ts';
import type { BatchScope } from './batch-scope.ts';
import type { Code } from './code.ts';
import type { CodeBook } from './code-book.ts';
import { type KeptState, readKeptStates } from './contract-rows.ts';
import type { JudgedState } from './detection.ts';
import { dataText, type HeldContract } from './held-contract.ts';
import type { LiteAsker } from './lite-asker.ts';

/** An account without code. */
export const NO_CONTRACT = Symbol('no contract');

/** A contract, or that there is none. */
export type Other = HeldContract | typeof NO_CONTRACT;

/** Contracts that were read for others, by account. */
export type OtherMemory = LRUCache<string, Other>;

const MAX_BYTES = 64 * 2 ** 20;
const MAX_ENTRIES = 50_000;
const ENTRY_BYTES = 512;

/** Creates the memory of a judge. */
export function createOtherMemory(): OtherMemory {
  return new LRUCache({
    ...{ max: MAX_ENTRIES, maxSize: MAX_BYTES },
    // Codes are shared as a rule, but need not be.
    sizeCalculation: (other) =>
      ENTRY_BYTES + (other === NO_CONTRACT ? 0 : other.data.length + other.code.text.length),
  });
}

interface OtherContractsOptions {
  readonly db: Kysely<Tables>;
  readonly codes: CodeBook;
  readonly memory: OtherMemory;
  readonly asker: LiteAsker;
  readonly scope: BatchScope;
  readonly follows: boolean;
  /** As of which lite servers are asked; the head if left out. */
  readonly block: BlockId | undefined;
  /** The states of the batch by account, and their codes. */
  readonly states: ReadonlyMap<string, JudgedState>;
  readonly stateCodes: ReadonlyMap<string, Code>;
}

/** Finds other contracts for one batch, as they were at its block. */
export class OtherContracts {
  readonly #options: OtherContractsOptions;
  readonly #underWay = new Map<string, Promise<Other>>();
  #rows: Promise<ReadonlyMap<string, KeptState>> | undefined;
  #wanted: Buffer[] = [];

  constructor(options: OtherContractsOptions) {
    this.#options = options;
  }

  /** The contract of an account; throws Undecided when it is not to be had now. */
  async find(key: string): Promise<Other> {
    const known = this.#options.memory.get(key) ?? this.#underWay.get(key);
    if (known !== undefined) return known;
    const reading = this.#read(key).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, reading);
    return reading;
  }

  async #read(key: string): Promise<Other> {
    const { memory, states } = this.#options;
    const state = states.get(key);
    const known = await (state === undefined ? this.#inDatabase(key) : this.#inBatch(key, state));
    const other = known ?? (await this.#onChain(key));
    memory.set(key, other);
    return other;
  }

  async #inBatch(key: string, state: JudgedState): Promise<Other | undefined> {
    const { codeHash, dataHash: hash, isMissing, balance } = state;
    if (isMissing) return undefined;
    if (codeHash === undefined) return NO_CONTRACT;
    const code = this.#options.stateCodes.get(keyOf(codeHash));
    const data = hash && (state.data ?? (await this.#keptData(state.account, hash)));
    if (code === undefined || (hash && data === undefined)) return undefined;
    return { key, code, dataKey: hash ? keyOf(hash) : '', data: dataText(data), balance };
  }

  async #keptData(account: Buffer, hash: Buffer): Promise<Buffer | undefined> {
    const [kept] = await readAccountData(this.#options.db, [account]);
    return kept?.hash.equals(hash) ? kept.boc : undefined;
  }

  async #inDatabase(key: string): Promise<Other | undefined> {
    const row = (await this.#rowsWith(bytesOf(key))).get(key);
    if (row === undefined) return undefined;
    const { codeHash, dataHash: hash, data, balance } = row;
    if (codeHash === null) return NO_CONTRACT;
    if (hash !== null && data === null) return undefined;
    const codeKey = keyOf(codeHash);
    const code = (await this.#options.codes.find([codeKey], NO_CODES)).get(codeKey);
    if (code === undefined) return undefined;
    return { key, code, dataKey: hash ? keyOf(hash) : '', data: dataText(data), balance: BigInt(balance) };
  }

  /** What is wanted within one turn is read with one query. */
  #rowsWith(account: Buffer): Promise<ReadonlyMap<string, KeptState>> {
    this.#wanted.push(account);
    this.#rows ??= this.#readRows();
    return this.#rows;
  }

  async #readRows(): Promise<ReadonlyMap<string, KeptState>> {
    await turn();
    const { db, follows } = this.#options;
    const accounts = this.#wanted;
    this.#wanted = [];
    this.#rows = undefined;
    const rows = await readKeptStates(db, { accounts, follows });
    return new Map(rows.map((row) => [keyOf(row.account), row]));
  }

  async #onChain(key: string): Promise<Other> {
    const { asker, block, scope } = this.#options;
    const account = bytesOf(key);
    const id = { workchain: account.readInt8(0), hash: account.subarray(1) };
    try {
      const found = await asker.ask(block, (query, at, check) => getAccountState(query, at, id, check));
      return found.account === undefined ? NO_CONTRACT : this.#hold(key, found.account);
    } catch (error) {
      if (error instanceof NoSuchShard) return NO_CONTRACT;
      throw scope.undecided(error);
    }
  }

  #hold(key: string, found: FoundCell): Other {
    const { code, data } = accountCells(found);
    const account = readAccount(found.cells, found.cell);
    if (code === undefined || account === undefined) return NO_CONTRACT;
    const hash = dataHash(found.cells, account);
    return {
      ...{ key, code: this.#options.codes.add(code), dataKey: hash ? keyOf(hash) : '' },
      ...{ data: dataText(data), balance: account.balance.grams },
    };
  }
}

const NO_CODES = new Map<string, never>();
