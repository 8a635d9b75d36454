import { LRUCache } from 'lru-cache';
import type { AccountId } from '../../chain/address.ts';
import { type BlockId, MASTERCHAIN } from '../../chain/block-id.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { writeBoc } from '../../chain/boc/writer.ts';
import { configParam } from '../../chain/tlb/config.ts';
import { classifyFailure, LiteBudgetExceeded, NoLiteServer } from '../../lite/errors.ts';
import { getConfigAll } from '../../lite/methods/config.ts';
import { getLibrariesWithProof } from '../../lite/methods/libraries.ts';
import { type CellRef, type CheckOptions, hashOf } from '../../lite/methods/proofs.ts';
import type { LiteTarget } from '../../lite/session.ts';
import { prepareConfig, type SharedBoc, type VmConfig, writeLibraries } from '../../vm/shared-inputs.ts';
import { FetchGate, type FetchPool } from '../fetch/fetch-context.ts';
import { keyOf } from '../hash-key.ts';
import type { Code } from './code.ts';
import type { JudgedBatch, MutableDetectionStats } from './detection.ts';

/** What a contract is cannot be found out now: a server does not answer, or time is over. */
export class Undecided extends Error {
  override readonly name = 'Undecided';
}

/** The time of one batch. */
export class BatchScope {
  /** Ends everything when time is over, or nobody wants the verdicts any more. */
  readonly limit: AbortSignal;
  readonly #signal: AbortSignal;
  readonly #deadlineMs: number;

  constructor({ signal, timeoutMs }: Pick<JudgedBatch, 'signal' | 'timeoutMs'>) {
    this.#signal = signal;
    this.#deadlineMs = performance.now() + timeoutMs;
    this.limit = AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, timeoutMs))]);
  }

  /** Milliseconds that are left; throws Undecided when there are none. */
  left(): number {
    const leftMs = this.#deadlineMs - performance.now();
    if (this.limit.aborted || leftMs <= 0) throw this.undecided();
    return leftMs;
  }

  /** What to throw when something could not be had: the reason of the caller if he gave up, else Undecided. */
  undecided(cause?: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason;
    return cause instanceof Undecided ? cause : new Undecided('not to be found out now', { cause });
  }
}

/** A question about the chain at a block. */
type Question<T> = (query: LiteTarget['query'], block: BlockId, check: CheckOptions) => Promise<T>;

interface LiteQueriesOptions {
  readonly pool: Pick<FetchPool, 'session'>;
  readonly check: CheckOptions;
  readonly figures: MutableDetectionStats;
}

const AT_ONCE = 8;
/** After so many questions in a row without an answer nobody is asked any more in this batch. */
const MAX_UNANSWERED = 4;

/** Asks lite servers for one batch. */
export class LiteQueries {
  readonly #options: LiteQueriesOptions;
  readonly #scope: BatchScope;
  readonly #gate = new FetchGate(AT_ONCE);
  #silent = 0;

  constructor(options: LiteQueriesOptions, scope: BatchScope) {
    this.#options = options;
    this.#scope = scope;
  }

