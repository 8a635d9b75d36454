import type { ClientBase } from 'pg';
import type { TraceFacts } from '../actions/rules/classifier-input.ts';
import { byLtAndAccount } from '../chain/logical-time.ts';
import type { OpenPage } from '../index/format/page.ts';
import { pageOf, slotOf, unixTime } from '../index/format/position.ts';
import { externalHashesOf, type TraceInfo, unpackTraceInfo } from '../index/format/trace-info.ts';
import { readPagesOf } from '../index/read/stored-pages.ts';
import { findTraces, type TraceRow } from '../index/read/stored-traces.ts';
import type { TakenTrace } from '../index/write/trace-queue.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { accountText } from './contracts.ts';
import { readTraceTransactions } from './read-facts.ts';

/** The loaded traces, and those that could not be loaded. */
interface LoadedTraces {
  readonly loaded: readonly LoadedTrace[];
  /** No longer in the index. */
  readonly missing: readonly TakenTrace[];
  /** Some of their transactions are no longer in the index. */
  readonly partial: readonly TakenTrace[];
  /** Their messages exceed the memory limit together with those of the others. */
  readonly tooHeavy: readonly TakenTrace[];
}

/** A trace with everything that classification needs. */
export interface LoadedTrace {
  readonly taken: TakenTrace;
  readonly facts: TraceFacts;
  /** The accounts of its transactions, by their texts. */
  readonly accounts: ReadonlyMap<string, Buffer>;
}

/** Maximum bytes of the cells of transactions. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Loads traces with their transactions and messages. */
export async function loadTraces(
  client: ClientBase,
  taken: readonly TakenTrace[],
  maxBytes = MAX_BYTES,
): Promise<LoadedTraces> {
  const traces = await findTraces(client, taken);
  const found = taken.filter(({ traceId }) => traces.has(bytesKey(traceId)));
  const missing = taken.filter(({ traceId }) => !traces.has(bytesKey(traceId)));
  if (found.length === 0) return { loaded: [], missing, partial: [], tooHeavy: [] };
  const infos = new Map(Array.from(traces, ([key, row]) => [key, unpackTraceInfo(row)]));
  const pages = await readPagesOf(
    client,
    [...infos.values()].flatMap(({ positions }) => positions),
  );

  const loaded: LoadedTrace[] = [];
  const partial: TakenTrace[] = [];
  const tooHeavy: TakenTrace[] = [];
  let bytesLeft = maxBytes;
  for (const one of found) {
    const key = bytesKey(one.traceId);
    const row = traces.get(key)!;
    const info = infos.get(key)!;
    const slots = info.positions.flatMap((at) => {
      const page = pages.get(pageOf(at));
      return page === undefined ? [] : [{ page, slot: slotOf(at) }];
    });
    for (const { page, slot } of slots) bytesLeft -= page.packed(slot).bag.length;
    if (slots.length !== row.nodes) partial.push(one);
    else if (bytesLeft < 0) tooHeavy.push(one);
    else loaded.push(toLoaded(one, row, info, slots));
  }
  return { loaded, missing, partial, tooHeavy };
}

function toLoaded(
  taken: TakenTrace,
  row: TraceRow,
  info: TraceInfo,
  slots: readonly { readonly page: OpenPage; readonly slot: number }[],
): LoadedTrace {
  const accounts = new Map<string, Buffer>();
  const members = slots.map(({ page, slot }) => {
    const account = page.account(slot);
    accounts.set(accountText(account), account);
    return { transaction: page.transaction(slot), mcSeqno: page.place(slot).mcSeqno };
  });
  // The first transaction has the first position.
  const external = info.external ?? externalHashesOf(members[0]!.transaction);
  members.sort((a, b) => byLtAndAccount(a.transaction, b.transaction));
  const facts: TraceFacts = {
    traceId: info.traceId.toString('base64'),
    externalHash: external.hash?.toString('base64') ?? null,
    externalHashNorm: external.norm?.toString('base64') ?? null,
    mcSeqnoEnd: row.mc_seqno_end,
    startLt: info.startLt,
    endLt: BigInt(row.end_lt),
    startUtime: info.startUtime,
    endUtime: unixTime(row.end_utime),
    transactions: readTraceTransactions(members),
  };
  return { taken, facts, accounts };
}
