import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Selectable, sql, type Transaction } from 'kysely';
import { CHUNK_LOCK } from '../db/advisory-locks.ts';
import type { Db, Tables } from '../db/tables/tables.ts';
import { isProcessAlive, ownProcessName } from '../lib/process-identity.ts';
import { waitAtMost } from '../lib/wait.ts';
import type { SeqnoRange } from './snapshot.ts';

/** A range of masterchain seqnos that one process works on, in order. */
export interface Claim {
  readonly firstSeqno: number;
  /** Undefined for the head chunk, which grows with the chain. */
  readonly lastSeqno: number | undefined;
  /** The checkpoint: the last written seqno, or firstSeqno - 1. Updated by the writer. */
  doneSeqno: number;
  readonly owner: string;
}

/** The chunk now belongs to another process, or has another checkpoint. */
export class ClaimLost extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'ClaimLost';
  }
}

interface ChunkClaimOptions {
  readonly owner: string;
  /** Maximum seqnos per chunk of history. */
  readonly chunkSeqnos: number;
  /** How long an owner may go without a heartbeat before it counts as dead. */
  readonly leaseMs: number;
}

interface HeadClaimOptions extends ChunkClaimOptions {
  readonly head: number;
}

/** The follower catches up over at most this many chunks; a longer gap is left to backfill. */
const GAP_CHUNKS = 2;

/**
 * Claims the head chunk: the existing one, or a new one at the head when there is none or it is far behind. Undefined
 * while another process owns it.
 */
export function claimHead(db: Db, options: HeadClaimOptions): Promise<Claim | undefined> {
  const { owner, head, leaseMs, chunkSeqnos } = options;
  const isFar = (doneSeqno: number) => head - doneSeqno > GAP_CHUNKS * chunkSeqnos;
  return withChunkLock(db, async (trx) => {
    if (!(await hasHeadChunk(trx))) {
      const done = await lastDone(trx);
      return startChunk(trx, owner, isFar(done) ? head : done + 1);
    }
    // A locked row is being written, so its owner is alive.
    const open = await trx
      .selectFrom('index_chunks')
      .selectAll()
      .where('last_seqno', 'is', null)
      .where((eb) => eb.or([eb('owner', '=', owner), isFree(leaseMs)]))
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (open === undefined) return undefined;
    if (isFar(open.done_seqno)) {
      await closeChunk(trx, open.first_seqno, open.done_seqno);
      return startChunk(trx, owner, head);
    }
    return takeChunk(trx, owner, open);
  });
}

async function hasHeadChunk(trx: Transaction<Tables>): Promise<boolean> {
  const open = trx.selectFrom('index_chunks').select('first_seqno').where('last_seqno', 'is', null);
  return (await open.executeTakeFirst()) !== undefined;
}

async function lastDone(trx: Transaction<Tables>): Promise<number> {
  const origin = await trx.selectFrom('index_origin').select('first_seqno').executeTakeFirstOrThrow();
  const chunks = trx.selectFrom('index_chunks').select((eb) => eb.fn.max('last_seqno').as('last'));
  return Math.max(origin.first_seqno - 1, (await chunks.executeTakeFirst())?.last ?? 0);
}

/** Starts a chunk, which grows with the chain unless it has a last seqno. */
async function startChunk(trx: Transaction<Tables>, owner: string, firstSeqno: number, lastSeqno?: number) {
  const doneSeqno = firstSeqno - 1;
  await trx
    .insertInto('index_chunks')
    .values({
      first_seqno: firstSeqno,
      last_seqno: lastSeqno ?? null,
      done_seqno: doneSeqno,
      owner,
      beat: clockTimestamp,
    })
    .execute();
  return { firstSeqno, lastSeqno, doneSeqno, owner };
}

/** Changes a chunk. */
function chunkAt(db: Db, firstSeqno: number) {
  return db.updateTable('index_chunks').where('first_seqno', '=', firstSeqno);
}

