import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { type ChainSource, masterchainId, readChain } from './chain-seqno.ts';
import { checkEvents, EVENT_TABLES } from './check-events.ts';
import { createPageCheck } from './check-pages.ts';
import { checkSeqno } from './check-seqno.ts';
import { checkStates } from './check-states.ts';
import { createTraceCheck } from './check-traces.ts';
import { type Difference, Findings } from './differences.ts';
import { placedTransactions } from './expected-rows.ts';

export interface VerifyOptions extends ChainSource {
  readonly db: Kysely<Tables>;
  /** Indexed masterchain seqnos, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** Called after every seqno. */
  readonly onProgress?: (seqno: number, differences: number) => void;
}

/** The result of a verification. */
export interface Verification {
  /** Compared rows by table. */
  readonly compared: ReadonlyMap<string, number>;
  /** The first thousand. */
  readonly differences: readonly Difference[];
  readonly differenceCount: number;
  /** How many rows could not be compared, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
}

const STRAYS = 100;

/**
 * Compares a range of the index with the chain. It reads blocks independently and shares no decoder with the indexer. It
 * keeps one seqno and the traces with pending messages in memory.
 */
export async function verifyRange(options: VerifyOptions): Promise<Verification> {
  const { db, from, to } = options;
  const findings = new Findings();
  const traces = createTraceCheck(db, findings, from, to);
  const pages = createPageCheck(db, findings);
  const context = {
    db,
    findings,
    source: options,
    last: await masterchainId(options, await lastSeqno(db, to)),
  };
  for await (const chain of readChain(options, from, to)) {
    options.signal?.throwIfAborted();
    const placed = placedTransactions(chain);
    const traceIds = await traces.seqno(chain.mcSeqno, placed);
    const positions = await pages.seqno(chain, placed, traceIds);
    await checkSeqno(db, findings, chain, placed, { traceIds, positions });
    await checkStates(context, chain.mcSeqno, placed);
    await checkEvents(db, findings, chain.mcSeqno, placed);
    options.onProgress?.(chain.mcSeqno, findings.differenceCount);
  }
  await traces.end();
  await findStrays(db, findings, from, to);
  const { compared, differences, differenceCount, skipped } = findings;
  return { compared, differences, differenceCount, skipped };
}

/** The last indexed seqno: the newest states are known up to it. */
async function lastSeqno(db: Kysely<Tables>, to: number): Promise<number> {
  const row = await db
    .selectFrom('index_chunks')
    .select((eb) => eb.fn.max('done_seqno').as('last'))
    .executeTakeFirst();
  return Math.max(row?.last ?? 0, to);
}

/** Finds rows without a transaction: they have no index by seqno, so this runs once per range. */
async function findStrays(db: Kysely<Tables>, findings: Findings, from: number, to: number): Promise<void> {
  const find = async (table: string, query: RawBuilder<{ key: string }>) => {
    const { rows } = await query.execute(db);
    for (const { key } of rows) findings.add({ table, key, expected: undefined, found: 'a row' });
  };
  await find(
    'messages',
    sql`
    select mc_seqno || ' ' || encode(account, 'hex') || ' ' || tx_lt || ' ' || ordinal as key from messages m
    where mc_seqno between ${from} and ${to} and not exists (
      select from transactions t where t.account = m.account and t.lt = m.tx_lt and t.mc_seqno = m.mc_seqno)
    limit ${STRAYS}`,
  );
  await find(
    'trace_accounts',
    sql`
    select encode(trace_id, 'hex') || ' ' || encode(account, 'hex') as key from trace_accounts a
    where mc_seqno_end between ${from} and ${to} and not exists (
      select from transactions t where t.trace_id = a.trace_id and t.account = a.account)
    limit ${STRAYS}`,
  );
  for (const table of EVENT_TABLES)
    await find(
      table,
      sql`
      select mc_seqno || ' ' || encode(account, 'hex') || ' ' || lt as key from ${sql.table(table)} e
      where mc_seqno between ${from} and ${to} and not exists (
        select from transactions t where t.account = e.account and t.lt = e.lt and t.mc_seqno = e.mc_seqno)
      limit ${STRAYS}`,
    );
}
