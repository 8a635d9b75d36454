import type { Kysely } from 'kysely';
import { toAccountBytes } from '../chain/address.ts';
import { type CurrencyTexts, NO_CURRENCY_TEXTS } from '../chain/tlb/currency.ts';
import { readKeptStates } from '../db/queries/accounts.ts';
import { readTraceMembers, type TraceRow } from '../db/queries/traces.ts';
import { locateTransactions } from '../db/queries/transactions.ts';
import { readPages, type StoredPage } from '../db/queries/tx-pages.ts';
import type { Tables } from '../db/tables.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { eachInSlices } from '../lib/slices.ts';
import { type OpenPage, openPage } from '../pages/page.ts';
import { pageOf, slotOf } from '../pages/position.ts';
import type { ShownState } from '../pages/states.ts';
import { traceIdAt } from '../pages/trace-ids.ts';
import { completeStates, type StateOrigin, type StatesAround } from './account-states.ts';
import type { KnownState, PlacedTransaction } from './placed-transaction.ts';

/** A transaction that a query found. */
export interface Located {
  readonly at: string;
}

/** Reads transactions of the index, in the order in which they were found; those that were dropped are left out. */
export async function readPlaced(
  db: Kysely<Tables>,
  found: readonly Located[],
  signal?: AbortSignal,
): Promise<readonly PlacedTransaction[]> {
  const reader = new PageReader(db, signal);
  const placed = await reader.read(found);
  const listed = found.map(({ at }) => placed.get(at)).filter((one) => one !== undefined);
  return await completeStates(listed, (origins) => reader.readStates(origins), signal);
}