async function takeChunk(trx: Transaction<Tables>, owner: string, chunk: Selectable<Tables['index_chunks']>) {
  await chunkAt(trx, chunk.first_seqno).set({ owner, beat: clockTimestamp }).execute();
  return {
    firstSeqno: chunk.first_seqno,
    lastSeqno: chunk.last_seqno ?? undefined,
    doneSeqno: chunk.done_seqno,
    owner,
  };
}

async function closeChunk(trx: Transaction<Tables>, firstSeqno: number, doneSeqno: number) {
  if (doneSeqno < firstSeqno)
    await trx.deleteFrom('index_chunks').where('first_seqno', '=', firstSeqno).execute();
  else await chunkAt(trx, firstSeqno).set({ last_seqno: doneSeqno, owner: null }).execute();
}

/**
 * Claims a chunk of history: an abandoned one, or else the newest part of the newest gap below the head chunk. Undefined
 * when there is nothing to do, or no head chunk yet.
 */
export function claimChunk(db: Db, options: ChunkClaimOptions): Promise<Claim | undefined> {
  return withChunkLock(db, async (trx) => {
    await joinFinished(trx);
    return (await takeOver(trx, options)) ?? (await claimGap(trx, options));
  });
}

async function takeOver(trx: Transaction<Tables>, { owner, leaseMs }: ChunkClaimOptions) {
  const left = await trx
    .selectFrom('index_chunks')
    .selectAll()
    .whereRef('done_seqno', '<', 'last_seqno')
    .where(isFree(leaseMs))
    .orderBy('first_seqno', 'desc')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return left && takeChunk(trx, owner, left);
}

async function claimGap(trx: Transaction<Tables>, { owner, chunkSeqnos }: ChunkClaimOptions) {
  const gap = await newestGap(trx);
  if (gap === undefined) return undefined;
  return startChunk(trx, owner, Math.max(gap.first, gap.last - chunkSeqnos + 1), gap.last);
}

interface RangeClaimOptions extends ChunkClaimOptions {
  /** Ascending; only seqnos of these are claimed. */
  readonly ranges: readonly SeqnoRange[];
}

/**
 * Claims a chunk inside given ranges, the oldest one first: an abandoned one whose next seqno is there, or else a part that no
 * chunk covers. Undefined if all of it is written, or others are writing it.
 */
export function claimWithin(db: Db, options: RangeClaimOptions): Promise<Claim | undefined> {
  const { ranges, owner, leaseMs, chunkSeqnos } = options;
  return withChunkLock(db, async (trx) => {
    await joinFinished(trx);
    for (const { first, last } of ranges) {
      const left = await trx
        .selectFrom('index_chunks')
        .selectAll()
        .whereRef('done_seqno', '<', 'last_seqno')
        .where('done_seqno', '>=', first - 1)
        .where('done_seqno', '<', last)
        .where(isFree(leaseMs))
        .orderBy('first_seqno')
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (left !== undefined) return takeChunk(trx, owner, left);
      const gap = await firstGap(trx, first, last);
      if (gap !== undefined)
        return startChunk(trx, owner, gap.first, Math.min(gap.last, gap.first + chunkSeqnos - 1));
    }
    return undefined;
  });
}

/** The first contiguous part of a range that no chunk covers. */
async function firstGap(trx: Transaction<Tables>, first: number, last: number) {
  const chunks = await trx
    .selectFrom('index_chunks')
    .select(['first_seqno', 'last_seqno'])
    .where('first_seqno', '<=', last)
    .orderBy('first_seqno')
    .execute();
  let next = first;
  for (const chunk of chunks) {
    if (chunk.first_seqno > next) return { first: next, last: chunk.first_seqno - 1 };
    next = Math.max(next, (chunk.last_seqno ?? Number.POSITIVE_INFINITY) + 1);
  }
  return next > last ? undefined : { first: next, last };
}

