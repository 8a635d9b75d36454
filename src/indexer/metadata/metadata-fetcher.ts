import type { Kysely } from 'kysely';
import { troubleOf } from '../../db/errors.ts';
import { REQUESTED_PRIORITY } from '../../db/queries/token-metadata.ts';
import type { Tables } from '../../db/tables.ts';
import type { Log } from '../../lib/log.ts';
import { pause, waitAtMost } from '../../lib/wait.ts';
import { createThrottledLog, retryUntilDone } from '../retry.ts';
import { type DocumentSource, documentSource, MetadataError } from './document-source.ts';
import {
  createNameResolver,
  FETCH_LIMITS,
  type FetchEnvironment,
  fetchDocument,
  isPublicAddress,
} from './fetch-document.ts';
import { createHostGate, type HostGate } from './host-gate.ts';
import {
  countDueTokens,
  type DeferredToken,
  type DueToken,
  type FetchedToken,
  postponeTokens,
  saveToken,
  takeDueTokens,
} from './metadata-queue.ts';
import type { MetadataSettings } from './metadata-settings.ts';
import { linkOf, readDocument, tokenFields } from './token-fields.ts';

/** How an attempt to fetch a document ended: `refused` are those that may not be fetched. */
type MetadataOutcome = 'fetched' | 'failed' | 'refused';

/** Where a metadata fetcher tells its figures. */
interface MetadataMetrics {
  count(outcome: MetadataOutcome): void;
}

/** For who wants no figures. */
const NO_METADATA_METRICS: MetadataMetrics = { count() {} };

export interface MetadataFetcherOptions {
  readonly db: Kysely<Tables>;
  readonly log: Log;
  readonly settings: MetadataSettings;
  readonly metrics?: MetadataMetrics | undefined;
  /** How documents are reached, where it is not the internet. */
  readonly environment?: Partial<FetchEnvironment>;
  /** How often it is looked for something to do when there was nothing. */
  readonly pollMs?: number;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
}

/** What a fetcher is about. */
interface MetadataFetcherState {
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

const POLL_MS = 1000;
/** When all that was taken is of hosts that are busy: more is taken then, to get past them to others. */
const CROWDED_POLL_MS = 100;
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
    pollMs = POLL_MS,
    now = () => performance.now(),
  } = options;
  const { concurrency } = settings;
  const log = createThrottledLog(options.log, now);
  const names = options.environment?.names ?? createNameResolver();
  const environment = { isPublic: isPublicAddress, limits: FETCH_LIMITS, ...options.environment, names };
  const gate = createHostGate(now);
  const closed = new AbortController();
  const { signal } = closed;
  const startWork = createTokenWork({ db, log, settings, metrics, environment: environment, gate, signal });
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
        if (!signal.aborted) log.warn({ err: error }, 'Metadata fetcher failed, retrying');
        await pause(pollMs, signal);
      }
    }
  }

  async function round(): Promise<void> {
    const max = (concurrency - running.size) * (isCrowded ? CROWD : 1);
    const taken = await retryUntilDone(() => takeDueTokens(db, max), {
      log,
      signal,
      task: 'take due tokens',
    });
    const late: DeferredToken[] = [];
    for (const token of taken) {
      const started = running.size < concurrency ? startWork(token) : { token, waitMs: 0 };
      if ('waitMs' in started) late.push(started);
      else track(started);
    }
    if (late.length > 0)
      await retryUntilDone(() => postponeTokens(db, late), { log, signal, task: 'postpone tokens' });
    isCrowded = taken.length > 0 && late.length === taken.length;
    if (running.size >= concurrency) await Promise.race(running);
    else if (taken.length < max) await pause(pollMs, signal);
    else if (isCrowded) await pause(CROWDED_POLL_MS, signal);
  }

  function track(work: Promise<void>): void {
    const ended = work.then(() => {
      running.delete(ended);
    });
    running.add(ended);
  }

  async function count(): Promise<void> {
    if (now() - countedMs < COUNT_EVERY_MS) return;
    countedMs = now();
    waiting = await countDueTokens(db).catch(() => undefined);
  }

  return {
    start() {
      if (settings.isOn && !signal.aborted) loop ??= run();
    },
    async close() {
      closed.abort();
      names.close();
      const end = Promise.resolve(loop).then(() => Promise.all(running));
      await waitAtMost(CLOSE_MS, end);
    },
    state: () => ({ running: running.size, waiting, pausedHosts: gate.pausedHosts() }),
  };
}

