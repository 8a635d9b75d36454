import { LRUCache } from 'lru-cache';
import type { AccountId } from '../chain/address.ts';
import { type BlockId, MASTERCHAIN } from '../chain/block-id.ts';
import type { CellRef } from '../chain/boc/cells.ts';
import { Slice } from '../chain/boc/slice.ts';
import { writeCellBoc } from '../chain/boc/writer.ts';
import { configParam } from '../chain/tlb/config.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { classifyFailure, LiteBudgetExceeded, NoLiteServer } from '../lite/errors.ts';
import { FetchGate, type FetchPool } from '../lite/fetch-context.ts';
import { getConfigAll } from '../lite/methods/config.ts';
import { getLibrariesWithProof } from '../lite/methods/libraries.ts';
import { type CheckOptions, hashOf } from '../lite/methods/proofs.ts';
import type { LiteTarget } from '../lite/session.ts';
import type { LibraryCache } from '../live/caches.ts';
import { prepareConfig, type SharedBoc, type VmConfig } from '../vm/shared-inputs.ts';
import type { Code } from './code.ts';
import type { DetectionBatch, MutableDetectionStats } from './detection.ts';

/** An interface cannot be determined now: a server does not respond, or the time limit has passed. */
export class Undecided extends Error {
  override readonly name = 'Undecided';
}

export class BatchScope {
  /** Aborts at the time limit, or when the caller does. */
  readonly limit: AbortSignal;
  readonly #signal: AbortSignal;
  readonly #deadlineMs: number;

  constructor({ signal, timeoutMs }: Pick<DetectionBatch, 'signal' | 'timeoutMs'>) {
    this.#signal = signal;
    this.#deadlineMs = performance.now() + timeoutMs;
    this.limit = AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, timeoutMs))]);
  }

  /** Remaining milliseconds; throws Undecided when there are none. */
  left(): number {
    const leftMs = this.#deadlineMs - performance.now();
    if (this.limit.aborted || leftMs <= 0) throw this.undecided();
    return leftMs;
  }

  /** What to throw for a failed read: the abort reason of the caller, or Undecided. */
  undecided(cause?: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason;
    return cause instanceof Undecided ? cause : new Undecided('cannot be determined now', { cause });
  }
}

type LiteQuery<T> = (query: LiteTarget['query'], block: BlockId, check: CheckOptions) => Promise<T>;

interface LiteQueriesOptions {
  readonly pool: Pick<FetchPool, 'session'>;
  readonly check: CheckOptions;
  readonly stats: MutableDetectionStats;
}

const MAX_CONCURRENT = 8;
/** After this many unanswered queries in a row, no more are sent for this batch. */
const MAX_UNANSWERED = 4;

export class LiteQueries {
  readonly #options: LiteQueriesOptions;
  readonly #scope: BatchScope;
  readonly #gate = new FetchGate(MAX_CONCURRENT);
  #unanswered = 0;

  constructor(options: LiteQueriesOptions, scope: BatchScope) {
    this.#options = options;
    this.#scope = scope;
  }