/** Ends the chunk of a claim at its checkpoint: what follows is not covered any more. Does nothing once the claim is lost. */
export function cutClaim(db: Db, { firstSeqno, owner }: Claim): Promise<void> {
  return withChunkLock(db, async (trx) => {
    const chunk = await trx
      .selectFrom('index_chunks')
      .select(['last_seqno', 'done_seqno'])
      .where('first_seqno', '=', firstSeqno)
      .where('owner', '=', owner)
      .forUpdate()
      .executeTakeFirst();
    if (chunk === undefined || chunk.last_seqno === null) return;
    await closeChunk(trx, firstSeqno, chunk.done_seqno);
  });
}

/** Ends the chunk of a claim at a later seqno than its checkpoint: what follows is not covered any more. */
export async function shortenClaim(db: Db, claim: Claim, lastSeqno: number): Promise<Claim> {
  const { firstSeqno, owner } = claim;
  return withChunkLock(db, async (trx) => {
    const { numUpdatedRows } = await chunkAt(trx, firstSeqno)
      .set({ last_seqno: lastSeqno })
      .where('owner', '=', owner)
      .where('last_seqno', '>', lastSeqno)
      .where('done_seqno', '<', lastSeqno)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new ClaimLost(`Chunk ${firstSeqno} has another owner or another end`);
    return { ...claim, lastSeqno };
  });
}

/** The newest contiguous range of seqnos that no chunk covers. */
async function newestGap(trx: Transaction<Tables>): Promise<{ first: number; last: number } | undefined> {
  const origin = await trx.selectFrom('index_origin').select('first_seqno').executeTakeFirstOrThrow();
  const [open, ...chunks] = await trx
    .selectFrom('index_chunks')
    .select(['first_seqno', 'last_seqno'])
    .orderBy('first_seqno', 'desc')
    .execute();
  if (open === undefined || open.last_seqno !== null) return undefined;
  let last = open.first_seqno - 1;
  let before = chunks.shift();
  for (; before?.last_seqno === last; before = chunks.shift()) last = before.first_seqno - 1;
  const first = Math.max(origin.first_seqno, (before?.last_seqno ?? 0) + 1);
  return first > last ? undefined : { first, last };
}

/** Merges adjacent finished chunks, so that the table stays small. Runs under the chunk lock. */
async function joinFinished(trx: Transaction<Tables>): Promise<void> {
  const chunks = await trx
    .selectFrom('index_chunks')
    .select(['first_seqno', 'last_seqno'])
    .whereRef('done_seqno', '=', 'last_seqno')
    .orderBy('first_seqno')
    .forUpdate()
    .skipLocked()
    .execute();
  for (let from = 0, to = 0; from < chunks.length; from = ++to) {
    while (chunks[to + 1]?.first_seqno === chunks[to]!.last_seqno! + 1) to++;
    if (to === from) continue;
    const last = chunks[to]!.last_seqno!;
    const first = chunks[from]!.first_seqno;
    const joined = trx.deleteFrom('index_chunks').where('first_seqno', '>', first);
    await joined.where('first_seqno', '<=', last).execute();
    await chunkAt(trx, first).set({ last_seqno: last, done_seqno: last, owner: null }).execute();
  }
}

/** Renews the heartbeat of a claim; throws `ClaimLost` if it has another owner. */
export async function sendHeartbeat(db: Db, claim: Claim): Promise<void> {
  const row = await db
    .selectFrom('index_chunks')
    .select(['owner', 'first_seqno', 'done_seqno'])
    .where('first_seqno', '<=', claim.firstSeqno)
    .orderBy('first_seqno', 'desc')
    .limit(1)
    .executeTakeFirst();
  // A finished chunk has no owner and may have been merged into its neighbour.
  if (row !== undefined && row.done_seqno >= (claim.lastSeqno ?? Number.POSITIVE_INFINITY)) return;
  if (row?.first_seqno !== claim.firstSeqno || row.owner !== claim.owner)
    throw new ClaimLost(`Chunk ${claim.firstSeqno} is now owned by ${row?.owner ?? 'nobody'}`);
  // A locked row is being written by us, and the write renews the heartbeat itself.
  const unlocked = db
    .selectFrom('index_chunks')
    .select('first_seqno')
    .where('first_seqno', '=', claim.firstSeqno)
    .where('owner', '=', claim.owner)
    .forUpdate()
    .skipLocked();
  await db
    .updateTable('index_chunks')
    .set({ beat: clockTimestamp })
    .where('first_seqno', 'in', unlocked)
    .execute();
}

