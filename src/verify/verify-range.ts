import type { Db } from '../db/tables/tables.ts';
import { type ChainReader, readChain } from './chain-reader.ts';
import { SeenRows } from './check-context.ts';
import { checkEvents } from './check-events.ts';
import { createPageCheck } from './check-pages.ts';
import { checkPools } from './check-pools.ts';
import { checkSeqno } from './check-seqno.ts';
import { checkStates } from './check-states.ts';
import { checkStrays } from './check-strays.ts';
import { createTraceCheck } from './check-traces.ts';
import { checkValidators } from './check-validators.ts';
import { Findings } from './differences.ts';
import { placedTransactions } from './expected-rows.ts';

export interface VerifyOptions {
  readonly db: Db;
  readonly chain: ChainReader;
  /** Indexed masterchain seqnos, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly onProgress?: (seqno: number, differences: number) => void;
}

export type Verification = Readonly<
  Pick<Findings, 'compared' | 'differences' | 'differenceCount' | 'skipped'>
>;

const CHECKS = [checkSeqno, checkStates, checkEvents, checkPools, checkValidators];

/**
 * Compares a range of the index with the chain. It reads blocks independently and shares no decoder with the indexer. It
 * keeps one seqno and the traces with pending messages in memory.
 */
export async function verifyRange(options: VerifyOptions): Promise<Verification> {
  const { db, chain: reader, from, to } = options;
  const findings = new Findings();
  const context = {
    db,
    findings,
    chain: reader,
    seen: new SeenRows(from, to),
    last: await reader.masterchainId(await lastSeqno(db, to)),
    width: await partitionWidth(db),
  };
  const traces = createTraceCheck(context);
  const pages = createPageCheck(db, findings);
  for await (const chain of readChain(reader, from, to)) {
    const { mcSeqno } = chain;
    const placed = placedTransactions(chain);
    const walked = await traces.walk(mcSeqno, placed);
    const traceIds = walked.map(({ trace }) => Buffer.from(trace.id, 'hex'));
    const positions = await pages.seqno(chain, placed, traceIds);
    await traces.compare(positions);
    const partition = mcSeqno - (mcSeqno % context.width);
    const located = walked.map(({ senderSeqno }, i) => ({
      ...placed[i]!,
      at: positions[i],
      // The row of a sender is dropped with its partition.
      mustHaveInMessage: senderSeqno === undefined || senderSeqno < partition,
    }));
    for (const check of CHECKS) await check({ ...context, ...chain, placed: located });
    options.onProgress?.(mcSeqno, findings.differenceCount);
  }
  await traces.end();
  await checkStrays(context);
  return findings;
}

/** The last indexed seqno: the newest states are known up to it. */
async function lastSeqno(db: Db, to: number): Promise<number> {
  const row = await db
    .selectFrom('index_chunks')
    .select((eb) => eb.fn.max('done_seqno').as('last'))
    .executeTakeFirst();
  return Math.max(row?.last ?? 0, to);
}

/** Seqnos per partition of the index. */
async function partitionWidth(db: Db): Promise<number> {
  const { partition_seqnos } = await db
    .selectFrom('index_origin')
    .select('partition_seqnos')
    .executeTakeFirstOrThrow();
  return partition_seqnos;
}