interface TokenWorkOptions {
  readonly db: Kysely<Tables>;
  readonly log: Log;
  readonly settings: MetadataSettings;
  readonly metrics: MetadataMetrics;
  readonly environment: FetchEnvironment;
  readonly gate: HostGate;
  readonly signal: AbortSignal;
}

/** A database that is gone must not keep a process from ending. */
const GIVE_BACK_MS = 2000;
const UNSTORABLE = new MetadataError('failed', 'cannot be stored');

/**
 * Makes what works on a token that was taken: the promise is fulfilled when it was kept, or given back because the
 * signal has ended it. Whose host must be left alone for now comes back with the time to wait.
 */
function createTokenWork(options: TokenWorkOptions): (token: DueToken) => Promise<void> | DeferredToken {
  const { db, log, settings, metrics, environment, gate, signal } = options;

  async function fetchIn(token: DueToken, source: TokenSource, leave: (isSilent: boolean) => void) {
    let isSilent = false;
    try {
      const fetched = await fetchToken(token, source, { ...environment, settings, log }, signal);
      isSilent = fetched instanceof MetadataError && fetched.kind === 'silent';
      return fetched;
    } finally {
      leave(isSilent);
    }
  }

  async function keep(token: DueToken, fetched: FetchedToken): Promise<void> {
    // What the database does not take must not be offered without end.
    const isFinal = (error: unknown) => troubleOf(error) === undefined;
    for (const outcome of [fetched, UNSTORABLE]) {
      try {
        const task = 'store fetched metadata';
        return await retryUntilDone(() => saveToken(db, token, outcome), { log, signal, task, isFinal });
      } catch (error) {
        signal.throwIfAborted();
        log.warn({ err: error }, 'Storing token metadata failed');
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
      const giveBack = postponeTokens(db, [{ token, waitMs: 0 }]).catch(() => {});
      await waitAtMost(GIVE_BACK_MS, giveBack);
    }
  }

  return (token) => {
    const source = sourceOfToken(token, settings);
    if (source instanceof MetadataError || !('url' in source)) return work(token, source, () => {});
    const { url, isGateway } = source;
    // A gateway stands for many hosts: it may take more, and what it does not find is no fault of it.
    const host = isGateway ? `gateway ${url.host}` : url.hostname;
    const max = isGateway ? Math.max(1, settings.concurrency >> 1) : settings.perHost;
    const leave = gate.enter(host, max);
    if (leave === undefined)
      return { token, waitMs: gate.waitMs(host, token.priority === REQUESTED_PRIORITY) };
    return work(token, source, (isSilent) => leave(isSilent && !isGateway ? 'silent' : 'answered'));
  };
}

function outcomeOf(fetched: FetchedToken): MetadataOutcome {
  if (!(fetched instanceof MetadataError)) return 'fetched';
  return fetched.kind === 'refused' ? 'refused' : 'failed';
}

/** Where more about a token is, or why nobody is asked. */
type TokenSource = DocumentSource | MetadataError;

/** Reads where more about a token is. */
function sourceOfToken({ content = {} }: DueToken, settings: MetadataSettings): TokenSource {
  try {
    return documentSource(linkOf(content) ?? '', settings);
  } catch (error) {
    if (error instanceof MetadataError) return error;
    throw error;
  }
}

/** Fetches what there is about a token and joins it with what the chain says; throws only the signal's reason. */
async function fetchToken(
  { content = {} }: DueToken,
  source: TokenSource,
  options: FetchEnvironment & { readonly settings: MetadataSettings; readonly log: Log },
  signal: AbortSignal,
): Promise<FetchedToken> {
  if (source instanceof MetadataError) return source;
  try {
    const body = 'body' in source ? source.body : await fetchDocument(source, options, signal);
    return tokenFields(content, readDocument(body), options.settings);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof MetadataError) return error;
    // Whatever strangers found to send: one document must not end the work on all others.
    options.log.warn({ err: error }, 'Reading token metadata failed');
    return new MetadataError('failed', 'unreadable document');
  }
}
