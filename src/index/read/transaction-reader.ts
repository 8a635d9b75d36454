import { sql } from 'kysely';
import { toAccountBytes } from '../../chain/address.ts';
import { type CurrencyTexts, NO_CURRENCY_TEXTS } from '../../chain/tlb/currency.ts';
import { type Message, normalizedUnlessSame } from '../../chain/tlb/message.ts';
import {
  accountsOfTransaction,
  type KnownState,
  type PlacedTransaction,
} from '../../chain/tlb/placed-transaction.ts';
import type { TransactionOutline } from '../../chain/tlb/transaction.ts';
import { isCluster, keptStatement } from '../../db/driver.ts';
import type { Db } from '../../db/tables/tables.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import type { JsonText } from '../../lib/json-text.ts';
import { eachInSlices, mapInSlices } from '../../lib/slices.ts';
import { type OpenPage, openPage, traceIdAt } from '../format/page.ts';
import { type Position, pageOf, positionOf, slotOf } from '../format/position.ts';
import type { ShownState } from '../format/slots.ts';
import type { AccountStateRow } from './accounts.ts';
import { type ReadyCache, ReadyText } from './ready-cache.ts';
import { completeStates, type StateOrigin, type StatesAround } from './states-around.ts';
import {
  type FoundPages,
  findPages,
  locateByHash,
  locateByLt,
  type PageVersion,
  readPages,
  readPageVersions,
  type StoredPage,
} from './transaction-pages.ts';

export type IndexedTransaction = PlacedTransaction & TransactionHead;

/** A transaction of the index without its messages. */
export interface OutlinedTransaction extends Pick<TransactionHead, 'at' | 'account'> {
  readonly hasExtraFlags: boolean;
  readonly outline: TransactionOutline;
  /** Computed when it is asked for, as the trace id: all cells of the transaction are hashed for it. */
  readonly hash: Buffer;
  readonly traceId: Buffer;
  /** Of its page. */
  readonly version: PageVersion;
}

/** What its page tells of a transaction before its cells are read. */
export type UnreadTransaction = Omit<TransactionHead, 'hash'>;

/** A transaction of a page, without what its cells tell. */
export type ListedTransaction = Pick<TransactionHead, 'at' | 'account' | 'lt' | 'mcSeqno'>;

/** Traces of transactions or messages, and the transactions that the prefixes of their hashes find. */
interface FoundTraces {
  readonly ids: readonly Buffer[];
  readonly positions: readonly Position[];
}

/** Writes the JSON of transactions for one response. */
export interface TransactionWriter {
  readonly write: (placed: PlacedTransaction) => JsonText;
  /** Whether everything was written so far; there are limits for each response. */
  readonly isWhole: () => boolean;
}

/** A transaction of the index, or all that responses show of it. */
export type FoundTransaction = IndexedTransaction | ReadyTransaction;

/** Pages that are kept open, of at most 64 kB each: walks over very many of them read some again. */
const MAX_OPEN_PAGES = 2000;
/** The rows of an answer of the database are taken in one turn of the event loop. */
const PAGES_AT_A_TIME = 100;

interface ReaderOptions {
  readonly signal?: AbortSignal | undefined;
  /** What other responses showed. */
  readonly cache?: ReadyCache | undefined;
}

/** Reads transactions for one response; each page is read once. */
export class TransactionReader {
  readonly db: Db;
  readonly signal: AbortSignal | undefined;
  readonly cache: ReadyCache | undefined;
  readonly #pages = new Map<number, TransactionPage>();

  constructor(db: Db, { signal, cache }: ReaderOptions = {}) {
    this.db = db;
    this.signal = signal;
    this.cache = cache;
  }

  /** Finds transactions by position, to be shown; those that were dropped are left out. */
  async find(positions: readonly Position[]): Promise<ReadonlyMap<Position, FoundTransaction>> {
    const cached = await this.#findCached(positions);
    const rest = positions.filter((at) => !cached.has(at));
    return new Map<Position, FoundTransaction>([...cached, ...(await this.read(rest))]);
  }