/** Reads the transactions of traces in the order of lt and account, keyed by trace id in hex. */
export async function readPlacedTraces(
  db: Kysely<Tables>,
  traces: readonly TraceRow[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly PlacedTransaction[]>> {
  const placed = await readPlaced(db, await readTraceMembers(db, { traces }), signal);
  return Map.groupBy(placed, ({ traceId }) => traceId.toString('hex'));
}

/** Reads transactions of the index by position, with the account states that their blocks show. */
export function readPlacedAt(
  db: Kysely<Tables>,
  found: readonly Located[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, PlacedTransaction>> {
  return new PageReader(db, signal).read(found);
}

/** Reads transactions for one response; each page is read once. */
class PageReader {
  readonly #db: Kysely<Tables>;
  readonly #signal: AbortSignal | undefined;
  readonly #pages = new Map<number, TransactionPage>();

  constructor(db: Kysely<Tables>, signal: AbortSignal | undefined) {
    this.#db = db;
    this.#signal = signal;
  }

  async read(found: readonly Located[]): Promise<ReadonlyMap<string, PlacedTransaction>> {
    await this.#open(found);
    const placed = new Map<string, PlacedTransaction>();
    await eachInSlices(
      found,
      ({ at }) => {
        const page = this.#pages.get(pageOf(Number(at)));
        if (page !== undefined && !placed.has(at)) placed.set(at, page.read(slotOf(Number(at))));
      },
      this.#signal,
    );
    return placed;
  }

  /** Reads the states around the transactions that made states, or what is kept of those that no transaction made. */
  async readStates(origins: readonly StateOrigin[]): Promise<StatesAround[]> {
    // Often the previous transaction of an account is on the same page.
    const onPages = await this.#findStates(origins);
    if (onPages.missing.length === 0) return onPages.found;
    await this.#open(await locateTransactions(this.#db, { keys: onPages.missing }));
    const read = await this.#findStates(onPages.missing);
    return [...onPages.found, ...read.found, ...(await this.#readKept(read.missing))];
  }

  async #findStates(origins: readonly StateOrigin[]) {
    const slots = new Map<bigint, { readonly page: TransactionPage; readonly slot: number }[]>();
    const wanted = new Set(origins.map(({ lt }) => lt));
    const collect = (page: TransactionPage): void => {
      for (const [slot, lt] of page.lts.entries()) {
        if (!wanted.has(lt)) continue;
        const known = slots.get(lt);
        if (known === undefined) slots.set(lt, [{ page, slot }]);
        else known.push({ page, slot });
      }
    };
    await eachInSlices(this.#pages.values(), collect, this.#signal);
    const found: StatesAround[] = [];
    const missing: StateOrigin[] = [];
    const match = (origin: StateOrigin): void => {
      const place = slots.get(origin.lt)?.find(({ page, slot }) => page.isOf(slot, origin.account));
      if (place === undefined) missing.push(origin);
      else found.push(place.page.states(place.slot, origin));
    };
    await eachInSlices(origins, match, this.#signal);
    return { found, missing };
  }

  async #readKept(origins: readonly StateOrigin[]): Promise<StatesAround[]> {
    if (origins.length === 0) return [];
    const rows = await readKeptStates(this.#db, { states: origins });
    const byHash = new Map(rows.map((row) => [bytesKey(row.account) + bytesKey(row.hash), row]));
    return origins.flatMap(({ account, lt, hash }) => {
      const row = byHash.get(bytesKey(account) + bytesKey(hash));
      if (row === undefined) return [];
      const after: KnownState = {
        status: row.status,
        balance: BigInt(row.balance),
        extraCurrencies: row.balance_extra ?? NO_CURRENCY_TEXTS,
        codeHash: row.code_hash ?? undefined,
        dataHash: row.data_hash ?? undefined,
        frozenHash: row.frozen_hash ?? undefined,
      };
      return [{ account, lt, previousLt: 0n, before: undefined, after, hashBefore: () => hash }];
    });
  }

  async #open(found: readonly Located[]): Promise<void> {
    const numbers = new Set(found.map(({ at }) => pageOf(Number(at))));
    const pages = await readPages(this.#db, { pages: [...numbers].filter((page) => !this.#pages.has(page)) });
    await eachInSlices(
      pages,
      (page) => {
        this.#pages.set(page.page, new TransactionPage(page));
      },
      this.#signal,
    );
  }
}

class TransactionPage {
  readonly #page: OpenPage;
  readonly #traces: Buffer;
  readonly #hashes = new Map<number, Buffer>();
  #lts: readonly bigint[] | undefined;

  constructor({ page, traces, body }: StoredPage) {
    this.#page = openPage(page, body);
    this.#traces = traces;
  }

  read(slot: number): PlacedTransaction {
    const page = this.#page;
    const { mcSeqno, shard, blockSeqno, hasExtraFlags } = page.place(slot);
    const { before, after } = page.states(slot);
    const transaction = page.transaction(slot);
    this.#hashes.set(slot, transaction.hash);
    return {
      transaction,
      account: toAccountBytes(transaction.account),
      mcSeqno,
      block: { shard, seqno: blockSeqno },
      traceId: traceIdAt(this.#traces, page.count, slot, (root) => this.#hashOf(root)),
      hasExtraFlags,
      before: { hash: transaction.oldStateHash, known: toKnown(before) },
      after: { hash: transaction.newStateHash, known: toKnown(after) },
    };
  }

  /** The logical times of its transactions. */
  get lts(): readonly bigint[] {
    this.#lts ??= Array.from({ length: this.#page.count }, (_, slot) => this.#page.lt(slot));
    return this.#lts;
  }

  isOf(slot: number, account: Buffer): boolean {
    return this.#page.account(slot).equals(account);
  }

  /** The states around the transaction that made a state. */
  states(slot: number, { account, lt }: StateOrigin): StatesAround {
    const page = this.#page;
    const { before, after } = page.states(slot);
    return {
      account,
      lt,
      previousLt: page.previousLt(slot),
      before: toKnown(before),
      after: toKnown(after),
      hashBefore: () => page.transaction(slot).oldStateHash,
    };
  }

  /** The hash of a transaction; each is read once. */
  #hashOf(slot: number): Buffer {
    const hash = this.#hashes.get(slot) ?? this.#page.transaction(slot).hash;
    this.#hashes.set(slot, hash);
    return hash;
  }
}

/** A state of an account that does not exist is not shown. */
function toKnown(shown: ShownState | undefined): KnownState | undefined {
  if (shown === undefined || shown.status === 'nonexist') return undefined;
  const { status, balance, balanceExtra, extraIsHidden, codeHash, dataHash, frozenHash } = shown;
  const extraCurrencies = extraIsHidden ? undefined : extraOf(balanceExtra);
  return { status, balance, extraCurrencies, codeHash, dataHash, frozenHash };
}

function extraOf(json: string | undefined): CurrencyTexts {
  return json === undefined ? NO_CURRENCY_TEXTS : JSON.parse(json);
}
