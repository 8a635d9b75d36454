import { setImmediate as turn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type AccountId, accountKey, fromAccountBytes } from '../chain/address.ts';
import type { BlockId } from '../chain/block-id.ts';
import type { CellRef } from '../chain/boc/cells.ts';
import { accountCells } from '../chain/contracts/account-cells.ts';
import { type ContractReader, type MethodResult, throwMismatch } from '../chain/contracts/probe.ts';
import type { StackEntry } from '../chain/stack/entries.ts';
import { dataHash, readAccount } from '../chain/tlb/account.ts';
import { readRows } from '../db/driver.ts';
import type { Db } from '../db/tables/tables.ts';
import { readAccountData } from '../index/read/accounts.ts';
import { bytesKey, bytesOf } from '../lib/bytes-key.ts';
import { getAccountState, NoSuchShard } from '../lite/methods/accounts.ts';
import type { BatchScope, LiteQueries } from './chain-facts.ts';
import type { Code, CodeCache } from './code.ts';
import type { DetectionState } from './detection.ts';
import { type HeldContract, heldContract, type MethodRunner } from './get-methods.ts';

/** Shared by the probes of one batch. */
export interface ProbeContext {
  readonly runner: MethodRunner;
  /** Another contract, ready to run; throws Undecided when it is unavailable. */
  readonly find: (key: string) => Promise<OtherContract>;
}

/** A contract as detectors see it, at a unix time. */
export class ContractProbe implements ContractReader {
  readonly account: AccountId;
  readonly codeHash: Buffer;
  readonly #context: ProbeContext;
  readonly #contract: HeldContract;
  readonly #utime: number;

  constructor(context: ProbeContext, contract: HeldContract, utime: number) {
    const account = bytesOf(contract.key);
    this.account = fromAccountBytes(account);
    this.codeHash = bytesOf(contract.code.key);
    this.#context = context;
    this.#contract = contract;
    this.#utime = utime;
  }

