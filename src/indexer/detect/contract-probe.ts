import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type AccountId, accountKey } from '../../chain/address.ts';
import type { BlockId } from '../../chain/block-id.ts';
import { type ContractReader, type MethodResult, throwMismatch } from '../../chain/contracts/probe.ts';
import type { StackEntry } from '../../chain/stack/entries.ts';
import { dataHash, readAccount } from '../../chain/tlb/account.ts';
import type { Tables } from '../../db/tables.ts';
import { getAccountState, NoSuchShard } from '../../lite/methods/accounts.ts';
import type { CellRef } from '../../lite/methods/proofs.ts';
import { bytesOf, keyOf } from '../hash-key.ts';
import { accountCells } from '../states/fetch-states.ts';
import { readAccountData } from '../states/state-rows.ts';
import type { BatchScope, LiteQueries } from './chain-facts.ts';
import type { Code, CodeCache } from './code.ts';
import type { JudgedState } from './detection.ts';
import { dataText, type HeldContract, type MethodRunner } from './get-methods.ts';

/** What probes of one batch have in common. */
export interface ProbeContext {
  readonly runner: MethodRunner;
  /** Another contract, ready to be run; throws Undecided when it is not to be had now. */
  readonly find: (key: string) => Promise<OtherContract>;
}

/** A contract as detectors see it, at a time in unix seconds. */
export class ContractProbe implements ContractReader {
  readonly account: AccountId;
  readonly codeHash: Buffer;
  readonly #ground: ProbeContext;
  readonly #contract: HeldContract;
  readonly #utime: number;

  constructor(ground: ProbeContext, contract: HeldContract, utime: number) {
    const account = bytesOf(contract.key);
    this.account = { workchain: account.readInt8(0), hash: account.subarray(1) };
    this.codeHash = bytesOf(contract.code.key);
    this.#ground = ground;
    this.#contract = contract;
    this.#utime = utime;
  }

  run(method: string, args: readonly StackEntry[] = []): Promise<MethodResult> {
    return heard(this.#ground.runner.run(this.#contract, this.#utime, method, args));
  }

  beside(account: AccountId): Promise<ContractReader> {
    return heard(probeAt(this.#ground, account, this.#utime));
  }
}

/** A failure that a detector does not wait for, since another came first, must not end the process. */
function heard<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}

/** A probe of an account; throws NotThat when it has no code. */
export async function probeAt(
  ground: ProbeContext,
  { workchain, hash }: AccountId,
  utime: number,
): Promise<ContractReader> {
  const other = await ground.find(keyOf(accountKey(workchain, hash)));
  return other === NO_CONTRACT ? throwMismatch('no contract') : new ContractProbe(ground, other, utime);
}

/** The newest state that the index has of an account. */
interface KeptState {
  readonly account: Buffer;
  readonly balance: string;
  readonly codeHash: Buffer | null;
  readonly dataHash: Buffer | null;
  /** Null where it is not known, or there is none. */
  readonly data: Buffer | null;
}

/**
 * The newest states of some accounts. With `follows`, only those that are sure to be the newest of the chain: what is
 * from before a gap of the index may have changed in the gap, so it must be of the chunk that follows the head or of
 * the finished one right before it.
 */
async function readKeptStates(
  db: Kysely<Tables>,
  { accounts, follows }: { readonly accounts: readonly Buffer[]; readonly follows: boolean },
): Promise<readonly KeptState[]> {
  const { rows } = await sql<KeptState>`
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
      -- Accounts that the chain began with are of the seqno before the first.
      and (not ${follows} or state.mc_seqno >= coalesce((select first_seqno - 1 from whole), 0))
  `.execute(db);
  return rows;
}

/** An account without code. */
export const NO_CONTRACT = Symbol('no contract');

/** A contract, or that there is none. */
type OtherContract = HeldContract | typeof NO_CONTRACT;

/** Contracts that were read for others, by account. */
export type OtherContractCache = LRUCache<string, OtherContract>;

const MAX_BYTES = 64 * 2 ** 20;
const MAX_ENTRIES = 50_000;
const ENTRY_BYTES = 512;

/** Creates the memory of a judge. */
export function createOtherContractCache(): OtherContractCache {
  return new LRUCache({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    // Codes are shared as a rule, but need not be.
    sizeCalculation: (other) =>
      ENTRY_BYTES + (other === NO_CONTRACT ? 0 : other.data.length + other.code.text.length),
  });
}

interface OtherContractsOptions {
  readonly db: Kysely<Tables>;
  readonly codes: CodeCache;
  readonly memory: OtherContractCache;
  readonly asker: LiteQueries;
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
  readonly #underWay = new Map<string, Promise<OtherContract>>();
  #rows: Promise<ReadonlyMap<string, KeptState>> | undefined;
  #wanted: Buffer[] = [];

  constructor(options: OtherContractsOptions) {
    this.#options = options;
  }

  /** The contract of an account; throws Undecided when it is not to be had now. */
  async find(key: string): Promise<OtherContract> {
    const known = this.#options.memory.get(key) ?? this.#underWay.get(key);
    if (known !== undefined) return known;
    const reading = this.#read(key).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, reading);
    return reading;
  }

  async #read(key: string): Promise<OtherContract> {
    const { memory, states } = this.#options;
    const state = states.get(key);
    const known = await (state === undefined ? this.#inDatabase(key) : this.#inBatch(key, state));
    const other = known ?? (await this.#onChain(key));
    memory.set(key, other);
    return other;
  }

  async #inBatch(key: string, state: JudgedState): Promise<OtherContract | undefined> {
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

  async #inDatabase(key: string): Promise<OtherContract | undefined> {
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

  async #onChain(key: string): Promise<OtherContract> {
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

  #hold(key: string, found: CellRef): OtherContract {
    const { code, data } = accountCells(found);
    const account = readAccount(found.cells, found.cell);
    if (code === undefined || account === undefined) return NO_CONTRACT;
    const hash = dataHash(found.cells, account);
    return {
      key,
      code: this.#options.codes.add(code),
      dataKey: hash ? keyOf(hash) : '',
      data: dataText(data),
      balance: account.balance.grams,
    };
  }
}

const NO_CODES = new Map<string, never>();