  /** Runs a query at a block, or at the head. Throws the error of the server, or Undecided without a response. */
  run<T>(block: BlockId | undefined, work: LiteQuery<T>): Promise<T> {
    const { pool, check, stats } = this.#options;
    return this.#gate.run(async () => {
      const budgetMs = this.#scope.left();
      if (this.#unanswered >= MAX_UNANSWERED) throw this.#scope.undecided();
      stats.queries += 1;
      try {
        const session = await pool.session({ seqno: block?.seqno, budgetMs, signal: this.#scope.limit });
        const result = await session.run(({ query, reference }) => work(query, block ?? reference, check));
        this.#unanswered = 0;
        return result;
      } catch (error) {
        if (this.#scope.limit.aborted) throw this.#scope.undecided(error);
        if (isUnanswered(error)) this.#unanswered += 1;
        throw error;
      }
    });
  }
}

function isUnanswered(error: unknown): boolean {
  if (error instanceof NoLiteServer || error instanceof LiteBudgetExceeded) return true;
  return classifyFailure(error) === 'network';
}

interface ChainConfig {
  readonly vm: VmConfig;
  /** The root DNS contract; undefined where there is none. */
  readonly dnsRoot: AccountId | undefined;
}

/** Reads the root of the params of the configuration that is in force. */
export type ReadConfig = () => Promise<CellRef>;

/** Configurations by root hash, shared by concurrent ranges. */
export type ConfigCache = LRUCache<string, ChainConfig>;

/** Small: a configuration takes about a megabyte. */
export function createConfigCache(): ConfigCache {
  return new LRUCache({ max: 4 });
}

const DNS_ROOT_PARAM = 4;
/** Where batches are not consecutive: how long a configuration is used. */
const MAX_AGE_MS = 300_000;

/** Reads the configuration for the batches of one session. */
export class ConfigReader {
  readonly #known: ConfigCache;
  readonly #follows: boolean;
  readonly #readConfig: ReadConfig | undefined;
  #current: ChainConfig | undefined;
  #isStale = true;
  #readMs = 0;

  /** `readConfig` takes the place of lite servers. */
  constructor(known: ConfigCache, follows: boolean, readConfig: ReadConfig | undefined) {
    this.#known = known;
    this.#follows = follows;
    this.#readConfig = readConfig;
  }

  /** The configuration at the block of a batch, or at the head if unavailable; throws Undecided. */
  async read(batch: DetectionBatch, queries: LiteQueries, scope: BatchScope): Promise<ChainConfig> {
    // Checked first: the key block may be in a batch that needs no configuration.
    const isConsecutive = this.#follows || this.#readConfig !== undefined;
    if (isConsecutive ? batch.hasKeyBlock : this.#isOld()) this.#isStale = true;
    if (this.#current !== undefined && !this.#isStale) return this.#current;
    try {
      this.#current = await this.#fetch(batch.block, queries);
      this.#isStale = false;
      this.#readMs = performance.now();
      return this.#current;
    } catch (error) {
      const undecided = scope.undecided(error);
      // The previous one nearly always agrees in what get-methods read.
      if (this.#current === undefined || batch.signal.aborted) throw undecided;
      return this.#current;
    }
  }

  /** Whether it was read long ago, or another session has found a newer one. */
  #isOld(): boolean {
    const [newest] = this.#known.values();
    return newest !== this.#current || performance.now() - this.#readMs > MAX_AGE_MS;
  }

  /** Accounts for a batch that does not need the configuration. */
  skip({ hasKeyBlock }: DetectionBatch): void {
    if (hasKeyBlock) this.#isStale = true;
  }

  async #fetch(block: BlockId | undefined, queries: LiteQueries): Promise<ChainConfig> {
    if (this.#readConfig !== undefined) return this.#prepare(await this.#readConfig());
    const read = async (at: BlockId | undefined) =>
      this.#prepare(await queries.run(at, (query, id, check) => getConfigAll(query, id, check)));
    if (block === undefined) return read(undefined);
    return read(block).catch(() => read(undefined));
  }

  #prepare(found: CellRef): ChainConfig {
    const key = bytesKey(hashOf(found));
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { cells, cell } = found;
    const boc = writeCellBoc(cells, cell);
    const config = { vm: prepareConfig(boc), dnsRoot: dnsRootOf(found) };
    this.#known.set(key, config);
    return config;
  }
}

function dnsRootOf({ cells, cell }: CellRef): AccountId | undefined {
  const param = configParam(cells, cell, DNS_ROOT_PARAM);
  return param < 0
    ? undefined
    : { workchain: MASTERCHAIN, hash: Buffer.from(new Slice(cells, param).hash()) };
}

export class BatchLibraries {
  readonly #cache: LibraryCache;
  readonly #queries: LiteQueries;
  readonly #scope: BatchScope;
  readonly #block: BlockId | undefined;
  /** Requested in this batch; that a library does not exist is cached no longer than that. */
  readonly #requested = new Map<string, Promise<Buffer | undefined>>();

  constructor(cache: LibraryCache, queries: LiteQueries, scope: BatchScope, block: BlockId | undefined) {
    this.#cache = cache;
    this.#queries = queries;
    this.#scope = scope;
    this.#block = block;
  }

  /** Adds the libraries that exist to a map; returns how many were new. */
  async addTo(libraries: Map<string, Buffer>, hashes: readonly Buffer[]): Promise<number> {
    const before = libraries.size;
    const unknown: Buffer[] = [];
    for (const hash of hashes) {
      const boc = this.#cache.get(hash);
      if (boc === undefined) unknown.push(hash);
      else libraries.set(bytesKey(hash), boc);
    }
    this.#fetch(unknown.filter((hash) => !this.#requested.has(bytesKey(hash))));
    for (const hash of unknown) {
      const boc = await this.#requested.get(bytesKey(hash));
      if (boc !== undefined) libraries.set(bytesKey(hash), boc);
    }
    return libraries.size - before;
  }

  /** Resolves codes that are library references. */
  async resolve(codes: Iterable<Code>): Promise<void> {
    const open = [...codes].filter(({ library }) => library !== undefined);
    const found = new Map<string, Buffer>();
    await this.addTo(
      found,
      open.map(({ library }) => library!),
    );
    for (const code of open) {
      const boc = code.library && found.get(bytesKey(code.library));
      if (boc !== undefined) code.setLibrary(boc);
    }
  }

  share(libraries: ReadonlyMap<string, Buffer>): SharedBoc | undefined {
    return this.#cache.share(libraries);
  }

  #fetch(hashes: readonly Buffer[]): void {
    if (hashes.length === 0) return;
    const response = this.#read(hashes);
    for (const hash of hashes) {
      const one = response.then((found) => found.get(bytesKey(hash)));
      one.catch(() => {});
      this.#requested.set(bytesKey(hash), one);
    }
  }

  async #read(hashes: readonly Buffer[]): Promise<ReadonlyMap<string, Buffer>> {
    try {
      const found = await this.#queries.run(this.#block, (query, block, check) =>
        getLibrariesWithProof(query, block, hashes, check),
      );
      // Copies: cached data must not keep the whole response alive.
      const libraries = new Map<string, Buffer>();
      for (const { hash, data } of found) {
        const boc = Buffer.from(data);
        libraries.set(bytesKey(hash), boc);
        this.#cache.set(hash, boc);
      }
      return libraries;
    } catch (error) {
      throw this.#scope.undecided(error);
    }
  }
}
