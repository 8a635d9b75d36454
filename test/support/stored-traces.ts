import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import type { Tables } from '../../src/db/tables/tables.ts';
import { accountPrefix, hashPrefix, type Position, unixTime } from '../../src/index/format/position.ts';
import {
  type ExternalHashes,
  externalHashesOf,
  packTraceInfo,
  unpackTraceInfo,
} from '../../src/index/format/trace-info.ts';
import { bytesKey, distinctBytes } from '../../src/lib/bytes-key.ts';
import { type PlacedSlot, readPlacedSlots } from './stored-pages.ts';

/** The id of a row of `traces`, in SQL. */
export const TRACE_ID = `int8send(trace8 # '-9223372036854775808'::bigint) || substring(info for 24)`;

/** What complete and incomplete traces have. */
interface TraceHead {
  readonly traceId: Buffer;
  readonly externalHash: Buffer | undefined;
  /** Undefined where it equals the hash. */
  readonly externalHashNorm: Buffer | undefined;
  readonly mcSeqnoStart: number;
  readonly mcSeqnoEnd: number;
  readonly startLt: bigint;
  readonly startUtime: number;
  readonly endLt: bigint;
  readonly endUtime: number;
  readonly nodes: number;
  readonly edges: number;
}

/** A complete trace of the index. */
export interface StoredTrace extends TraceHead {
  /** The accounts of its transactions, in order. */
  readonly accounts: readonly Buffer[];
  /** Prefixes of other accounts that it is listed under, if some of its transactions were dropped. */
  readonly droppedAccounts: readonly bigint[] | undefined;
}

/** A trace that waits for messages or for its beginning. */
export interface StoredOpenTrace extends TraceHead {
  readonly pendingEdges: number;
  readonly broken: boolean;
}

/**
 * Reads all complete traces of the index, ordered by their ids. With `readOpenTraces` this is the only place of the tests
 * that knows how traces are stored. Throws if what is stored twice does not fit together.
 */
export async function readStoredTraces(db: Kysely<Tables>): Promise<StoredTrace[]> {
  const rows = await db.selectFrom('traces').selectAll().execute();
  const listed = new Set<string>();
  const slots = await readSlotsByTrace(db);
  const width = await readWidth(db);
  const accountRows = await db.selectFrom('trace_accounts').selectAll().execute();
  const rowsAt = Map.groupBy(accountRows, (row) => placeKey('', row));
  const accountKeys = new Set(accountRows.map(({ acc8, ...end }) => placeKey(acc8, end)));
  const traces = rows.map((row) => {
    const info = unpackTraceInfo(row);
    const { traceId, startLt, startUtime, edges, positions, external } = info;
    const own = slots.of(traceId);
    checkMembers(traceId, positions, own, slots.at);
    const accounts = distinctBytes(own.map(({ page, slot }) => page.account(slot))).sort(Buffer.compare);
    for (const account of accounts) {
      const key = placeKey(`${accountPrefix(account)}`, row);
      if (!accountKeys.has(key)) fail(traceId, `is not listed under ${account.toString('hex')}`);
      listed.add(key);
    }
    const others = (rowsAt.get(placeKey('', row)) ?? []).filter(
      ({ acc8 }) => !listed.has(placeKey(acc8, row)),
    );
    const isCut = own.length < positions.length;
    if (isCut) for (const { acc8, ...end } of others) listed.add(placeKey(acc8, end));
    const isDivided = Math.floor(row.mc_seqno_start / width) !== Math.floor(row.mc_seqno_end / width);
    if (isDivided !== (external !== undefined)) fail(traceId, 'has hashes without need, or lacks them');
    const { hash, norm } = checkExternal(traceId, external, slots.at.get(positions[0]!));
    return {
      traceId,
      externalHash: hash ?? undefined,
      externalHashNorm: norm ?? undefined,
      mcSeqnoStart: row.mc_seqno_start,
      mcSeqnoEnd: row.mc_seqno_end,
      startLt,
      startUtime,
      endLt: BigInt(row.end_lt),
      endUtime: unixTime(row.end_utime),
      nodes: row.nodes,
      edges,
      accounts,
      droppedAccounts: isCut ? others.map(({ acc8 }) => BigInt(acc8)) : undefined,
    };
  });
  if (accountKeys.size !== accountRows.length) throw new Error('An account has a trace twice');
  const stray = accountRows.find(({ acc8, ...end }) => !listed.has(placeKey(acc8, end)));
  if (stray !== undefined) throw new Error(`Account of no trace: ${JSON.stringify(stray)}`);
  return traces.sort((a, b) => Buffer.compare(a.traceId, b.traceId));
}

interface RowEnd {
  readonly trace8: string;
  readonly end_lt: string;
  readonly end_utime: number;
  readonly mc_seqno_end: number;
}

function placeKey(acc8: string, { trace8, end_lt, end_utime, mc_seqno_end }: RowEnd): string {
  return [acc8, trace8, end_lt, end_utime, mc_seqno_end].join();
}

interface SlotsByTrace {
  readonly at: ReadonlyMap<Position, PlacedSlot>;
  readonly of: (traceId: Buffer) => readonly PlacedSlot[];
}

