import { LRUCache } from 'lru-cache';
import type { AccountId } from '../chain/address.ts';
import type { CellRef, Cells } from '../chain/boc/cells.ts';
import { bocText } from '../chain/boc/writer.ts';
import { bytesKey, ownBytes } from '../lib/bytes-key.ts';
import { SingleFlight } from '../lib/single-flight.ts';
import { LiteBudgetExceeded } from '../lite/errors.ts';
import type { ProvenAccount } from '../lite/methods/accounts.ts';
import { createSignersCache } from '../lite/methods/signatures.ts';
import type { GetMethodRun } from '../vm/runs.ts';
import { type SharedBoc, type VmConfig, writeLibraries } from '../vm/shared-inputs.ts';

/** Caches of things that never change, such as an account at a block; entries go only to make room. */
export type LiveCaches = ReturnType<typeof createLiveCaches>;

const MIB = 2 ** 20;
/** Memory of an entry beside its content: keys, hashes, objects. */
const ENTRY_BYTES = 1024;
/** Memory of a parsed cell with its hash, measured by `bench:cells`. */
const BYTES_PER_CELL = 160;

/** Processes of one server share the memory, so each of them has a part. */
export function createLiveCaches(parts = 1) {
  return {
    /** By block and address. Counted twice, because `contracts` holds a second form of the same cells. */
    accounts: new LoadingCache<ProvenAccount>({
      maxEntries: 4096,
      maxBytes: Math.floor((64 * MIB) / parts),
      bytesOf: ({ account }) => ENTRY_BYTES + (account === undefined ? 0 : 2 * bytesOfCells(account.cells)),
    }),
    /** Inputs of get-method runs, of cached accounts. */
    contracts: new WeakMap() as Contracts,
    codeTexts: new CodeTextCache(Math.floor(MAX_CODE_TEXT_BYTES / parts)),
    /** By the hash of their root. */
    configs: new LoadingCache<PreparedConfig>({
      maxEntries: 4,
      maxBytes: 64 * MIB,
      bytesOf: ({ cells, vm }) => ENTRY_BYTES + bytesOfCells(cells) + vm.full.text.length,
    }),
    /** By the block's root hash. Nothing but the list of previous blocks is an entry's own; the config is shared. */
    blockConfigs: new LoadingCache<BlockConfig>({
      maxEntries: 64,
      maxBytes: MIB,
      bytesOf: () => 16 * ENTRY_BYTES,
    }),
    libraries: new LibraryCache(Math.floor(MAX_LIBRARY_BYTES / parts)),
    /** Hashes of the states after masterchain blocks, by the block's root hash. */
    stateRoots: new LoadingCache<Buffer>({ maxEntries: 64, maxBytes: MIB, bytesOf: () => ENTRY_BYTES }),
    /** Validators by the key block that defines them. */
    signersOf: createSignersCache(),
    /** Version of the network's rules (config param 8) as last read; 0 before that. */
    globalVersion: 0,
  };
}

function bytesOfCells({ count, bytes }: Cells): number {
  return count * BYTES_PER_CELL + bytes.length;
}

interface LoadingCacheLimits<T> {
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly bytesOf: (value: T) => number;
}

/** A cache that loads missing values itself, each once, however many callers want it at the same time. */
export class LoadingCache<T extends object> {
  readonly #values: LRUCache<string, T>;
  /** Owned by the `load` function: a caller that retries with another server must not join its own first attempt. */
  readonly #loading = new SingleFlight<T, () => Promise<T>>(() => new LiteBudgetExceeded());

  constructor({ maxEntries, maxBytes, bytesOf }: LoadingCacheLimits<T>) {
    this.#values = new LRUCache({ max: maxEntries, maxSize: maxBytes, sizeCalculation: bytesOf });
  }

