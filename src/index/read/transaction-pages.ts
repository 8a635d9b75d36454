import { type RawBuilder, sql } from 'kysely';
import type { ClientBase } from 'pg';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import { fence, isCluster, keptStatement } from '../../db/driver.ts';
import type { Db } from '../../db/tables/tables.ts';
import { type OpenPage, openPage } from '../format/page.ts';
import { accountPrefix, hashPrefix, type Position, pageNumber, pageOf, SLOTS } from '../format/position.ts';
import type { SlotPlace } from '../format/slots.ts';
import { isShown, joinRanges, type SeqnoRange } from '../snapshot.ts';
import { placesOf } from './hash-places.ts';

// Rows hold prefixes of accounts and hashes, so more may be found than was asked for: every transaction must be checked.

/** Transactions that were found, and the pages that they are on, each once. */
export interface FoundPages<Page extends PageVersion = StoredPage> {
  readonly positions: readonly Position[];
  readonly pages: readonly Page[];
}

/** Which transactions are searched for: by their hashes, or by the messages that they sent or received. */
export interface SoughtTransactions {
  readonly of: 'transactions' | 'messages';
  /** Of messages also normalized hashes. */
  readonly hashes: readonly Buffer[];
  /** Only transactions committed from this masterchain seqno on; for messages only. */
  readonly sinceSeqno?: number | undefined;
}

const positionsByHash = keptStatement<FoundRow, [readonly bigint[]]>(byHash);

export async function locateByHash(db: Db, hashes: readonly Buffer[]): Promise<Position[]> {
  if (hashes.length === 0) return [];
  return (await positionsByHash(db, hashes.map(hashPrefix))).map(toPosition);
}

/** Finds transactions with their pages; of very many that have a message the newest. */
export function findPages(db: Db, sought: SoughtTransactions): Promise<FoundPages> {
  return readFound(db, sought, 'page');
}

/** Finds transactions with what may have changed of their pages. */
export function findVersions(db: Db, sought: SoughtTransactions): Promise<FoundPages<PageVersion>> {
  return readFound(db, sought, 'version');
}

function byHash(db: Db, prefixes: readonly bigint[]): RawBuilder<unknown> {
  if (isCluster(db)) return sql`select at from ${placesOf(db, ['transaction'], prefixes)}`;
  return sql`select at from transactions where hash8 = any(${prefixes}::bigint[])`;
}

/** What is read of pages: all, or what may have changed. */
const COLUMNS = { page: sql`traces, body`, version: sql`traces` };

type Find = (db: Db, prefixes: readonly bigint[], sinceSeqno?: number) => RawBuilder<unknown>;

/** A statement that reads the pages of transactions in the same round trip. */
function withPages(find: Find, columns: RawBuilder<unknown>) {
  type Row = PageVersion & { readonly found: string };
  // With the fence each page is looked up by itself: other kinds of joins might read whole partitions.
  return keptStatement<Row, [readonly bigint[], number | undefined]>(
    (db, prefixes, sinceSeqno) => sql`
    with found as materialized (${find(db, prefixes, sinceSeqno)})
    select hit.page, hit.found, stored.*, (select history_id::text from index_origin) as history
    from (select at / ${sql.lit(SLOTS)} as page, string_agg(at::text, ',') as found from found group by 1) hit
    cross join lateral (select ${columns} from tx_pages where page = hit.page offset 0) stored`,
  );
}

function createFinder(find: Find) {
  return {
    positions: keptStatement<FoundRow, [readonly bigint[], number | undefined]>(find),
    page: withPages(find, COLUMNS.page),
    version: withPages(find, COLUMNS.version),
  };
}

const FINDERS = {
  transactions: createFinder(byHash),
  messages: createFinder((db, prefixes) => byMessage(db, prefixes)),
  messagesSince: createFinder(byMessage),
};

/** On a cluster it takes two round trips: pages are read from their workers only if their numbers are known. */
async function readFound<Page extends PageVersion>(
  db: Db,
  { of, hashes, sinceSeqno }: SoughtTransactions,
  columns: keyof typeof COLUMNS,
): Promise<FoundPages<Page>> {
  if (hashes.length === 0) return { positions: [], pages: [] };
  const finder = FINDERS[of === 'messages' && sinceSeqno !== undefined ? 'messagesSince' : of];
  const prefixes = hashes.map(hashPrefix);
  if (isCluster(db)) {
    const positions = (await finder.positions(db, prefixes, sinceSeqno)).map(toPosition);
    return { positions, pages: await selectPages<Page>(db, [...new Set(positions.map(pageOf))], columns) };
  }
  const rows = await finder[columns](db, prefixes, sinceSeqno);
  return {
    positions: rows.flatMap(({ found }) => found.split(',').map(Number)),
    pages: rows.map(({ found, ...page }) => ({ ...(page as unknown as Page), page: Number(page.page) })),
  };
}

