import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Database } from '../../../db/connection.ts';
import type { Tables } from '../../../db/tables.ts';
import { accountText } from '../account-text.ts';
import { ContractBook } from '../contract-book.ts';
import {
  type ContractSource,
  loadAccountData,
  loadContracts,
  MOST_DATA_BYTES,
  noteContract,
} from '../load-contracts.ts';
import type { JudgeStates } from './judges.ts';
import type { UnindexedState } from './state-of.ts';

/** The newest states of accounts; those that cannot be had now are left out. */
export type ReadStates = (
  accounts: readonly Buffer[],
  signal: AbortSignal,
) => Promise<readonly UnindexedState[]>;

export interface BookSources {
  readonly database: Pick<Database, 'read'>;
  readonly judge: JudgeStates;
  readonly states: ReadStates;
}

/** States that are read from the chain for one trace, at most. */
const MOST_READ = 32;

/**
 * What is known of contracts for one trace that is not in the index: the states that it leaves are judged, other
 * accounts are what the index says, and those that the index does not have are read from the chain and judged too.
 */
export class UnindexedBook {
  readonly book = new ContractBook();
  readonly #sources: BookSources;
  readonly #signal: AbortSignal;
  /** States that the index does not have, by account. */
  readonly #states: Map<string, UnindexedState>;
  #left = MOST_READ;

  constructor(sources: BookSources, states: ReadonlyMap<string, UnindexedState>, signal: AbortSignal) {
    this.#sources = sources;
    this.#states = new Map(states);
    this.#signal = signal;
  }

  /** Finds out what accounts are. */
  async learn(accounts: ReadonlyMap<string, Buffer>): Promise<void> {
    if (accounts.size === 0) return;
    const { database, judge } = this.#sources;
    const indexed = await database.read(async (db) => {
      await loadContracts(sourceOf(db), this.book, accounts);
      return readIndexed(db, [...accounts.values()]);
    });
    await this.#read([...accounts].filter(([text]) => !indexed.has(text)));
    const judged = [...accounts.keys()].flatMap((text) => {
      const state = this.#isSettled(text) ? undefined : this.#states.get(text);
      return state === undefined ? [] : [state];
    });
    if (judged.length === 0) return;
    const { found, undetected } = await judge(judged, this.#signal);
    for (const { state } of judged)
      if (!undetected.has(state.account.toString('latin1'))) this.#forget(accountText(state.account));
    for (const { table, account, codeHash, columns } of found)
      noteContract(this.book, table, { ...columns, account, code_hash: codeHash });
  }

  /** Finds the data of accounts. */
  async learnData(accounts: ReadonlyMap<string, Buffer>): Promise<void> {
    if (accounts.size === 0) return;
    const others = new Map(accounts);
    for (const text of accounts.keys()) {
      const data = this.#states.get(text)?.state.data;
      if (!this.#states.has(text)) continue;
      others.delete(text);
      this.book.knownData.add(text);
      if (data !== undefined && data.length <= MOST_DATA_BYTES) this.book.data.set(text, data);
    }
    if (others.size === 0) return;
    await this.#sources.database.read((db) => loadAccountData(sourceOf(db), this.book, others));
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

  /** Whether the index says something of an account that no transaction changes. */
  #isSettled(text: string): boolean {
    const { jettonWallets, nominatorPools, multisigOrders, dedustPools } = this.book;
    return [jettonWallets, nominatorPools, multisigOrders, dedustPools].some((kind) => kind.has(text));
  }

  /** What the index says of an account is not so any more. */
  #forget(text: string): void {
    const { jettonWallets, nftItems, nftSales, nftAuctions } = this.book;
    for (const kind of [jettonWallets, nftItems, nftSales, nftAuctions]) kind.delete(text);
  }
}

/** Asks by way of Kysely what a client of pg is asked elsewhere. */
function sourceOf(db: Kysely<Tables>): ContractSource {
  return { query: (text, values) => db.executeQuery(CompiledQuery.raw(text, values)) };
}

/** Those of some accounts whose state the index has. */
async function readIndexed(db: Kysely<Tables>, accounts: readonly Buffer[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly account: Buffer }>`
    select account from latest_account_states where account = any(${accounts}::bytea[])`.execute(db);
  return new Set(rows.map(({ account }) => accountText(account)));
}