async function readSlotsByTrace(db: Kysely<Tables>): Promise<SlotsByTrace> {
  const slots = await readPlacedSlots(db);
  const byTrace = Map.groupBy(slots, ({ traceId }) => bytesKey(traceId));
  return {
    at: new Map(slots.map((slot) => [slot.at, slot])),
    of: (traceId) => byTrace.get(bytesKey(traceId)) ?? [],
  };
}

async function readWidth(db: Kysely<Tables>): Promise<number> {
  const origin = await db.selectFrom('index_origin').select('partition_seqnos').executeTakeFirst();
  return origin?.partition_seqnos ?? Number.POSITIVE_INFINITY;
}

/** Positions of dropped pages are left; all others are those of the transactions with this trace id. */
function checkMembers(
  traceId: Buffer,
  positions: readonly Position[],
  own: readonly PlacedSlot[],
  all: ReadonlyMap<Position, PlacedSlot>,
): void {
  const kept = positions.filter((at) => all.has(at));
  if (
    !isDeepStrictEqual(
      kept,
      own.map(({ at }) => at),
    )
  )
    fail(traceId, `has transactions at ${own.map(({ at }) => at)} and not at ${kept}`);
}

/** The first position is that of the first transaction, unless it was dropped. */
function checkExternal(
  traceId: Buffer,
  external: ExternalHashes | undefined,
  root: PlacedSlot | undefined,
): ExternalHashes {
  if (root === undefined) return external ?? fail(traceId, 'lacks its first transaction');
  if (!root.transaction.hash.equals(traceId)) fail(traceId, 'begins with another transaction');
  const hashes = externalHashesOf(root.transaction);
  if (external !== undefined && !isDeepStrictEqual(external, hashes)) fail(traceId, 'has wrong hashes');
  return hashes;
}

function fail(traceId: Buffer, what: string): never {
  throw new Error(`Trace ${traceId.toString('hex')} ${what}`);
}

/** No page has positions as high as this. */
const FAR = 2 ** 50;

/** Adds transactions to a complete trace that are not in the index; returns a function that undoes it. */
export async function enlargeTrace(
  db: Kysely<Tables>,
  traceId: Buffer,
  nodes: number,
): Promise<() => Promise<void>> {
  const rows = await db
    .selectFrom('traces')
    .selectAll()
    .where('trace8', '=', `${hashPrefix(traceId)}`)
    .execute();
  const [row] = rows;
  if (row === undefined || rows.length > 1) fail(traceId, 'is not in the index once');
  const info = unpackTraceInfo(row);
  const added = Array.from({ length: nodes - row.nodes }, (_, i) => FAR + i);
  const end = {
    endLt: BigInt(row.end_lt),
    endUtime: unixTime(row.end_utime),
    mcSeqnoStart: row.mc_seqno_start,
  };
  const put = async (size: { readonly nodes: number; readonly info: Buffer }) => {
    await db.updateTable('traces').set(size).where('trace8', '=', row.trace8).execute();
  };
  await put({ nodes, info: packTraceInfo(end, { ...info, positions: [...info.positions, ...added] }) });
  return () => put({ nodes: row.nodes, info: row.info });
}

/** Reads all incomplete traces of the index, ordered by their ids. */
export async function readOpenTraces(db: Kysely<Tables>): Promise<StoredOpenTrace[]> {
  const rows = await db.selectFrom('open_traces').selectAll().orderBy('trace_id').execute();
  const members = await db.selectFrom('open_members').selectAll().orderBy('at').execute();
  const membersOf = Map.groupBy(members, ({ trace_id }) => bytesKey(trace_id));
  const slots = await readSlotsByTrace(db);
  const traces = rows.map((row) => {
    const own = membersOf.get(bytesKey(row.trace_id)) ?? [];
    membersOf.delete(bytesKey(row.trace_id));
    if (own.length !== row.nodes) fail(row.trace_id, `has ${own.length} open members`);
    const positions = own.map(({ at }) => Number(at));
    checkMembers(row.trace_id, positions, slots.of(row.trace_id), slots.at);
    for (const { at, acc8 } of own) {
      const slot = slots.at.get(Number(at));
      if (slot !== undefined && acc8 !== `${accountPrefix(slot.page.account(slot.slot))}`)
        fail(row.trace_id, `has a wrong account at ${at}`);
    }
    return {
      traceId: row.trace_id,
      externalHash: row.external_hash ?? undefined,
      externalHashNorm: row.external_hash_norm ?? undefined,
      mcSeqnoStart: row.mc_seqno_start,
      mcSeqnoEnd: row.mc_seqno_end,
      startLt: BigInt(row.start_lt),
      startUtime: Number(row.start_utime),
      endLt: BigInt(row.end_lt),
      endUtime: Number(row.end_utime),
      nodes: row.nodes,
      edges: row.edges,
      pendingEdges: row.pending_edges,
      broken: row.broken,
    };
  });
  const [stray] = membersOf.values();
  if (stray !== undefined) fail(stray[0]!.trace_id, 'has members and is not open');
  return traces;
}
