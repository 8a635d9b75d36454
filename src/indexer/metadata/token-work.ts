import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { ASKED_PRIORITY } from '../../db/queries/ask-for-metadata.ts';
import type { Tables } from '../../db/tables.ts';
import { troubleOf } from '../../db/trouble.ts';
import type { Log } from '../../lib/log.ts';
import { persist } from '../fetch/persist.ts';
import type { FetchSurroundings } from './fetch-document.ts';
import { type FetchedToken, fetchToken, sourceOfToken, type TokenSource } from './fetch-token.ts';
import type { HostGate } from './host-gate.ts';
import { keepToken } from './keep-token.ts';
import { MetadataFault } from './metadata-fault.ts';
import type { MetadataMetrics, MetadataOutcome } from './metadata-metrics.ts';
import { type DueToken, type LateToken, postpone } from './metadata-queue.ts';
import type { MetadataSettings } from './metadata-settings.ts';

export interface TokenWorkOptions {
  readonly db: Kysely<Tables>;
  readonly log: Log;
  readonly settings: MetadataSettings;
  readonly metrics: MetadataMetrics;
  readonly surroundings: FetchSurroundings;
  readonly gate: HostGate;
  readonly signal: AbortSignal;
}

/** A database that is gone must not keep a process from ending. */
const GIVE_BACK_MS = 2000;
const UNKEPT = new MetadataFault('failed', 'cannot be kept');

/**
 * Makes what works on a token that was taken: the promise is fulfilled when it was kept, or given back because the
 * signal has ended it. Whose host must be left alone for now comes back with the time to wait.
 */
export function createTokenWork(options: TokenWorkOptions): (token: DueToken) => Promise<void> | LateToken {
  const { db, log, settings, metrics, surroundings, gate, signal } = options;

  async function fetchIn(token: DueToken, source: TokenSource, leave: (isSilent: boolean) => void) {
    let isSilent = false;
    try {
      const fetched = await fetchToken(token, source, { ...surroundings, settings, log }, signal);
      isSilent = fetched instanceof MetadataFault && fetched.kind === 'silent';
      return fetched;
    } finally {
      leave(isSilent);
    }
  }

  async function keep(token: DueToken, fetched: FetchedToken): Promise<void> {
    // What the database does not take must not be offered without end.
    const isFinal = (error: unknown) => troubleOf(error) === undefined;
    for (const outcome of [fetched, UNKEPT]) {
      try {
        const task = 'keep what was fetched of tokens';
        return await persist(() => keepToken(db, token, outcome), { log, signal, task, isFinal });
      } catch (error) {
        signal.throwIfAborted();
        log.warn({ err: error }, 'Metadata of a token cannot be kept');
      }
    }
  }

  async function work(
    token: DueToken,
    source: TokenSource,
    leave: (isSilent: boolean) => void,
  ): Promise<void> {
    try {
      const fetched = await fetchIn(token, source, leave);
      metrics.count(outcomeOf(fetched));
      await keep(token, fetched);
    } catch {
      // The signal has ended it.
      const giveBack = postpone(db, [{ token, waitMs: 0 }]).catch(() => {});
      await Promise.race([giveBack, sleep(GIVE_BACK_MS, undefined, { ref: false })]);
    }
  }

  return (token) => {
    const source = sourceOfToken(token, settings);
    if (source instanceof MetadataFault || !('url' in source)) return work(token, source, () => {});
    const { url, isGateway } = source;
    // A gateway stands for many hosts: it may take more, and what it does not find is no fault of it.
    const host = isGateway ? `gateway ${url.host}` : url.hostname;
    const most = isGateway ? Math.max(1, settings.concurrency >> 1) : settings.perHost;
    const leave = gate.enter(host, most);
    if (leave === undefined) return { token, waitMs: gate.waitMs(host, token.priority === ASKED_PRIORITY) };
    return work(token, source, (isSilent) => leave(isSilent && !isGateway ? 'silent' : 'answered'));
  };
}

function outcomeOf(fetched: FetchedToken): MetadataOutcome {
  if (!(fetched instanceof MetadataFault)) return 'fetched';
  return fetched.kind === 'refused' ? 'refused' : 'failed';
}
