import { CompiledQuery, sql } from 'kysely';
import { readBoc } from '../chain/boc/bag.ts';
import type { CellRef } from '../chain/boc/cells.ts';
import { Slice } from '../chain/boc/slice.ts';
import { accountCells, type ContractCode } from '../chain/contracts/account-cells.ts';
import { methodIdByName } from '../chain/contracts/method-ids.ts';
import { dataHash, readAccount } from '../chain/tlb/account.ts';
import { readShardAccount } from '../chain/tlb/shard-accounts.ts';
import type { Database } from '../db/connection.ts';
import { readRows } from '../db/driver.ts';
import type { Db } from '../db/tables/tables.ts';
import type { Detection, DetectionSession, DetectionState, Detector } from '../detect/detection.ts';
import type { DetectionResult } from '../index/write/write-contracts.ts';
import {
  accountText,
  addContract,
  ContractCache,
  type ContractSource,
  loadAccountData,
  loadContractsOf,
  MAX_DATA_BYTES,
  RULE_TABLES,
} from './contracts.ts';

/** Reads the newest states of accounts; unavailable ones are left out. */
export type ReadStates = (
  accounts: readonly Buffer[],
  signal: AbortSignal,
) => Promise<readonly UnindexedState[]>;

export interface UnindexedSources {
  readonly database: Pick<Database, 'read'>;
  readonly detect: DetectStates;
  readonly states: ReadStates;
}

/** The accounts of a trace, by text. */
export interface TraceAccounts {
  /** The states after the trace. */
  readonly states: ReadonlyMap<string, UnindexedState>;
  /** The last transactions of accounts without a known state: earlier states of them are outdated. */
  readonly lastLts: ReadonlyMap<string, bigint>;
}

/** Maximum states read from the chain for one trace. */
const MAX_READ = 32;

/**
 * The contracts of one trace that is not in the index: detection runs on the states after the trace; other accounts come
 * from the index, and those that it does not have are read from the chain and detected too.
 */
export class UnindexedContracts {
  readonly cache = new ContractCache();
  readonly #sources: UnindexedSources;
  readonly #signal: AbortSignal;
  /** States that are not in the index, by account. */
  readonly #states: Map<string, UnindexedState>;
  readonly #lastLts: ReadonlyMap<string, bigint>;
  #left = MAX_READ;

  constructor(sources: UnindexedSources, { states, lastLts }: TraceAccounts, signal: AbortSignal) {
    this.#sources = sources;
    this.#states = new Map(states);
    this.#lastLts = lastLts;
    this.#signal = signal;
  }

  async load(accounts: ReadonlyMap<string, Buffer>): Promise<void> {
    if (accounts.size === 0) return;
    const { database, detect } = this.#sources;
    const { lts } = await database.read(async (db) => {
      const places = await findAccounts(db, [...accounts.values()]);
      const tables = RULE_TABLES.filter((table) => places.tables.has(table));
      await loadContractsOf(sourceOf(db), this.cache, [...accounts.values()], tables);
      return places;
    });
    for (const text of accounts.keys()) this.cache.known.add(text);
    await this.#read(
      [...accounts].filter(([text]) => (lts.get(text) ?? -1n) < (this.#lastLts.get(text) ?? 0n)),
    );
    const examined = [...accounts.keys()].flatMap((text) => {
      const state = this.#isImmutable(text) ? undefined : this.#states.get(text);
      return state === undefined ? [] : [state];
    });
    if (examined.length === 0) return;
    const { found, undetected } = await detect(examined, this.#signal);
    for (const { state } of examined)
      if (!undetected.has(state.account.toString('latin1'))) this.#forget(accountText(state.account));
    for (const { table, account, codeHash, columns } of found)
      addContract(this.cache, table, { ...columns, account, code_hash: codeHash });
  }

  async loadData(accounts: ReadonlyMap<string, Buffer>): Promise<void> {
    if (accounts.size === 0) return;
    const { data, codeHashes } = this.cache;
    await this.#sources.database.read((db) => loadAccountData(sourceOf(db), this.cache, accounts));
    for (const text of accounts.keys()) {
      const state = this.#states.get(text)?.state;
      if (state === undefined) continue;
      const { data: current, codeHash } = state;
      data.delete(text);
      codeHashes.delete(text);
      if (current !== undefined && current.length <= MAX_DATA_BYTES) data.set(text, current);
      if (codeHash !== undefined) codeHashes.set(text, codeHash.toString('base64'));
    }
  }

  async #read(accounts: readonly (readonly [string, Buffer])[]): Promise<void> {
    const wanted = accounts.filter(([text]) => !this.#states.has(text)).slice(0, this.#left);
    if (wanted.length === 0) return;
    this.#left -= wanted.length;
    const states = await this.#sources.states(
      wanted.map(([, account]) => account),
      this.#signal,
    );
    for (const one of states) this.#states.set(accountText(one.state.account), one);
  }

  /** Whether the index has an interface of the account that no transaction changes. */
  #isImmutable(text: string): boolean {
    const { jettonWallets, nominatorPools, multisigOrders, dedustPools } = this.cache;
    return [jettonWallets, nominatorPools, multisigOrders, dedustPools].some((kind) => kind.has(text));
  }

