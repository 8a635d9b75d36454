import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import type { Log } from '../../lib/log.ts';
import { persist } from '../fetch/persist.ts';
import { createCalmLog } from '../trouble-log.ts';
import { FETCH_LIMITS, type FetchSurroundings } from './fetch-document.ts';
import { createHostGate } from './host-gate.ts';
import { type MetadataMetrics, NO_METADATA_METRICS } from './metadata-metrics.ts';
import { countDue, type LateToken, postpone, takeDue } from './metadata-queue.ts';
import type { MetadataSettings } from './metadata-settings.ts';
import { createNameResolver } from './name-resolver.ts';
import { isPublicAddress } from './public-address.ts';
import { createTokenWork } from './token-work.ts';

export interface MetadataFetcherOptions {
  readonly db: Kysely<Tables>;
  readonly log: Log;
  readonly settings: MetadataSettings;
  readonly metrics?: MetadataMetrics | undefined;
  /** How documents are reached, where it is not the internet. */
  readonly surroundings?: Partial<FetchSurroundings>;
  /** How often it is looked for something to do when there was nothing. */
  readonly lookMs?: number;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
}

/** What a fetcher is about. */
export interface MetadataFetcherState {
  /** Tokens that it is at work on. */
  readonly running: number;
  /** Tokens that waited when they were last counted, of all fetchers. */
  readonly waiting: number | undefined;
  /** Hosts that are left alone for a while because they did not answer. */
  readonly pausedHosts: number;
}

/** Fetches what there is about tokens outside of the chain; several may work on one database. */
export interface MetadataFetcher {
  start(): void;
  /** Ends all requests; what was not fetched is left to others. */
  close(): Promise<void>;
  state(): MetadataFetcherState;
}

const LOOK_MS = 1000;
/** When all that was taken is of hosts that are busy: more is taken then, to get past them to others. */
const CROWDED_LOOK_MS = 100;
const CROWD = 8;
const COUNT_EVERY_MS = 60_000;
/** A database that is silent must not keep a process from ending; what was taken comes back by itself. */
const CLOSE_MS = 5000;

/** Does nothing before it is started, and nothing at all if the settings have it off. */
export function createMetadataFetcher(options: MetadataFetcherOptions): MetadataFetcher {
  const {
    db,
    settings,
    metrics = NO_METADATA_METRICS,
    lookMs = LOOK_MS,
    now = () => performance.now(),
  } = options;
  const { concurrency } = settings;
  const log = createCalmLog(options.log, now);
  const names = options.surroundings?.names ?? createNameResolver();
  const surroundings = { isPublic: isPublicAddress, limits: FETCH_LIMITS, ...options.surroundings, names };
  const gate = createHostGate(now);
  const ender = new AbortController();
  const { signal } = ender;
  const begin = createTokenWork({ db, log, settings, metrics, surroundings, gate, signal });
  const running = new Set<Promise<void>>();
  let waiting: number | undefined;
  let countedMs = Number.NEGATIVE_INFINITY;
  let isCrowded = false;
  let loop: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await count();
        await round();
      } catch (error) {
        if (!signal.aborted)
          log.warn({ err: error }, 'Metadata of tokens cannot be fetched; it is tried again');
        await rest(lookMs);
      }
    }
  }

  async function round(): Promise<void> {
    const most = (concurrency - running.size) * (isCrowded ? CROWD : 1);
    const taken = await persist(() => takeDue(db, most), { log, signal, task: 'look for tokens to fetch' });
    const late: LateToken[] = [];
    for (const token of taken) {
      const begun = running.size < concurrency ? begin(token) : { token, waitMs: 0 };
      if ('waitMs' in begun) late.push(begun);
      else follow(begun);
    }
    if (late.length > 0) await persist(() => postpone(db, late), { log, signal, task: 'put tokens off' });
    isCrowded = taken.length > 0 && late.length === taken.length;
    if (running.size >= concurrency) await Promise.race(running);
    else if (taken.length < most) await rest(lookMs);
    else if (isCrowded) await rest(CROWDED_LOOK_MS);
  }

  function follow(work: Promise<void>): void {
    const ended = work.then(() => {
      running.delete(ended);
    });
    running.add(ended);
  }

  async function count(): Promise<void> {
    if (now() - countedMs < COUNT_EVERY_MS) return;
    countedMs = now();
    waiting = await countDue(db).catch(() => undefined);
  }

  const rest = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});

  return {
    start() {
      if (settings.isOn && !signal.aborted) loop ??= run();
    },
    async close() {
      ender.abort();
      names.close();
      const end = Promise.resolve(loop).then(() => Promise.all(running));
      await Promise.race([end, sleep(CLOSE_MS, undefined, { ref: false })]);
    },
    state: () => ({ running: running.size, waiting, pausedHosts: gate.pausedHosts() }),
  };
}
