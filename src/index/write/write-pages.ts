import { setImmediate as turn } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { CopyBuffer } from '../../db/copy.ts';
import { anyOf, databaseOf } from '../../db/driver.ts';
import { bytesKey, type HashKey, keyAt } from '../../lib/bytes-key.ts';
import { compressPage, moveTraceIds, type PagePlan, packTraceIds, planPages } from '../format/page.ts';
import { pageOf, slotOf } from '../format/position.ts';
import { type TraceBatch, wholeOf } from './assemble-traces.ts';
import { copyIn, type WriteStatsRecorder } from './copy-in.ts';
import type { DecodedSeqno } from './decoded-seqno.ts';
import { TX_PAGE_COLUMNS } from './rows.ts';

export interface BatchPages {
  readonly plan: PagePlan;
  /** Their compressed bodies, in order. */
  readonly bodies: Promise<Buffer[]>;
}

/** Plans the pages of a batch, sets the positions in its rows, and starts compressing. */
export function preparePages(seqnos: readonly DecodedSeqno[], width: number): BatchPages {
  const plan = planPages(seqnos, { width });
  for (const [i, seqno] of seqnos.entries()) setPositions(seqno, plan.positions[i]!);
  const bodies = compressPages(plan);
  // They are awaited much later, and not at all if the batch fails before.
  bodies.catch(() => {});
  return { plan, bodies };
}

/** Compresses one page per turn of the event loop, so that nothing waits for the whole batch. */
async function compressPages({ pages }: PagePlan): Promise<Buffer[]> {
  const bodies: Buffer[] = [];
  for (const { raw } of pages) {
    bodies.push(compressPage(raw));
    await turn();
  }
  return bodies;
}

function setPositions({ transactions, messages, positions: fields }: DecodedSeqno, positions: Float64Array) {
  for (let i = 0; i < positions.length; i++) {
    const position = BigInt(positions[i]!);
    transactions.bytes.writeBigInt64BE(position, fields.transactions[i]!);
    for (let at = fields.messageFrom[i]!; at < fields.messageFrom[i + 1]!; at++)
      messages.bytes.writeBigInt64BE(position, fields.messages[at]!);
  }
}

/** Copies the pages of a batch; its traces must be joined, so that their ids are final. */
export async function copyPages(
  client: ClientBase,
  seqnos: readonly DecodedSeqno[],
  { plan, bodies }: BatchPages,
  traces: TraceBatch,
  stats: WriteStatsRecorder,
): Promise<void> {
  const ids: HashKey[] = [];
  const hashes: HashKey[] = [];
  seqnos.forEach(({ traces: facts }, at) => {
    for (let i = 0; i < facts.count; i++) {
      ids.push(wholeOf(traces.traces[at]![i]!).id);
      hashes.push(keyAt(facts.hashes, i * 32));
    }
  });
  const rows = new CopyBuffer();
  const compressed = await bodies;
  let from = 0;
  for (const [i, { page, lastSeqno, count }] of plan.pages.entries()) {
    const to = from + count;
    rows
      .row(TX_PAGE_COLUMNS.length)
      .int8(page)
      .int4(lastSeqno)
      .int2(count)
      .bytes(packTraceIds(ids.slice(from, to), hashes.slice(from, to)))
      .bytes(compressed[i]!);
    from = to;
  }
  stats.add(await copyIn(client, 'tx_pages', TX_PAGE_COLUMNS, [rows.rows()]));
}

/** A transaction that was moved to another trace; pg reads positions as text. */
export interface MovedTransaction {
  readonly at: string;
  readonly trace_id: Buffer;
}

/** Sets the new trace ids in the pages of earlier batches. The caller holds the trace lock, so nobody else changes them. */
export async function moveInPages(client: ClientBase, moved: readonly MovedTransaction[]): Promise<void> {
  const byPage = new Map<number, Map<number, HashKey>>();
  for (const { at, trace_id } of moved) {
    const page = pageOf(Number(at));
    const slots = byPage.get(page) ?? new Map<number, HashKey>();
    byPage.set(page, slots.set(slotOf(Number(at)), bytesKey(trace_id)));
  }
  if (byPage.size === 0) return;
  // Pages of this batch are not there yet.
  const db = databaseOf(client);
  const stored = db.selectFrom('tx_pages').select(['page', 'count', 'traces']);
  const rows = await stored.where('page', '=', anyOf([...byPage.keys()].map(String))).execute();
  for (const { page, count, traces: before } of rows) {
    const traces = moveTraceIds(before, count, byPage.get(Number(page))!);
    await db.updateTable('tx_pages').set({ traces }).where('page', '=', page).execute();
  }
}