  /** Drops what the index says about an account that has changed. */
  #forget(text: string): void {
    const { jettonWallets, nftItems, nftSales, nftAuctions } = this.cache;
    for (const kind of [jettonWallets, nftItems, nftSales, nftAuctions]) kind.delete(text);
  }
}

export function sourceOf(db: Db): ContractSource {
  return { query: (text, values) => db.executeQuery(CompiledQuery.raw(text, values)) };
}

interface AccountLocations {
  /** Contract tables that contain any of the accounts. */
  readonly tables: ReadonlySet<string>;
  /** The last transactions of accounts whose state is indexed. */
  readonly lts: ReadonlyMap<string, bigint>;
}

/** Finds the tables that contain accounts, in one query: nearly all of the tables contain none. */
async function findAccounts(db: Db, accounts: readonly Buffer[]): Promise<AccountLocations> {
  const isRequested = sql`account = any(${accounts}::bytea[])`;
  const parts = RULE_TABLES.map(
    (table) =>
      sql`select account, ${sql.lit(table)}, null::bigint from ${sql.table(table)} where ${isRequested}`,
  );
  const rows = await readRows<{ account: Buffer; place: string | null; lt: string | null }>(db)`
    select account, null as place, last_trans_lt as lt from latest_account_states where ${isRequested}
    union all ${sql.join(parts, sql` union all `)}`;
  return {
    tables: new Set(rows.flatMap(({ place }) => place ?? [])),
    lts: new Map(
      rows.flatMap(({ account, lt }) => (lt === null ? [] : [[accountText(account), BigInt(lt)]])),
    ),
  };
}

/** Detects the interfaces of states that are not in the index. */
type DetectStates = (states: readonly UnindexedState[], signal: AbortSignal) => Promise<DetectionResult>;

const TIMEOUT_MS = 3000;
const EMPTY_DETECTION: DetectionResult = { found: [], withdrawn: new Map(), undetected: new Set() };

/**
 * Creates state detection over reused sessions, each used by one trace at a time: contracts read for one trace must not be
 * visible to another, but the configuration is kept.
 */
export function createStateDetection(
  detection: Detection,
  detectors: readonly Detector[],
  timeoutMs = TIMEOUT_MS,
): DetectStates {
  const idle: DetectionSession[] = [];
  const lists = detectors.flatMap(({ methods }) => methods.map((names) => names.map(methodIdByName)));
  const mayMatch = ({ code }: UnindexedState): boolean =>
    code !== undefined &&
    (code.methods === undefined || lists.some((ids) => ids.every((id) => code.methods!.includes(id))));

  return async (states, signal) => {
    // All or none: one contract may have to confirm another.
    if (!states.some(mayMatch)) return EMPTY_DETECTION;
    const session = idle.pop() ?? detection.open({ follows: false });
    try {
      return await session.detect({
        states: states.map(({ state }) => state),
        codes: states.flatMap(({ code }) => code ?? []),
        hasKeyBlock: false,
        timeoutMs,
        signal,
      });
    } finally {
      idle.push(session);
    }
  };
}

export interface UnindexedState {
  readonly state: DetectionState;
  readonly code: ContractCode | undefined;
}

/** The state of an account (33 bytes) from a ShardAccount as a bag of cells, at a unix time. */
export function stateOfShardAccount(account: Buffer, boc: Uint8Array, timestamp: number): UnindexedState {
  const cells = readBoc(boc);
  const { account: cell, lastTransLt } = readShardAccount(new Slice(cells, cells.root));
  return stateOfAccount(account, { cells, cell }, { lastTransLt, timestamp });
}

/** The state of an account from its Account cell; undefined for a nonexistent account. */
export function stateOfAccount(
  account: Buffer,
  found: CellRef | undefined,
  at: { readonly lastTransLt: bigint; readonly timestamp: number },
): UnindexedState {
  const read = found && readAccount(found.cells, found.cell);
  const { code, data } = found ? accountCells(found) : NO_CELLS;
  return {
    code,
    state: {
      account,
      ...at,
      balance: read?.balance.grams ?? 0n,
      codeHash: code?.hash,
      dataHash: found && read && dataHash(found.cells, read),
      data,
      isMissing: false,
      mayHaveChangedCode: true,
    },
  };
}

const NO_CELLS = { code: undefined, data: undefined };