  async #findCached(positions: readonly Position[]): Promise<ReadonlyMap<Position, ReadyTransaction>> {
    const cache = this.cache;
    const candidates = positions.filter((at) => cache?.has(at));
    if (cache === undefined || candidates.length === 0) return new Map();
    const unread = new Set(candidates.map(pageOf).filter((page) => !this.#pages.has(page)));
    const versions = await readPageVersions(this.db, [...unread]);
    const versionOf = new Map(versions.map((version) => [version.page, version]));
    return new Map(
      candidates.flatMap((at) => {
        const version = this.#pages.get(pageOf(at))?.version ?? versionOf.get(pageOf(at));
        const shown = version && cache.find(ReadyTransaction, at, version);
        return shown === undefined ? [] : [[at, shown] as const];
      }),
    );
  }

  /** Writes the JSON of transactions, and adds it to the cache for other responses. */
  async show(found: readonly FoundTransaction[], writer: TransactionWriter): Promise<ReadyTransaction[]> {
    const shown = await this.write(found, writer);
    this.addToCache(shown);
    return shown;
  }

  async write(found: readonly FoundTransaction[], writer: TransactionWriter): Promise<ReadyTransaction[]> {
    const unwritten = found.flatMap((one) => (one instanceof ReadyTransaction ? [] : [one]));
    const { transactions, unsettled } = await this.#complete(unwritten);
    const byPosition = new Map(transactions.map((one) => [one.at, one]));
    return mapInSlices(
      found,
      (one) => {
        if (one instanceof ReadyTransaction) return one;
        const whole = byPosition.get(one.at)!;
        const text = writer.write(whole);
        return new ReadyTransaction(whole, text, !unsettled.has(whole) && writer.isWhole());
      },
      this.signal,
    );
  }

  addToCache(shown: readonly ReadyTransaction[]): void {
    for (const one of shown) {
      // The pages of those that are cached already may not have been read.
      const version = this.#pages.get(pageOf(one.at))?.version;
      if (version !== undefined && one.isSettled) this.cache?.add(one.at, one, version);
    }
  }

  /**
   * Reads transactions by position, with the account states that their blocks show; those that were dropped or do not fit
   * are left out.
   */
  read(
    positions: Iterable<Position>,
    isFitting?: (one: UnreadTransaction) => boolean,
  ): Promise<ReadonlyMap<Position, IndexedTransaction>> {
    return this.#readEach(positions, (page, at) =>
      isFitting === undefined || isFitting(page.unread(at)) ? page.read(at) : undefined,
    );
  }

  /** Reads transactions by position without their messages; those that were dropped are left out. */
  readOutlines(positions: Iterable<Position>): Promise<ReadonlyMap<Position, OutlinedTransaction>> {
    return this.#readEach(positions, (page, at) => page.outline(at));
  }

  /** Reads the accounts of transactions by position; those that were dropped are left out. */
  readAccounts(positions: Iterable<Position>): Promise<ReadonlyMap<Position, Buffer>> {
    return this.#readEach(positions, (page, at) => page.account(slotOf(at)));
  }