  run(method: string, args: readonly StackEntry[] = []): Promise<MethodResult> {
    return ignoreLateFailure(this.#context.runner.run(this.#contract, this.#utime, method, args));
  }

  beside(account: AccountId): Promise<ContractReader> {
    return ignoreLateFailure(probeAt(this.#context, account, this.#utime));
  }
}

/** A failure that a detector no longer awaits, because another came first, must not crash the process. */
function ignoreLateFailure<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}

/** A probe of an account; throws InterfaceMismatch when it has no code. */
export async function probeAt(context: ProbeContext, { workchain, hash }: AccountId, utime: number) {
  const other = await context.find(bytesKey(accountKey(workchain, hash)));
  return other === NO_CONTRACT ? throwMismatch('no contract') : new ContractProbe(context, other, utime);
}

interface IndexedState {
  readonly account: Buffer;
  readonly balance: string;
  readonly codeHash: Buffer | null;
  readonly dataHash: Buffer | null;
  /** Null where it is unknown, or there is none. */
  readonly data: Buffer | null;
}

/**
 * The newest indexed states of accounts. With `follows`, only those that are certainly the newest on the chain: a state
 * from before a gap of the index may have changed in the gap, so it must come from the head chunk or from the finished
 * chunk right before it.
 */
async function readIndexedStates(
  db: Db,
  { accounts, follows }: { readonly accounts: readonly Buffer[]; readonly follows: boolean },
): Promise<readonly IndexedState[]> {
  return readRows<IndexedState>(db)`
    with head as (select first_seqno from index_chunks where last_seqno is null), whole as (
      select min(first_seqno) as first_seqno from (
        select first_seqno from head
        union all select chunk.first_seqno from index_chunks chunk join head
          on chunk.last_seqno = head.first_seqno - 1 and chunk.done_seqno = chunk.last_seqno
      ) one
    )
    select state.account, state.balance, state.code_hash as "codeHash", state.data_hash as "dataHash",
      data.boc as data
    from latest_account_states state
    left join account_data data on data.account = state.account and data.hash = state.data_hash
    where state.account = any(${accounts})
      -- Accounts of the zero states have the seqno before the first.
      and (not ${follows} or state.mc_seqno >= coalesce((select first_seqno - 1 from whole), 0))
  `;
}

/** An account without code. */
export const NO_CONTRACT = Symbol('no contract');

type OtherContract = HeldContract | typeof NO_CONTRACT;

/** Contracts read for the detection of others, by account. */
export type OtherContractCache = LRUCache<string, OtherContract>;

const MAX_BYTES = 64 * 2 ** 20;
/** Also bounds the number of entries, to 50 000. */
const MIN_ENTRY_BYTES = Math.ceil(MAX_BYTES / 50_000);
const ENTRY_BYTES = 512;

export function createOtherContractCache(): OtherContractCache {
  return new LRUCache({
    // Without `max`, for which lru-cache would allocate memory at once: there is one cache for each range.
    maxSize: MAX_BYTES,
    // Codes are usually shared, but need not be.
    sizeCalculation: (other) =>
      other === NO_CONTRACT
        ? MIN_ENTRY_BYTES
        : Math.max(MIN_ENTRY_BYTES, ENTRY_BYTES + other.data.length + other.code.text.length),
  });
}

interface OtherContractsOptions {
  readonly db: Db;
  readonly codes: CodeCache;
  readonly cache: OtherContractCache;
  readonly queries: LiteQueries;
  readonly scope: BatchScope;
  readonly follows: boolean;
  /** The block that lite servers are queried at; the head if undefined. */
  readonly block: BlockId | undefined;
  /** The states of the batch by account, and their codes. */
  readonly states: ReadonlyMap<string, DetectionState>;
  readonly stateCodes: ReadonlyMap<string, Code>;
}

/** Finds other contracts for one batch, as of its block. */
export class OtherContracts {
  readonly #options: OtherContractsOptions;
  readonly #inFlight = new Map<string, Promise<OtherContract>>();
  #rows: Promise<ReadonlyMap<string, IndexedState>> | undefined;
  #wanted: Buffer[] = [];

  constructor(options: OtherContractsOptions) {
    this.#options = options;
  }

  /** The contract of an account; throws Undecided when it is unavailable. */
  async find(key: string): Promise<OtherContract> {
    const known = this.#options.cache.get(key) ?? this.#inFlight.get(key);
    if (known !== undefined) return known;
    const reading = this.#read(key).finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, reading);
    return reading;
  }

  async #read(key: string): Promise<OtherContract> {
    const { cache, states } = this.#options;
    const state = states.get(key);
    const known = await (state === undefined ? this.#inDatabase(key) : this.#inBatch(key, state));
    const other = known ?? (await this.#onChain(key));
    cache.set(key, other);
    return other;
  }

  async #inBatch(key: string, state: DetectionState): Promise<OtherContract | undefined> {
    const { codeHash, dataHash: hash, isMissing, balance } = state;
    if (isMissing) return undefined;
    if (codeHash === undefined) return NO_CONTRACT;
    const code = this.#options.stateCodes.get(bytesKey(codeHash));
    const data = hash && (state.data ?? (await this.#storedData(state.account, hash)));
    if (code === undefined || (hash && data === undefined)) return undefined;
    return heldContract(key, code, hash, data, balance);
  }

  async #storedData(account: Buffer, hash: Buffer): Promise<Buffer | undefined> {
    const [stored] = await readAccountData(this.#options.db, [account]);
    return stored?.hash.equals(hash) ? stored.boc : undefined;
  }

  async #inDatabase(key: string): Promise<OtherContract | undefined> {
    const row = (await this.#rowsWith(bytesOf(key))).get(key);
    if (row === undefined) return undefined;
    const { codeHash, dataHash: hash, data, balance } = row;
    if (codeHash === null) return NO_CONTRACT;
    if (hash !== null && data === null) return undefined;
    const codeKey = bytesKey(codeHash);
    const code = (await this.#options.codes.find([codeKey], NO_CODES)).get(codeKey);
    if (code === undefined) return undefined;
    return heldContract(key, code, hash, data, BigInt(balance));
  }

  /** Accounts requested within one turn of the event loop are read with one query. */
  #rowsWith(account: Buffer): Promise<ReadonlyMap<string, IndexedState>> {
    this.#wanted.push(account);
    this.#rows ??= this.#readRows();
    return this.#rows;
  }

  async #readRows(): Promise<ReadonlyMap<string, IndexedState>> {
    await turn();
    const { db, follows } = this.#options;
    const accounts = this.#wanted;
    this.#wanted = [];
    this.#rows = undefined;
    const rows = await readIndexedStates(db, { accounts, follows });
    return new Map(rows.map((row) => [bytesKey(row.account), row]));
  }

  async #onChain(key: string): Promise<OtherContract> {
    const { queries, block, scope } = this.#options;
    const account = bytesOf(key);
    const id = fromAccountBytes(account);
    try {
      const found = await queries.run(block, (query, at, check) => getAccountState(query, at, id, check));
      return found.account === undefined ? NO_CONTRACT : this.#hold(key, found.account);
    } catch (error) {
      if (error instanceof NoSuchShard) return NO_CONTRACT;
      throw scope.undecided(error);
    }
  }

  #hold(key: string, found: CellRef): OtherContract {
    const { code, data } = accountCells(found);
    const account = readAccount(found.cells, found.cell);
    if (code === undefined || account === undefined) return NO_CONTRACT;
    const hash = dataHash(found.cells, account);
    return heldContract(key, this.#options.codes.add(code), hash, data, account.balance.grams);
  }
}

const NO_CODES = new Map<string, never>();