/** Releases a claim, so that another process need not wait for the lease to expire. */
export async function releaseClaim(db: Db, claim: Claim): Promise<void> {
  await chunkAt(db, claim.firstSeqno).where('owner', '=', claim.owner).set({ owner: null }).execute();
}

/** An unavailable database must not keep the process from exiting. */
const RELEASE_MS = 2000;

/** Keeps the claims of this process alive and releases them. */
export class ClaimKeeper {
  readonly #db: Db;
  readonly #held = new Map<Claim, AbortController>();
  /** Claims that could not be released yet, by first seqno. */
  readonly #unreleased = new Map<number, Claim>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Runs work on a claim, with a signal that also aborts when the claim is lost, and releases it afterwards. */
  async hold(claim: Claim, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const lost = new AbortController();
    this.#unreleased.delete(claim.firstSeqno);
    this.#held.set(claim, lost);
    try {
      await work(AbortSignal.any([signal, lost.signal]));
    } finally {
      this.#held.delete(claim);
      lost.abort();
      await waitAtMost(RELEASE_MS, this.#release(claim));
    }
  }

  /** Without this the range would be idle until its lease expires. */
  async #release(claim: Claim): Promise<void> {
    this.#unreleased.set(claim.firstSeqno, claim);
    try {
      await releaseClaim(this.#db, claim);
      if (this.#unreleased.get(claim.firstSeqno) === claim) this.#unreleased.delete(claim.firstSeqno);
    } catch {
      // Retried with the next heartbeat.
    }
  }

  /** Renews the heartbeats of all claims, and retries releases that failed. */
  async sendHeartbeats(): Promise<void> {
    for (const claim of [...this.#unreleased.values()]) await this.#release(claim);
    for (const [claim, lost] of this.#held) {
      try {
        await sendHeartbeat(this.#db, claim);
      } catch (error) {
        if (!(error instanceof ClaimLost)) throw error;
        lost.abort(error);
      }
    }
  }
}

/**
 * Creates the function that returns a new owner name for every claim of this process: host, random id with a number,
 * process. A late release must not end the claim with which the same process took the chunk again.
 */
export function createOwnerNames(): () => string {
  const id = randomUUID().slice(0, 8);
  const ownProcess = ownProcessName();
  let claims = 0;
  return () => `${hostname()} ${id}.${++claims} ${ownProcess}`;
}

/** Whether an owner was a process of this machine that has exited; nothing is known about other machines. */
function isOwnerDead(owner: string): boolean {
  const [host, , ...process] = owner.split(' ');
  return host === hostname() && process.length > 0 && !isProcessAlive(process.join(' '));
}

/** Releases the chunks of processes that exited on this machine, without waiting for their leases to expire. */
export async function releaseDeadOwners(db: Db): Promise<void> {
  const owners = db.selectFrom('index_chunks').select('owner').distinct();
  const rows = await owners.where('owner', 'is not', null).execute();
  const dead = rows.flatMap(({ owner }) => (owner !== null && isOwnerDead(owner) ? [owner] : []));
  if (dead.length > 0)
    await db.updateTable('index_chunks').set({ owner: null }).where('owner', 'in', dead).execute();
}

/** Runs work in a transaction under the chunk lock, which covers all processes. */
export function withChunkLock<T>(db: Db, work: (trx: Transaction<Tables>) => Promise<T>) {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${CHUNK_LOCK})`.execute(trx);
    return work(trx);
  });
}

/** Time of the statement; `now()` is that of the transaction, which may have waited for the lock. */
const clockTimestamp = sql<Date>`clock_timestamp()`;

/** Whether a chunk may be claimed: it has no owner, or the lease of its owner has expired. */
function isFree(leaseMs: number) {
  return sql<boolean>`(owner is null or beat < ${clockTimestamp} - ${leaseMs} * interval '1 millisecond')`;
}