  /** Keeps pages that were read, and lists what is in them, by position. */
  listPages(pages: readonly StoredPage[]): ListedTransaction[] {
    this.#hold(pages);
    return pages
      .toSorted((a, b) => a.page - b.page)
      .flatMap(({ page }) => [...this.#pages.get(page)!.list()]);
  }

  /** Reads something at each position; positions whose pages were dropped, and those without it, are left out. */
  async #readEach<T>(
    positions: Iterable<Position>,
    readAt: (page: TransactionPage, at: Position) => T | undefined,
  ) {
    const wanted = new Set(positions);
    await this.#open(wanted);
    const found = new Map<Position, T>();
    await eachInSlices(
      wanted,
      (at) => {
        const page = this.#pages.get(pageOf(at));
        const one = page && readAt(page, at);
        if (one !== undefined) found.set(at, one);
      },
      this.signal,
    );
    return found;
  }

  /** Finds transactions by hash, to be shown, in no particular order. */
  async findByHash(hashes: readonly Buffer[]): Promise<FoundTransaction[]> {
    // Without their pages: what was shown before needs none.
    return withHash(await this.find(await locateByHash(this.db, hashes)), hashes);
  }

  /** Reads transactions by hash, in no particular order; unknown ones are left out. */
  async readByHash(hashes: readonly Buffer[]): Promise<IndexedTransaction[]> {
    return withHash(await this.#readFrom(await findPages(this.db, { of: 'transactions', hashes })), hashes);
  }

  /**
   * Reads the transactions that sent or received messages, by hash or normalized hash, in no particular order; only those
   * committed from a seqno on, if one is given.
   */
  async readByMessage(hashes: readonly Buffer[], sinceSeqno?: number): Promise<IndexedTransaction[]> {
    const found = await this.#readFrom(await findPages(this.db, { of: 'messages', hashes, sinceSeqno }));
    return [...found.values()].filter(hasNamed(hashes));
  }

  async findTracesOf(hashes: readonly Buffer[]): Promise<FoundTraces> {
    const positions = this.#take(await findPages(this.db, { of: 'transactions', hashes }));
    const found = withHash(await this.find(positions), hashes);
    return { ids: found.map(({ traceId }) => traceId), positions };
  }

  /** Finds the ids of the traces that messages are part of, by hash or normalized hash. */
  async findTracesOfMessages(hashes: readonly Buffer[]): Promise<FoundTraces> {
    const positions = this.#take(await findPages(this.db, { of: 'messages', hashes }));
    const cached = await this.#findCached(positions);
    const wanted = new Set(hashes.map(bytesKey));
    // Normalized hashes are not cached.
    const known = [...cached.values()].filter(({ inHash, outHashes }) =>
      [...(inHash === undefined ? [] : [inHash]), ...outHashes].some((hash) => wanted.has(bytesKey(hash))),
    );
    const isKnown = new Set(known.map(({ at }) => at));
    const rest = await this.read(positions.filter((at) => !isKnown.has(at)));
    const found = [...known, ...[...rest.values()].filter(hasNamed(hashes))];
    return { ids: found.map(({ traceId }) => traceId), positions };
  }

  versionsOf(pages: readonly number[]): PageVersion[] {
    return pages.flatMap((page) => this.#pages.get(page)?.version ?? []);
  }

  /** Adds what blocks do not show of the account states around transactions. */
  async complete<T extends PlacedTransaction>(transactions: readonly T[]): Promise<readonly T[]> {
    return (await this.#complete(transactions)).transactions;
  }

  #complete<T extends PlacedTransaction>(transactions: readonly T[]) {
    return completeStates(transactions, (origins) => this.#readStates(origins), this.signal);
  }

  /** Reads the states around the transactions that made states, or what is kept of those that no transaction made. */
  async #readStates(origins: readonly StateOrigin[]): Promise<StatesAround[]> {
    // Often the previous transaction of an account is on the same page.
    const onPages = await this.#findStates(origins);
    if (onPages.missing.length === 0) return onPages.found;
    await this.#open(await locateByLt(this.db, onPages.missing));
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
    await eachInSlices(this.#pages.values(), collect, this.signal);
    const found: StatesAround[] = [];
    const missing: StateOrigin[] = [];
    const match = (origin: StateOrigin): void => {
      const place = slots.get(origin.lt)?.find(({ page, slot }) => page.isOf(slot, origin.account));
      if (place === undefined) missing.push(origin);
      else found.push(place.page.states(place.slot, origin));
    };
    await eachInSlices(origins, match, this.signal);
    return { found, missing };
  }

  async #readKept(origins: readonly StateOrigin[]): Promise<StatesAround[]> {
    if (origins.length === 0) return [];
    const rows = await readKeptStates(this.db, origins);
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

  async #readFrom(found: FoundPages): Promise<ReadonlyMap<Position, IndexedTransaction>> {
    return this.read(this.#take(found));
  }

  /** Keeps pages that were found with transactions; returns the positions of those. */
  #take({ positions, pages }: FoundPages): readonly Position[] {
    this.#makeRoom(positions);
    this.#hold(pages.filter(({ page }) => !this.#pages.has(page)));
    return positions;
  }

  async #open(positions: Iterable<Position>): Promise<void> {
    const numbers = this.#makeRoom(positions);
    const missing = [...numbers].filter((page) => !this.#pages.has(page));
    for (let i = 0; i < missing.length; i += PAGES_AT_A_TIME)
      this.#hold(await readPages(this.db, missing.slice(i, i + PAGES_AT_A_TIME)));
  }

  /** The pages of some positions; others are dropped if they would be too many together. */
  #makeRoom(positions: Iterable<Position>): ReadonlySet<number> {
    const numbers = new Set<number>();
    for (const at of positions) numbers.add(pageOf(at));
    if (numbers.size + this.#pages.size > MAX_OPEN_PAGES)
      for (const page of this.#pages.keys()) if (!numbers.has(page)) this.#pages.delete(page);
    return numbers;
  }

  #hold(pages: readonly StoredPage[]): void {
    for (const page of pages) this.#pages.set(page.page, new TransactionPage(page));
  }
}

type KeptStateRow = Omit<AccountStateRow, 'last_trans_lt' | 'last_trans_hash'>;

const keptStates = keptStatement<KeptStateRow, [readonly Buffer[], readonly Buffer[]]>(
  (db, accounts, hashes) => {
    // Tells Citus the workers to ask.
    const isOneOf = isCluster(db) ? sql`s.account = any(${accounts}::bytea[])` : sql`true`;
    return sql`
    select s.* from unnest(${accounts}::bytea[], ${hashes}::bytea[]) as asked (account, hash)
    join account_states s on s.account = asked.account and s.hash = asked.hash where ${isOneOf}`;
  },
);

/** Reads states that no indexed transaction made; unknown ones are left out. */
function readKeptStates(db: Db, states: readonly Pick<AccountStateRow, 'account' | 'hash'>[]) {
  return keptStates(
    db,
    states.map(({ account }) => account),
    states.map(({ hash }) => hash),
  );
}

/** Those of the found transactions that have one of the hashes: rows only tell their prefixes. */
function withHash<T extends TransactionHead>(found: ReadonlyMap<Position, T>, hashes: readonly Buffer[]) {
  const wanted = new Set(hashes.map(bytesKey));
  return [...found.values()].filter(({ hash }) => wanted.has(bytesKey(hash)));
}

/** The test that a message has one of the hashes, or that one of them is its normalized hash. */
export function isNamedBy(hashes: readonly Buffer[]): (message: Message) => boolean {
  const wanted = new Set(hashes.map(bytesKey));
  return (message) => {
    if (wanted.has(bytesKey(message.hash))) return true;
    const normalized = normalizedUnlessSame(message);
    return normalized !== undefined && wanted.has(bytesKey(normalized));
  };
}

function hasNamed(hashes: readonly Buffer[]): (one: IndexedTransaction) => boolean {
  const isNamed = isNamedBy(hashes);
  return ({ transaction: { inMessage, outMessages } }) =>
    (inMessage !== undefined && isNamed(inMessage)) || outMessages.some(isNamed);
}

/** A page of transactions, which is opened when one of them is read: often all that is shown of them is cached. */
class TransactionPage {
  readonly version: PageVersion;
  #stored: StoredPage | undefined;
  #opened: OpenPage | undefined;
  readonly #hashes = new Map<number, Buffer>();
  #lts: readonly bigint[] | undefined;

  constructor(stored: StoredPage) {
    const { page, traces, history } = stored;
    this.version = { page, traces, history };
    this.#stored = stored;
  }

  get #page(): OpenPage {
    if (this.#stored !== undefined) {
      this.#opened = openPage(this.#stored.page, this.#stored.body);
      this.#stored = undefined;
    }
    return this.#opened!;
  }

  read(at: Position): IndexedTransaction {
    const page = this.#page;
    const slot = slotOf(at);
    const { mcSeqno, shard, blockSeqno, hasExtraFlags } = page.place(slot);
    const { before, after } = page.states(slot);
    const transaction = page.transaction(slot);
    this.#hashes.set(slot, transaction.hash);
    const findTraceId = () => this.#traceIdOf(slot);
    return {
      at,
      hash: transaction.hash,
      lt: transaction.lt,
      now: transaction.now,
      transaction,
      account: toAccountBytes(transaction.account),
      mcSeqno,
      block: { shard, seqno: blockSeqno },
      // Often the first transaction of the trace must be read for it, and lists of messages do not show it.
      get traceId() {
        return findTraceId();
      },
      hasExtraFlags,
      before: { hash: transaction.oldStateHash, known: toKnown(before) },
      after: { hash: transaction.newStateHash, known: toKnown(after) },
    };
  }

  unread(at: Position): UnreadTransaction {
    const page = this.#page;
    const slot = slotOf(at);
    const { mcSeqno, shard, blockSeqno } = page.place(slot);
    return {
      at,
      mcSeqno,
      block: { shard, seqno: blockSeqno },
      get account() {
        return page.account(slot);
      },
      get lt() {
        return page.lt(slot);
      },
      get now() {
        return page.now(slot);
      },
    };
  }

  outline(at: Position): OutlinedTransaction {
    const page = this.#page;
    const slot = slotOf(at);
    const { hasExtraFlags } = page.place(slot);
    const outline = page.outline(slot);
    const { version } = this;
    const findTraceId = () => this.#traceIdOf(slot);
    const findHash = () => {
      const hash = outline.cells.hash(outline.cell, 0);
      this.#hashes.set(slot, hash);
      return hash;
    };
    return {
      at,
      account: toAccountBytes(outline.account),
      hasExtraFlags,
      outline,
      version,
      get hash() {
        return findHash();
      },
      get traceId() {
        return findTraceId();
      },
    };
  }

  *list(): Generator<ListedTransaction, void> {
    const page = this.#page;
    for (let slot = 0; slot < page.count; slot++)
      yield {
        at: positionOf(page.page, slot),
        account: page.account(slot),
        lt: page.lt(slot),
        mcSeqno: page.place(slot).mcSeqno,
      };
  }

  /** The logical times of its transactions. */
  get lts(): readonly bigint[] {
    this.#lts ??= Array.from({ length: this.#page.count }, (_, slot) => this.#page.lt(slot));
    return this.#lts;
  }

  account(slot: number): Buffer {
    return this.#page.account(slot);
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

  #traceIdOf(slot: number): Buffer {
    return traceIdAt(this.version.traces, this.#page.count, slot, (root) => this.#hashOf(root));
  }

  /** The hash of a transaction; each is read once. */
  #hashOf(slot: number): Buffer {
    const hash = this.#hashes.get(slot) ?? this.#page.hash(slot);
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

/** What lists need to know of a transaction. */
export interface TransactionHead {
  readonly at: Position;
  readonly hash: Buffer;
  /** 33 bytes. */
  readonly account: Buffer;
  readonly lt: bigint;
  readonly now: number;
  readonly mcSeqno: number;
  readonly block: PlacedTransaction['block'];
}

/** Orders transactions by logical time, then by account: the masterchain, which is negative, comes first. */
export function compareTransactions(a: TransactionHead, b: TransactionHead): number {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  const [left, right] = [a.account, b.account];
  return left.readInt8(0) - right.readInt8(0) || Buffer.compare(left, right);
}

/**
 * A transaction as responses show it, without its cells, which is cached by position. It never changes, but its trace id may,
 * when traces are joined, and on a local chain another one may take its position. Its hashes are its own, that of its trace,
 * and those of its messages.
 */
export class ReadyTransaction extends ReadyText implements TransactionHead {
  readonly at: Position;
  readonly lt: bigint;
  readonly now: number;
  readonly mcSeqno: number;
  readonly block: PlacedTransaction['block'];
  /** Whether nothing of the text can change as long as its page is the same. */
  readonly isSettled: boolean;
  readonly #hasIn: boolean;
  readonly #outs: number;

  constructor(
    placed: TransactionHead & Pick<PlacedTransaction, 'transaction' | 'traceId'>,
    text: JsonText,
    isSettled: boolean,
  ) {
    const { inMessage, outMessages } = placed.transaction;
    const messages = inMessage === undefined ? outMessages : [inMessage, ...outMessages];
    super(
      text,
      [placed.hash, placed.traceId, ...messages.map(({ hash }) => hash)],
      [placed.account, ...accountsOfTransaction(placed.transaction)],
    );
    this.at = placed.at;
    this.lt = placed.lt;
    this.now = placed.now;
    this.mcSeqno = placed.mcSeqno;
    this.block = placed.block;
    this.isSettled = isSettled;
    this.#hasIn = inMessage !== undefined;
    this.#outs = outMessages.length;
  }

  get hash(): Buffer {
    return this.hashAt(0);
  }

  get traceId(): Buffer {
    return this.hashAt(1);
  }

  get inHash(): Buffer | undefined {
    return this.#hasIn ? this.hashAt(2) : undefined;
  }

  get outHashes(): readonly Buffer[] {
    return Array.from({ length: this.#outs }, (_, i) => this.hashAt(2 + Number(this.#hasIn) + i));
  }

  get account(): Buffer {
    return this.accountAt(0);
  }
}
