import { type FetchedSeqno, fetchSeqnos } from '../../../src/ingest/fetch/fetch-seqnos.ts';
import type { FetchRange } from '../../../src/ingest/fetch/masterchain-blocks.ts';
import { type FetchContext, FetchGate } from '../../../src/lite/fetch-context.ts';

/** A fetch context that verifies all responses. */
export function fetchContext(base: Pick<FetchContext, 'pool' | 'log'>): FetchContext {
  return {
    ...base,
    check: { verify: true },
    gate: new FetchGate(24),
    signal: AbortSignal.timeout(120_000),
  };
}

/** Fetches a whole range. */
export async function fetchAll(context: FetchContext, range: FetchRange): Promise<FetchedSeqno[]> {
  const found: FetchedSeqno[] = [];
  for await (const one of fetchSeqnos(context, range)) found.push(one);
  return found;
}

/** A block id as text. */
export function placeOf(id: { workchain: number; shard: bigint; seqno: number }): string {
  return `${id.workchain}:${BigInt.asUintN(64, id.shard).toString(16).padStart(16, '0')}:${id.seqno}`;
}