  /** The cached value of a key, or the one that `load` gives. Failures are not cached. */
  async get(
    key: string,
    { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal: AbortSignal },
    load: () => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const cached = this.#values.get(key);
      if (cached !== undefined) return cached;
      const limits = { timeoutMs: deadlineMs - performance.now(), signal };
      const { owner, result } = this.#loading.join(key, load, () => this.#load(key, load), limits);
      if (owner === load) return result;
      try {
        return await result;
      } catch (error) {
        // The other caller had another server and may have had less time, so it is worth another attempt.
        if (signal.aborted || performance.now() >= deadlineMs) throw error;
      }
    }
  }

  async #load(key: string, load: () => Promise<T>): Promise<T> {
    const value = await load();
    this.#values.set(key, value);
    return value;
  }
}

const MAX_LIBRARY_BYTES = 32 * MIB;

/** Public libraries by hash, which identifies their content. */
export class LibraryCache {
  readonly #libraries: LRUCache<string, Buffer>;
  /** Sets of libraries as run inputs, by the hashes of all of them. */
  readonly #sets: LRUCache<string, SharedBoc>;

  constructor(maxSize = MAX_LIBRARY_BYTES) {
    this.#libraries = new LRUCache({
      max: 4096,
      maxSize,
      sizeCalculation: (boc) => ENTRY_BYTES + boc.length,
    });
    this.#sets = new LRUCache({
      max: 1024,
      maxSize,
      sizeCalculation: ({ text }) => ENTRY_BYTES + text.length,
    });
  }

  /** The bag of cells of a library; undefined if it is not cached. */
  get(hash: Buffer): Buffer | undefined {
    return this.#libraries.get(bytesKey(hash));
  }

  set(hash: Buffer, boc: Buffer): void {
    this.#libraries.set(bytesKey(hash), ownBytes(boc));
  }

  /** Libraries by `bytesKey` in the form of run inputs; undefined without any. */
  share(libraries: ReadonlyMap<string, Buffer>): SharedBoc | undefined {
    if (libraries.size === 0) return undefined;
    const key = [...libraries.keys()].sort().join('');
    const cached = this.#sets.get(key);
    if (cached !== undefined) return cached;
    const set = writeLibraries([...libraries.values()])!;
    this.#sets.set(key, set);
    return set;
  }
}

const MAX_CODE_TEXT_BYTES = 16 * MIB;
const CODE_ENTRY_BYTES = 256;

/** Code in base64, by its hash: nearly all accounts share a few codes, and writing one takes longer than hashing it. */
export class CodeTextCache {
  readonly #texts: LRUCache<string, string>;

  constructor(maxSize = MAX_CODE_TEXT_BYTES) {
    this.#texts = new LRUCache({ maxSize, sizeCalculation: (text) => text.length + CODE_ENTRY_BYTES });
  }

  /** The code as a bag of cells in base64. */
  textOf({ cells, cell }: CellRef): string {
    const key = cells.hash(cell).toString('latin1');
    const cached = this.#texts.get(key);
    if (cached !== undefined) return cached;
    const text = bocText(cells, cell);
    this.#texts.set(key, text);
    return text;
  }
}

/** An account with code, prepared for get-method runs. */
export interface Contract {
  readonly account: AccountId;
  readonly run: Pick<GetMethodRun, 'code' | 'data' | 'address' | 'balance' | 'extraCurrencies' | 'utime'>;
  /** Hashes of the libraries that the code refers to, as far as it was searched. */
  readonly libraries: readonly Buffer[];
}

/** Contracts prepared so far; undefined for an account without code. */
export type Contracts = WeakMap<ProvenAccount, Contract | undefined>;

/** A config; `cell` is the root of its params, for `configParam`. */
export interface PreparedConfig extends CellRef {
  /** The same for TVM runs. */
  readonly vm: VmConfig;
}

/** The config at a masterchain block. */
export interface BlockConfig extends PreparedConfig {
  /** The previous masterchain blocks that a run can read. */
  readonly prevBlocks: SharedBoc;
  /** Unix time of the block, and the logical time at which it ends. */
  readonly genUtime: number;
  readonly genLt: bigint;
}
