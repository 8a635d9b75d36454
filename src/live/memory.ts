import { LRUCache } from 'lru-cache';
import type { AccountId } from '../chain/address.ts';
import type { Cells } from '../chain/boc/cells.ts';
import { bocText } from '../chain/boc/writer.ts';
import { SingleFlight } from '../lib/single-flight.ts';
import { LiteBudgetExceeded } from '../lite/errors.ts';
import type { ProvenAccount } from '../lite/methods/accounts.ts';
import type { CellRef } from '../lite/methods/proofs.ts';
import { createSignersCache, type SignersCache } from '../lite/methods/signatures.ts';
import type { GetMethodRun } from '../vm/runs.ts';
import type { SharedBoc, VmConfig } from '../vm/shared-inputs.ts';

/** Facts that cannot change, kept as long as there is room: an account at a block is the same for ever. */
export interface LiveMemory {
  /** Accounts by block and address. */
  readonly accounts: FactCache<ProvenAccount>;
  /** What runs need of those accounts. */
  readonly contracts: Contracts;
  readonly codeTexts: CodeTextCache;
  /** Configurations by the hash of their root. */
  readonly configs: FactCache<PreparedConfig>;
  /** The configuration at a masterchain block, by the block's root hash. */
  readonly heads: FactCache<LatestConfig>;
  /** Bags of cells of public libraries, by the hex of their hash. */
  readonly libraries: LRUCache<string, Buffer>;
  /** Libraries put together for runs, by the hashes of all of them. */
  readonly librarySets: LRUCache<string, SharedBoc>;
  /** Hashes of the states after masterchain blocks, by the root hash of the block. */
  readonly stateRoots: FactCache<Buffer>;
  /** Validators by the key block that names them. */
  readonly signersOf: SignersCache;
  /** The rules of the network (parameter 8) as last read; 0 before. */
  globalVersion: number;
}

const MIB = 2 ** 20;
/** What an entry takes beside its content: keys, hashes, objects. */
const ENTRY_BYTES = 1024;
/** A parsed cell with its hash, as measured by `bench:cells`. */
const BYTES_PER_CELL = 160;

/** Creates an empty memory. */
export function createLiveMemory(): LiveMemory {
  return {
    // Twice the bytes, because what runs need of an account is kept with it.
    accounts: new FactCache({
      entries: 4096,
      bytes: 64 * MIB,
      bytesOf: ({ account }) => ENTRY_BYTES + (account === undefined ? 0 : 2 * bytesOfCells(account.cells)),
    }),
    contracts: new WeakMap(),
    codeTexts: new CodeTextCache(),
    configs: new FactCache({
      entries: 4,
      bytes: 64 * MIB,
      bytesOf: ({ cells, vm }) => ENTRY_BYTES + bytesOfCells(cells) + vm.full.text.length,
    }),
    // Of a head nothing is its own but the list of blocks before it.
    heads: new FactCache({ entries: 64, bytes: MIB, bytesOf: () => 16 * ENTRY_BYTES }),
    libraries: new LRUCache({
      max: 4096,
      maxSize: 32 * MIB,
      sizeCalculation: (data) => ENTRY_BYTES + data.length,
    }),
    librarySets: new LRUCache({
      max: 1024,
      maxSize: 32 * MIB,
      sizeCalculation: ({ text }) => ENTRY_BYTES + text.length,
    }),
    stateRoots: new FactCache({ entries: 64, bytes: MIB, bytesOf: () => ENTRY_BYTES }),
    signersOf: createSignersCache(),
    globalVersion: 0,
  };
}

function bytesOfCells({ count, bytes }: Cells): number {
  return count * BYTES_PER_CELL + bytes.length;
}

/** Who wants to know, and for how long. */
interface FactReader {
  /** On the clock of `performance.now`. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** How much is remembered. */
interface FactCacheLimits<T> {
  readonly entries: number;
  readonly bytes: number;
  readonly bytesOf: (value: T) => number;
}

/** Facts by key that cannot change: each is read once, however many want it at the same time. */
export class FactCache<T extends object> {
  readonly #known: LRUCache<string, T>;
  /** Who reads is known by his `read`: one who tries again elsewhere must not get what his first attempt comes to. */
  readonly #underWay = new SingleFlight<T, () => Promise<T>>(() => new LiteBudgetExceeded());

  constructor({ entries, bytes, bytesOf }: FactCacheLimits<T>) {
    this.#known = new LRUCache({ max: entries, maxSize: bytes, sizeCalculation: bytesOf });
  }

  /** What is known by a key, or else what `read` gives. A failure is not remembered. */
  async get(key: string, asker: FactReader, read: () => Promise<T>): Promise<T> {
    for (;;) {
      const known = this.#known.get(key);
      if (known !== undefined) return known;
      const patience = { timeoutMs: asker.deadlineMs - performance.now(), signal: asker.signal };
      const { owner, result } = this.#underWay.join(key, read, () => this.#read(key, read), patience);
      if (owner === read) return result;
      try {
        return await result;
      } catch (error) {
        // Whoever read had another server and may have had less time: the next round is not his.
        if (asker.signal.aborted || performance.now() >= asker.deadlineMs) throw error;
      }
    }
  }

  async #read(key: string, read: () => Promise<T>): Promise<T> {
    const value = await read();
    this.#known.set(key, value);
    return value;
  }
}

const MAX_BYTES = 16 * 2 ** 20;
const CODE_ENTRY_BYTES = 256;

/** Code as text, by its hash: nearly all accounts have one of a few codes, and to write one takes longer than to hash it. */
export class CodeTextCache {
  readonly #texts = new LRUCache<string, string>({
    maxSize: MAX_BYTES,
    sizeCalculation: (text) => text.length + CODE_ENTRY_BYTES,
  });

  /** A bag of cells in base64. */
  textOf({ cells, cell }: CellRef): string {
    const key = cells.hash(cell).toString('latin1');
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const text = bocText(cells, cell);
    this.#texts.set(key, text);
    return text;
  }
}

/** An account that has code, ready to be run. */
export interface Contract {
  readonly account: AccountId;
  readonly run: Pick<GetMethodRun, 'code' | 'data' | 'address' | 'balance' | 'extraCurrencies' | 'utime'>;
  /** Hashes of the libraries that the code names, as far as it was looked through. */
  readonly libraries: readonly Buffer[];
}

/** Contracts that were made already; undefined for an account without code. */
export type Contracts = WeakMap<ProvenAccount, Contract | undefined>;

/** A configuration; `cell` is the root of its parameters, for `configParam`. */
export interface PreparedConfig extends CellRef {
  /** The same for runs of TVM. */
  readonly vm: VmConfig;
}

/** The configuration at a reference block. */
export interface LatestConfig extends PreparedConfig {
  /** The masterchain blocks that a run may ask for. */
  readonly prevBlocks: SharedBoc;
  /** When the block was made, in unix seconds, and the logical time at which it ends. */
  readonly genUtime: number;
  readonly genLt: bigint;
}
