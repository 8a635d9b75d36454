import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/tables/tables.ts';
import { hasMasterchainBlock } from '../index/read/blocks.ts';
import { BEHIND, type IndexCoverage, readSnapshot, type SnapshotOptions } from '../index/snapshot.ts';
import { clientGone } from '../lib/client-disconnects.ts';
import { Failure } from '../lib/errors.ts';
import type { V3Call } from './operation.ts';

type IndexCall = Pick<V3Call, 'ports' | 'options' | 'notes' | 'caller' | 'signal' | 'reads' | 'log'>;

/** How long a request waits for the seqno that it wants. */
const MAX_WAIT_MS = 10_000;
const POLL_MS = 50;

/**
 * Reads one snapshot of the index for a request; the time that the caller allows is that of each statement. A caller that
 * wants a seqno waits until a snapshot has it, whichever replica it is from.
 */
export async function readIndex<T>(call: IndexCall, work: (db: Db) => Promise<T>): Promise<T> {
  const { caller } = call;
  for (;;) {
    const result = await readInTurn(call, work);
    if (result !== BEHIND) return result;
    if (caller.client.destroyed) throw clientGone();
    if (performance.now() - caller.startedAtMs > MAX_WAIT_MS) throw notReached(call);
    await sleep(POLL_MS);
  }
}

function readInTurn<T>(call: IndexCall, work: (db: Db) => Promise<T>): Promise<T | typeof BEHIND> {
  const { ports, options, notes, signal, reads, log } = call;
  const { timeoutMs, minSeqno, debug } = options;
  const logStatements = (statements: readonly string[]) =>
    log.info({ statements }, 'Database statements of a request');
  const read = (database: SnapshotOptions['database'], slow?: SnapshotOptions['slow']) =>
    readSnapshot(
      {
        database,
        timeoutMs,
        signal,
        minSeqno,
        slow,
        onCoverage: (coverage) => noteCoverage(notes, coverage),
        onStatements: debug ? logStatements : undefined,
      },
      work,
    );
  return reads === undefined ? read(ports.database) : reads.run(ports.database, read);
}

function notReached({ options, notes }: IndexCall): Failure {
  const at = notes.indexedSeqno === 0 ? 'empty' : `at masterchain seqno ${notes.indexedSeqno}`;
  return new Failure(
    'timeout',
    `min_seqno: the index is ${at}, ${options.minSeqno} was not reached within ${MAX_WAIT_MS / 1000} s`,
    { details: { parameter: 'min_seqno' } },
  );
}

function noteCoverage(notes: IndexCall['notes'], coverage: IndexCoverage | undefined): void {
  const { first = 0, newest, indexed = 0 } = coverage ?? {};
  const seqno = newest ?? 0;
  notes.indexedSeqno = seqno;
  notes.missingSeqnos = seqno === 0 ? 0 : seqno - first + 1 - indexed;
}

/** Throws if a seqno is given and the masterchain block is not in the index. */
export async function requireMasterchainBlock(
  db: Db,
  { seqno }: { readonly seqno: number | undefined },
): Promise<void> {
  if (seqno !== undefined && !(await hasMasterchainBlock(db, { seqno })))
    throw new Failure('not_found', `masterchain block ${seqno} not found`);
}
