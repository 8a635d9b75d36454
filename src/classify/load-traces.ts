import type { ClientBase } from 'pg';
import type { TraceFacts } from '../actions/rules/classifier-input.ts';
import { byLtAndAccount } from '../chain/logical-time.ts';
import { loadTracesWithTransactions, type TraceWithTransactions } from '../index/read/stored-traces.ts';
import type { TakenTrace } from '../index/write/trace-queue.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { accountText } from './contracts.ts';
import { readTraceTransactions } from './read-facts.ts';

/** A trace with everything that classification needs. */
export interface LoadedTrace {
  readonly taken: TakenTrace;
  /** Decodes its transactions: those of one trace at a time should be in memory. */
  readonly readFacts: () => TraceFacts;
  /** The accounts of its transactions, by their texts. */
  readonly accounts: ReadonlyMap<string, Buffer>;
}

/** Maximum bytes of the cells of transactions. */
const MAX_BYTES = 64 * 1024 * 1024;

export async function loadTraces(client: ClientBase, taken: readonly TakenTrace[], maxBytes = MAX_BYTES) {
  const traces = await loadTracesWithTransactions(client, taken);
  const loaded: LoadedTrace[] = [];
  // No longer in the index, or some of their transactions are not.
  const missing: TakenTrace[] = [];
  const partial: TakenTrace[] = [];
  // Their messages exceed the memory limit together with those of the others.
  const tooHeavy: TakenTrace[] = [];
  let bytesLeft = maxBytes;
  for (const one of taken) {
    const trace = traces.get(bytesKey(one.traceId));
    bytesLeft -= trace?.bytes ?? 0;
    if (trace === undefined) missing.push(one);
    else if (!trace.isWhole) partial.push(one);
    else if (bytesLeft < 0) tooHeavy.push(one);
    else loaded.push(toLoaded(one, trace));
  }
  return { loaded, missing, partial, tooHeavy };
}

function toLoaded(taken: TakenTrace, trace: TraceWithTransactions): LoadedTrace {
  const accounts = new Map(trace.accounts().map((account) => [accountText(account), account]));
  return { taken, readFacts: () => readFacts(trace), accounts };
}

function readFacts(trace: TraceWithTransactions): TraceFacts {
  const members = trace.transactions();
  const external = trace.externalOf(members[0]!.transaction);
  return {
    traceId: trace.traceId.toString('base64'),
    externalHash: external.hash?.toString('base64') ?? null,
    externalHashNorm: external.norm?.toString('base64') ?? null,
    mcSeqnoEnd: trace.mcSeqnoEnd,
    startLt: trace.startLt,
    endLt: trace.endLt,
    startUtime: trace.startUtime,
    endUtime: trace.endUtime,
    transactions: readTraceTransactions(
      members.toSorted((a, b) => byLtAndAccount(a.transaction, b.transaction)),
    ),
  };
}