const positionsByLt = keptStatement<FoundRow, [readonly bigint[], readonly bigint[]]>((db, prefixes, lts) => {
  // Tells Citus the workers to ask.
  const isOneOf = isCluster(db) ? sql`t.acc8 = any(${prefixes}::bigint[])` : sql`true`;
  return sql`
    select t.at from unnest(${prefixes}::bigint[], ${lts}::bigint[]) as asked (acc8, lt)
    cross join lateral (
      select at, acc8 from transactions where acc8 = asked.acc8 and lt = asked.lt ${fence(db)}) t
    where ${isOneOf}`;
});

export async function locateByLt(db: Db, keys: readonly { readonly account: Buffer; readonly lt: bigint }[]) {
  if (keys.length === 0) return [];
  const prefixes = keys.map(({ account }) => accountPrefix(account));
  const rows = await positionsByLt(
    db,
    prefixes,
    keys.map(({ lt }) => lt),
  );
  return rows.map(toPosition);
}

/**
 * Most transactions that messages are searched in. An external message may be received any number of times, and all these
 * transactions would be read; a request has at most a thousand hashes.
 */
const MAX_FOUND = 4000;

const positionsByMessage = keptStatement<FoundRow & { readonly history: string | null }, [readonly bigint[]]>(
  (db, prefixes) => sql`
    select at, (select history_id::text from index_origin) as history from (${byMessage(db, prefixes)}) found
    order by at desc`,
);

/** Finds the transactions that sent or received messages, newest first; of very many the newest. */
export async function locateByMessage(db: Db, hashes: readonly Buffer[]) {
  const rows = await positionsByMessage(db, hashes.map(hashPrefix));
  return { positions: rows.map(toPosition), history: rows[0]?.history ?? undefined };
}

function byMessage(db: Db, prefixes: readonly bigint[], sinceSeqno?: number): RawBuilder<unknown> {
  const isWanted = sinceSeqno === undefined ? sql`true` : sql`mc_seqno >= ${sinceSeqno}`;
  const isNew = sql`${isWanted} and ${isShown(db, sql`mc_seqno`)}`;
  if (isCluster(db))
    return sql`
      select at from messages where hash8 = any(${prefixes}::bigint[]) and ${isNew} union
      select at from ${placesOf(db, ['received', 'normalized'], prefixes)} and ${isWanted}
      order by at desc limit ${sql.lit(MAX_FOUND)}`;
  // External messages have the prefix of their normalized hash in the place of the sender.
  return sql`
    select at from messages where hash8 = any(${prefixes}::bigint[]) and ${isNew} union
    select at from messages where src8 = any(${prefixes}::bigint[]) and created_at is null and ${isNew} union
    select at from transactions where in8 = any(${prefixes}::bigint[]) and ${isNew}
    order by at desc limit ${sql.lit(MAX_FOUND)}`;
}

type ReceiverRow = FoundRow & { readonly in8: string };

const receivers = keptStatement<ReceiverRow, [readonly bigint[]]>((db, prefixes) =>
  isCluster(db)
    ? sql`select at, hash8 as in8 from ${placesOf(db, ['received'], prefixes)}`
    : sql`select at, in8 from transactions where in8 = any(${prefixes}::bigint[])`,
);

/** Finds the transactions that received messages, by the prefixes of their hashes. */
export async function locateReceivers(db: Db, prefixes: readonly bigint[]) {
  if (prefixes.length === 0) return [];
  return (await receivers(db, prefixes)).map((row) => ({ at: toPosition(row), in8: BigInt(row.in8) }));
}

interface FoundRow {
  readonly at: string;
}

function toPosition({ at }: FoundRow): Position {
  return Number(at);
}

export interface PageVersion {
  readonly page: number;
  /** The trace ids of its transactions. */
  readonly traces: Buffer;
  /** Of the index: changes whenever indexed blocks are taken back, and others may take their place. */
  readonly history: string;
}

export interface StoredPage extends PageVersion {
  readonly body: Buffer;
}

/** Reads pages by number, in no particular order; those that were dropped are left out. */
export function readPages(db: Db, pages: readonly number[]): Promise<StoredPage[]> {
  return selectPages(db, pages, 'page');
}

/** Reads what may have changed of pages. */
export function readPageVersions(db: Db, pages: readonly number[]): Promise<PageVersion[]> {
  return selectPages(db, pages, 'version');
}

function pagesBetween(columns: RawBuilder<unknown>) {
  // The planner prunes partitions only by values that it knows in advance.
  return keptStatement<PageVersion, [pages: readonly number[], first: number, last: number]>(
    (_db, pages, first, last) => sql`
    select page, ${columns}, (select history_id::text from index_origin) as history from tx_pages
    where page = any(${pages}::bigint[]) and page between ${first} and ${last}`,
  );
}

const PAGES = { page: pagesBetween(COLUMNS.page), version: pagesBetween(COLUMNS.version) };