  /** Asks about a block, or the head if it is left out. Throws what servers say, or Undecided if they say nothing. */
  ask<T>(block: BlockId | undefined, question: Question<T>): Promise<T> {
    const { pool, check, figures } = this.#options;
    return this.#gate.run(async () => {
      const budgetMs = this.#scope.left();
      if (this.#silent >= MAX_UNANSWERED) throw this.#scope.undecided();
      figures.asked += 1;
      try {
        const session = await pool.session({ seqno: block?.seqno, budgetMs, signal: this.#scope.limit });
        const answer = await session.run(({ query, reference }) =>
          question(query, block ?? reference, check),
        );
        this.#silent = 0;
        return answer;
      } catch (error) {
        if (this.#scope.limit.aborted) throw this.#scope.undecided(error);
        if (isSilence(error)) this.#silent += 1;
        throw error;
      }
    });
  }
}

function isSilence(error: unknown): boolean {
  if (error instanceof NoLiteServer || error instanceof LiteBudgetExceeded) return true;
  return classifyFailure(error) === 'network';
}

/** What runs and detectors need of a configuration. */
interface ChainConfig {
  readonly vm: VmConfig;
  /** The contract that knows all domains; undefined where there is none. */
  readonly dnsRoot: AccountId | undefined;
}

/** Configurations by the hash of their root: some ranges of seqnos are worked on at once. */
export type ConfigCache = LRUCache<string, ChainConfig>;

/** Room for a few: each has about a megabyte. */
export function createConfigCache(): ConfigCache {
  return new LRUCache({ max: 4 });
}

const DNS_ROOT_PARAM = 4;
/** Where batches do not follow each other, how long one is good for. */
const GOOD_MS = 300_000;

/** The configuration for the batches of one judge. */
export class ConfigReader {
  readonly #known: ConfigCache;
  readonly #follows: boolean;
  #current: ChainConfig | undefined;
  #isStale = true;
  #askedMs = 0;

  constructor(known: ConfigCache, follows: boolean) {
    this.#known = known;
    this.#follows = follows;
  }

  /** The configuration at the block of a batch, or at the head if that one is not to be had; throws Undecided. */
  async read(batch: JudgedBatch, asker: LiteQueries, scope: BatchScope): Promise<ChainConfig> {
    // A key block may be in a batch that needs no configuration, so this is noted first.
    if (this.#follows ? batch.hasKeyBlock : this.#isOld()) this.#isStale = true;
    if (this.#current !== undefined && !this.#isStale) return this.#current;
    try {
      this.#current = await this.#ask(batch.block, asker);
      this.#isStale = false;
      this.#askedMs = performance.now();
      return this.#current;
    } catch (error) {
      const undecided = scope.undecided(error);
      // The one before is nearly always the same in all that get-methods look at.
      if (this.#current === undefined || batch.signal.aborted) throw undecided;
      return this.#current;
    }
  }

  /** Whether it was asked for long ago, or another judge has found another one since. */
  #isOld(): boolean {
    const [newest] = this.#known.values();
    return newest !== this.#current || performance.now() - this.#askedMs > GOOD_MS;
  }

  /** Takes note of a batch for which the configuration is not read. */
  skip({ hasKeyBlock }: JudgedBatch): void {
    if (hasKeyBlock) this.#isStale = true;
  }

  async #ask(block: BlockId | undefined, asker: LiteQueries): Promise<ChainConfig> {
    const ask = async (at: BlockId | undefined) =>
      this.#prepare(await asker.ask(at, (query, id, check) => getConfigAll(query, id, check)));
    if (block === undefined) return ask(undefined);
    return ask(block).catch(() => ask(undefined));
  }

  #prepare(found: CellRef): ChainConfig {
    const key = keyOf(hashOf(found));
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { cells, cell } = found;
    const boc = writeBoc({ cells, roots: [cell] }, { order: 'core', crc: false });
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

const MIB = 2 ** 20;
const ENTRY_BYTES = 1024;

/** Libraries that were found; their hashes say all about them. */
export class LibraryCache {
  readonly found = new LRUCache<string, Buffer>({
    max: 4096,
    maxSize: 32 * MIB,
    sizeCalculation: (boc) => ENTRY_BYTES + boc.length,
  });
  readonly #sets = new LRUCache<string, SharedBoc>({
    max: 1024,
    maxSize: 32 * MIB,
    sizeCalculation: ({ text }) => ENTRY_BYTES + text.length,
  });

  /** Libraries in the form that runs take. */
  share(libraries: ReadonlyMap<string, Buffer>): SharedBoc | undefined {
    if (libraries.size === 0) return undefined;
    const key = [...libraries.keys()].sort().join('');
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    const set = writeLibraries([...libraries.values()])!;
    this.#sets.set(key, set);
    return set;
  }
}

/** The libraries of the chain for one batch. */
export class BatchLibraries {
  readonly #book: LibraryCache;
  readonly #asker: LiteQueries;
  readonly #scope: BatchScope;
  readonly #block: BlockId | undefined;
  /** What was asked for in this batch: that one does not exist is known for no longer. */
  readonly #asked = new Map<string, Promise<Buffer | undefined>>();

  constructor(book: LibraryCache, asker: LiteQueries, scope: BatchScope, block: BlockId | undefined) {
    this.#book = book;
    this.#asker = asker;
    this.#scope = scope;
    this.#block = block;
  }

  /** Adds those libraries that exist to some; gives how many were new. */
  async addTo(libraries: Map<string, Buffer>, hashes: readonly Buffer[]): Promise<number> {
    const before = libraries.size;
    const unknown: Buffer[] = [];
    for (const hash of hashes) {
      const boc = this.#book.found.get(keyOf(hash));
      if (boc === undefined) unknown.push(hash);
      else libraries.set(keyOf(hash), boc);
    }
    this.#ask(unknown.filter((hash) => !this.#asked.has(keyOf(hash))));
    for (const hash of unknown) {
      const boc = await this.#asked.get(keyOf(hash));
      if (boc !== undefined) libraries.set(keyOf(hash), boc);
    }
    return libraries.size - before;
  }

  /** Looks for the libraries that stand in place of codes. */
  async resolve(codes: Iterable<Code>): Promise<void> {
    const open = [...codes].filter(({ library }) => library !== undefined);
    const found = new Map<string, Buffer>();
    await this.addTo(
      found,
      open.map(({ library }) => library!),
    );
    for (const code of open) {
      const boc = code.library && found.get(keyOf(code.library));
      if (boc !== undefined) code.setLibrary(boc);
    }
  }

  share(libraries: ReadonlyMap<string, Buffer>): SharedBoc | undefined {
    return this.#book.share(libraries);
  }

  #ask(hashes: readonly Buffer[]): void {
    if (hashes.length === 0) return;
    const answer = this.#read(hashes);
    for (const hash of hashes) {
      const one = answer.then((found) => found.get(keyOf(hash)));
      one.catch(() => {});
      this.#asked.set(keyOf(hash), one);
    }
  }

  async #read(hashes: readonly Buffer[]): Promise<ReadonlyMap<string, Buffer>> {
    try {
      const found = await this.#asker.ask(this.#block, (query, block, check) =>
        getLibrariesWithProof(query, block, hashes, check),
      );
      // Copies: what is kept must not keep the whole answer.
      const libraries = new Map(found.map(({ hash, data }) => [keyOf(hash), Buffer.from(data)]));
      for (const [key, boc] of libraries) this.#book.found.set(key, boc);
      return libraries;
    } catch (error) {
      throw this.#scope.undecided(error);
    }
  }
}
