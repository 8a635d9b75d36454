import { beginCell } from '@ton/core';
import { sql } from 'kysely';
import type { Db } from '../db/tables/tables.ts';
import { type ChainState, readChainTransaction } from './chain-block.ts';
import type { ChainSeqno } from './chain-reader.ts';
import { accountBytes } from './core-readers.ts';
import type { Findings, Row } from './differences.ts';
import { FLAGS_FROM_VERSION, type PlacedTransaction, stateAfter } from './expected-rows.ts';
import { type PageRow, type PageSlot, readPage } from './stored-format.ts';

const TABLE = 'tx_pages';
const PAGES_PER_SEQNO = 65_536;
const SLOTS_PER_PAGE = 64;
const PAGES_PER_QUERY = 100;

/** Compares the pages of an index with the chain, seqno by seqno in ascending order. It keeps the last page, which may go on in the next one. */
export function createPageCheck(db: Db, findings: Findings) {
  let last: { readonly page: string; readonly slots: readonly PageSlot[] } | undefined;

  /** Pages with transactions of the seqno: those that begin there, and perhaps the one before. */
  async function pagesOf(mcSeqno: number): Promise<PageRow[]> {
    const first = mcSeqno * PAGES_PER_SEQNO;
    const { rows } = await sql<PageRow>`
      (select * from tx_pages where page < ${first} order by page desc limit 1)
      union all (select * from tx_pages where page between ${first} and ${first + PAGES_PER_SEQNO - 1})
      order by page`.execute(db);
    return rows.filter(({ last_seqno }) => last_seqno >= mcSeqno);
  }

  function open(row: PageRow): readonly PageSlot[] {
    if (last?.page === row.page) return last.slots;
    const slots = readOrReport(findings, row);
    last = { page: row.page, slots };
    return slots;
  }

  return {
    /** Checks one seqno; returns the positions of its transactions, undefined where no readable page has them. */
    async seqno(chain: ChainSeqno, placed: readonly PlacedTransaction[], traceIds: readonly Buffer[]) {
      const { mcSeqno } = chain;
      const slots = new Map<string, Row>();
      const positions = new Map<string, number>();
      for (const { at, workchain, cell, columns, ...slot } of (await pagesOf(mcSeqno)).flatMap(open)) {
        if (slot.mcSeqno !== mcSeqno) continue;
        const { address, lt } = readChainTransaction(cell);
        const key = slotKey(accountBytes(workchain, address), lt);
        if (slots.has(key)) findings.add({ table: TABLE, key, expected: undefined, found: `again at ${at}` });
        slots.set(key, columns);
        positions.set(key, at);
      }
      const expected = placed.map((one, i) => ({ ...expectedSlot(chain, one), trace_id: traceIds[i] }));
      const keys = placed.map(({ account, transaction }) => slotKey(account, transaction.lt));
      findings.compare(TABLE, new Map(keys.map((key, i) => [key, expected[i]!])), slots);
      const inOrder = keys.map((key) => positions.get(key));
      checkOrder(findings, mcSeqno, inOrder);
      return inOrder;
    },
  };
}

function slotKey(account: Buffer, lt: bigint): string {
  return `${account.readInt8(0)}:${account.toString('hex', 1)} lt ${lt}`;
}

/** Roll-backs and traces rely on the order of transactions in pages. */
function checkOrder(findings: Findings, mcSeqno: number, positions: readonly (number | undefined)[]): void {
  const readable = positions.filter((at) => at !== undefined);
  const wrong = readable.findIndex((at, i) => i > 0 && at < readable[i - 1]!);
  if (wrong < 0) return;
  const found = `position ${readable[wrong]} after ${readable[wrong - 1]}`;
  findings.add({
    table: TABLE,
    key: `seqno ${mcSeqno}`,
    column: 'order',
    expected: 'ascending positions',
    found,
  });
}

/** Reads transactions by position; those that no readable page has are left out. */
export async function readSlots(db: Db, positions: readonly number[]): Promise<Map<number, PageSlot>> {
  const slots = new Map<number, PageSlot>();
  const wanted = new Set(positions);
  const pages = [...new Set(positions.map((at) => Math.floor(at / SLOTS_PER_PAGE)))].sort((a, b) => a - b);
  for (let i = 0; i < pages.length; i += PAGES_PER_QUERY) {
    const part = pages.slice(i, i + PAGES_PER_QUERY);
    // The planner prunes partitions only by values that it knows in advance.
    const { rows } = await sql<PageRow>`
      select * from tx_pages where page = any(${part}::bigint[])
        and page between ${part[0]} and ${part.at(-1)}`.execute(db);
    for (const row of rows)
      for (const slot of readPageIfReadable(row)) if (wanted.has(slot.at)) slots.set(slot.at, slot);
  }
  return slots;
}

function readPageIfReadable(row: PageRow): readonly PageSlot[] {
  try {
    return readPage(row);
  } catch {
    return [];
  }
}

/** Reads a page and checks what the row says about it. An unreadable page has no slots. */
function readOrReport(findings: Findings, row: PageRow): readonly PageSlot[] {
  const report = (column: string, expected: string, found: string) =>
    findings.add({ table: TABLE, key: `page ${row.page}`, column, expected, found });
  try {
    const slots = readPage(row);
    const seqnos = slots.map(({ mcSeqno }) => mcSeqno);
    const firstSeqno = Math.floor(Number(row.page) / PAGES_PER_SEQNO);
    if (seqnos[0] !== firstSeqno) report('page', `${seqnos[0]}`, `${firstSeqno}`);
    if (seqnos.at(-1) !== row.last_seqno) report('last_seqno', `${seqnos.at(-1)}`, `${row.last_seqno}`);
    return slots;
  } catch (error) {
    report('body', 'a page', String(error));
    return [];
  }
}

function expectedSlot({ mcSeqno, globalVersion }: ChainSeqno, placed: PlacedTransaction): Row {
  const { block, transaction, isFirst, isLast } = placed;
  const before = isFirst ? block.before.get(transaction.address.toString('hex')) : undefined;
  return {
    mc_seqno: mcSeqno,
    block_shard: block.id.shard,
    block_seqno: block.id.seqno,
    has_extra_flags: globalVersion >= FLAGS_FROM_VERSION,
    hash: transaction.hash,
    ...stateColumns('after', isLast ? (stateAfter(placed) ?? missing(transaction.stateAfter)) : undefined),
    ...stateColumns('before', isFirst ? (before ?? missing(transaction.stateBefore)) : undefined),
  };
}

const ACCOUNT_NONE = beginCell().storeBit(false).endCell().hash();

/** The state of an account that a block does not show: it may have none. */
function missing(hash: Buffer): ChainState | undefined {
  if (!hash.equals(ACCOUNT_NONE)) return undefined;
  const nothing = { codeHash: null, dataHash: null, frozenHash: null };
  return { hash, status: 'nonexist', balance: { grams: 0n, extra: null }, ...nothing };
}

function stateColumns(prefix: 'before' | 'after', state: ChainState | undefined): Row {
  if (state === undefined) return { [`${prefix}_status`]: null };
  const { grams, extra } = state.balance;
  return {
    [`${prefix}_status`]: state.status,
    [`${prefix}_balance`]: grams,
    [`${prefix}_code_hash`]: state.codeHash,
    [`${prefix}_data_hash`]: state.dataHash,
    [`${prefix}_frozen_hash`]: state.frozenHash,
    // Hidden extra currencies may be known from the other side of the block.
    ...(extra === undefined ? {} : { [`${prefix}_extra`]: extra }),
  };
}