async function selectPages<Page extends PageVersion>(
  db: Db,
  pages: readonly number[],
  columns: keyof typeof COLUMNS,
): Promise<Page[]> {
  if (pages.length === 0) return [];
  const rows = await PAGES[columns](db, pages, Math.min(...pages), Math.max(...pages));
  return rows.map((row) => ({ ...(row as Page), page: Number(row.page) }));
}

/** Reads the pages with the transactions of masterchain seqnos; a page may have those of neighbours too. */
export async function readPagesOfSeqnos(db: Db, seqnos: readonly number[]) {
  if (seqnos.length === 0) return [];
  if (isCluster(db)) {
    const runs = joinRanges(seqnos.toSorted((a, b) => a - b).map((seqno) => ({ first: seqno, last: seqno })));
    const found = (await Promise.all(runs.map((run) => readPagesOfRun(db, run)))).flat();
    // A page may reach into several runs.
    return [...new Map(found.map((page) => [page.page, page])).values()].sort((a, b) => a.page - b.page);
  }
  const firsts = seqnos.map((seqno) => pageNumber(seqno, 0));
  const ends = seqnos.map((seqno) => pageNumber(seqno + 1, 0));
  const rows = await pagesOfSeqnos(db, seqnos, firsts, ends);
  return rows.map((row) => ({ ...row, page: Number(row.page) }));
}

// Only the last page that begins before a seqno can reach into it.
const pagesOfSeqnos = keptStatement<StoredPage, [readonly number[], readonly number[], readonly number[]]>(
  (_db, seqnos, firsts, ends) => sql`
    select distinct on (found.page) found.page, found.traces, found.body,
           (select history_id::text from index_origin) as history
    from unnest(${seqnos}::int[], ${firsts}::bigint[], ${ends}::bigint[]) as asked (seqno, first, "end")
    cross join lateral (
      (select page, last_seqno, traces, body from tx_pages where page >= asked.first and page < asked."end")
      union all
      (select page, last_seqno, traces, body from tx_pages where page < asked.first order by page desc limit 1)
    ) found
    where found.last_seqno >= asked.seqno order by found.page`,
);

/** The same on a cluster, where all workers are asked for the pages of some neighbours. */
async function readPagesOfRun(db: Db, { first, last }: SeqnoRange): Promise<StoredPage[]> {
  const columns = sql`page, last_seqno, traces, body, (select history_id::text from index_origin) as history`;
  type Row = StoredPage & { readonly last_seqno: number };
  const begin = pageNumber(first, 0);
  const [inside, before] = await Promise.all([
    sql<Row>`select ${columns} from tx_pages where page >= ${begin}::bigint
      and page < ${pageNumber(last + 1, 0)}::bigint order by page`.execute(db),
    sql<Row>`select ${columns} from tx_pages where page < ${begin}::bigint order by page desc limit 1`.execute(
      db,
    ),
  ]);
  const reaching = before.rows.filter(({ last_seqno }) => last_seqno >= first);
  return [...reaching, ...inside.rows].map(({ last_seqno, ...row }) => ({ ...row, page: Number(row.page) }));
}

const PAGES_PER_QUERY = 200;

// The planner prunes partitions only by values that it knows in advance.
const READ_PAGES =
  'select page, body from tx_pages where page = any($1::bigint[]) and page between $2 and $3';

/** Reads and opens the pages of some positions, by number; those that were dropped are left out. */
export async function readPagesOf(client: ClientBase, positions: Iterable<Position>) {
  const wanted = new Set<number>();
  for (const at of positions) wanted.add(pageOf(at));
  const numbers = [...wanted].sort((a, b) => a - b);
  const pages = new Map<number, OpenPage>();
  for (let i = 0; i < numbers.length; i += PAGES_PER_QUERY) {
    const part = numbers.slice(i, i + PAGES_PER_QUERY);
    const { rows } = await client.query<{ readonly page: string; readonly body: Buffer }>(READ_PAGES, [
      part,
      part[0],
      part.at(-1),
    ]);
    for (const { page, body } of rows) pages.set(Number(page), openPage(Number(page), body));
  }
  return pages;
}

export type TransactionPlace = SlotPlace;

/** Reads the transactions of an account in a masterchain seqno, in order. */
export async function readTransactionsOfAccount(
  db: Db,
  { account, mcSeqno }: { readonly account: Buffer; readonly mcSeqno: number },
): Promise<{ readonly place: TransactionPlace; readonly transaction: Transaction }[]> {
  const pages = await readPagesOfSeqnos(db, [mcSeqno]);
  return pages
    .map(({ page, body }) => openPage(page, body))
    .flatMap((page) =>
      Array.from({ length: page.count }, (_, slot) => slot)
        .filter((slot) => page.place(slot).mcSeqno === mcSeqno && page.account(slot).equals(account))
        .map((slot) => ({ place: page.place(slot), transaction: page.transaction(slot) })),
    )
    .sort((a, b) => (a.transaction.lt < b.transaction.lt ? -1 : 1));
}
