import { troubleOf } from '../db/errors.ts';
import type { Db } from '../db/tables/tables.ts';
import { REQUESTED_PRIORITY } from '../index/read/address-info.ts';
import type { Log } from '../lib/log.ts';
import { createNameResolver, OutboundError } from '../lib/outbound-http.ts';
import { isPublicAddress } from '../lib/public-address.ts';
import { createThrottledLog, retryUntilDone } from '../lib/retry.ts';
import { pause, waitAtMost } from '../lib/wait.ts';
import { type DocumentSource, type DocumentUrl, documentSource } from './document-source.ts';
import { FETCH_LIMITS, type FetchEnvironment, fetchDocument } from './fetch-document.ts';
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

/** Outcome of fetching a document; `refused` documents may not be fetched. */
type MetadataOutcome = 'fetched' | 'failed' | 'refused';

interface MetadataMetrics {
  count(outcome: MetadataOutcome): void;
}

const NO_METADATA_METRICS: MetadataMetrics = { count() {} };

export interface MetadataFetcherOptions {
  readonly db: Db;
  readonly log: Log;
  readonly settings: MetadataSettings;
  readonly metrics?: MetadataMetrics | undefined;
  /** Overrides how documents are reached, for tests. */
  readonly environment?: Partial<FetchEnvironment>;
  /** How often an idle fetcher looks for work. */
  readonly pollMs?: number;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

const POLL_MS = 1000;
/** When all taken tokens belong to busy hosts, more are taken at once to reach other hosts. */
const CROWDED_POLL_MS = 100;
const CROWDED_FACTOR = 8;
const COUNT_EVERY_MS = 60_000;
/** An unavailable database must not keep the process from exiting; the leases of taken tokens expire. */
const CLOSE_MS = 5000;

/**
 * Creates a fetcher of off-chain metadata, which does nothing before `start`, and nothing at all if disabled by the
 * settings. Several fetchers may share one database.
 */
export function createMetadataFetcher(options: MetadataFetcherOptions) {
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
  const startWork = createTokenWork({ db, log, settings, metrics, environment, gate, signal });
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
    const max = (concurrency - running.size) * (isCrowded ? CROWDED_FACTOR : 1);
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
    start(): void {
      if (settings.isOn && !signal.aborted) loop ??= run();
    },
    /** Aborts all requests and returns their tokens to the queue. */
    async close(): Promise<void> {
      closed.abort();
      names.close();
      const end = Promise.resolve(loop).then(() => Promise.all(running));
      await waitAtMost(CLOSE_MS, end);
    },
    /** Tokens in progress, the backlog of all fetchers when it was last counted, hosts that did not respond. */
    state: () => ({ running: running.size, waiting, pausedHosts: gate.pausedHosts() }),
  };
}

interface TokenWorkOptions {
  readonly db: Db;
  readonly log: Log;
  readonly settings: MetadataSettings;
  readonly metrics: MetadataMetrics;
  readonly environment: FetchEnvironment;
  readonly gate: HostGate;
  readonly signal: AbortSignal;
}

/** An unavailable database must not keep the process from exiting. */
const GIVE_BACK_MS = 2000;
const UNSTORABLE = new OutboundError('failed', 'cannot be stored');

/**
 * Creates the function that processes a taken token: its promise resolves when the result is stored, or the token is
 * returned because the signal aborted. If the host is busy or paused, the token is deferred instead.
 */
function createTokenWork(options: TokenWorkOptions): (token: DueToken) => Promise<void> | DeferredToken {
  const { db, log, settings, metrics, environment, gate, signal } = options;

  /** Fetches a token from the URLs of its document, until one has it. */
  async function fetchFrom(token: DueToken, urls: readonly DocumentUrl[], first: Admitted) {
    // A missing file is not the failure of the only gateway, which must go on.
    const mayPauseGateways = urls.filter(({ isGateway }) => isGateway).length > 1;
    let fetched = await fetchAt(token, first, mayPauseGateways);
    for (const target of urls.slice(urls.indexOf(first.target) + 1)) {
      if (!(fetched instanceof OutboundError)) break;
      const next = admit(target);
      if (next !== undefined) fetched = await fetchAt(token, next, mayPauseGateways);
    }
    return fetched;
  }

  async function fetchAt(token: DueToken, { target, release }: Admitted, mayPauseGateways: boolean) {
    let isUnavailable = false;
    try {
      const fetched = await readToken(() => fetchDocument(target, environment, signal), token, options);
      isUnavailable = fetched instanceof OutboundError && fetched.kind === 'unavailable';
      return fetched;
    } finally {
      const isPaused = isUnavailable && (!target.isGateway || mayPauseGateways);
      release(isPaused ? 'unavailable' : 'responded');
    }
  }

  /** Undefined while the host is busy or paused. */
  function admit(target: DocumentUrl): Admitted | undefined {
    // A gateway stands for many hosts: it may take more requests.
    const max = target.isGateway ? Math.max(1, settings.concurrency >> 1) : settings.perHost;
    const release = gate.acquire(hostOf(target), max);
    return release && { target, release };
  }

  async function keep(token: DueToken, fetched: FetchedToken): Promise<void> {
    // A document that the database rejects must not be retried forever.
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

  async function work(token: DueToken, fetching: Promise<FetchedToken> | FetchedToken): Promise<void> {
    try {
      const fetched = await fetching;
      metrics.count(outcomeOf(fetched));
      await keep(token, fetched);
    } catch {
      // Aborted by the signal.
      const giveBack = postponeTokens(db, [{ token, waitMs: 0 }]).catch(() => {});
      await waitAtMost(GIVE_BACK_MS, giveBack);
    }
  }

  return (token) => {
    const source = sourceOfToken(token, settings);
    if (source instanceof OutboundError) return work(token, source);
    if ('body' in source)
      return work(
        token,
        readToken(async () => source.body, token, options),
      );
    const { urls } = source;
    for (const target of urls) {
      const first = admit(target);
      if (first !== undefined) return work(token, fetchFrom(token, urls, first));
    }
    return { token, waitMs: gate.waitMs(hostOf(urls[0]!), token.priority === REQUESTED_PRIORITY) };
  };
}

/** A URL whose host may be asked now. */
interface Admitted {
  readonly target: DocumentUrl;
  readonly release: (end: 'responded' | 'unavailable') => void;
}

function hostOf({ url, isGateway }: DocumentUrl): string {
  return isGateway ? `gateway ${url.host}` : url.hostname;
}

function outcomeOf(fetched: FetchedToken): MetadataOutcome {
  if (!(fetched instanceof OutboundError)) return 'fetched';
  return fetched.kind === 'refused' ? 'refused' : 'failed';
}

/** Where the document of a token is, or why it is not fetched. */
type TokenSource = DocumentSource | OutboundError;

function sourceOfToken({ content = {} }: DueToken, settings: MetadataSettings): TokenSource {
  try {
    return documentSource(linkOf(content) ?? '', settings);
  } catch (error) {
    if (error instanceof OutboundError) return error;
    throw error;
  }
}

/** Reads the document of a token and merges it with its on-chain content; throws only the reason of the signal. */
async function readToken(
  read: () => Promise<Buffer>,
  { content = {} }: DueToken,
  { settings, log, signal }: Pick<TokenWorkOptions, 'settings' | 'log' | 'signal'>,
): Promise<FetchedToken> {
  try {
    return tokenFields(content, readDocument(await read()), settings);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutboundError) return error;
    // Documents are untrusted: a bad one must not stop the others.
    log.warn({ err: error }, 'Reading token metadata failed');
    return new OutboundError('failed', 'unreadable document');
  }
}
