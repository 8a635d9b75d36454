import { LRUCache } from 'lru-cache';
import type { Cells } from '../chain/boc/cells.ts';
import type { ProvenAccount } from '../lite/proofs/account-state.ts';
import { createSignersCache, type SignersCache } from '../lite/proofs/signers-cache.ts';
import type { SharedBoc } from '../vm/shared-boc.ts';
import { CodeTexts } from './code-texts.ts';
import type { Contracts } from './reads/contract.ts';
import type { LatestConfig, PreparedConfig } from './reads/prepared-config.ts';
import { Remembered } from './remembered.ts';

/** Facts that cannot change, kept as long as there is room: an account at a block is the same for ever. */
export interface V2Memory {
  /** Accounts by block and address. */
  readonly accounts: Remembered<ProvenAccount>;
  /** What runs need of those accounts. */
  readonly contracts: Contracts;
  readonly codeTexts: CodeTexts;
  /** Configurations by the hash of their root. */
  readonly configs: Remembered<PreparedConfig>;
  /** The configuration at a masterchain block, by the block's root hash. */
  readonly heads: Remembered<LatestConfig>;
  /** Bags of cells of public libraries, by the hex of their hash. */
  readonly libraries: LRUCache<string, Buffer>;
  /** Libraries put together for runs, by the hashes of all of them. */
  readonly librarySets: LRUCache<string, SharedBoc>;
  /** Hashes of the states after masterchain blocks, by the root hash of the block. */
  readonly stateRoots: Remembered<Buffer>;
  /** Validators by the key block that names them. */
  readonly signersOf: SignersCache;
  /** The rules of the network (parameter 8) as last read; 0 before. */
  globalVersion: number;
}

const MIB = 2 ** 20;
/** What an entry takes beside its content: keys, hashes, objects. */
const ENTRY_BYTES = 1024;
/** A parsed cell with its hash, as measured by `bench:cells`. */
const BYTES_A_CELL = 160;

/** Creates an empty memory. */
export function createMemory(): V2Memory {
  return {
    // Twice the bytes, because what runs need of an account is kept with it.
    accounts: new Remembered({
      ...{ entries: 4096, bytes: 64 * MIB },
      bytesOf: ({ account }) => ENTRY_BYTES + (account === undefined ? 0 : 2 * bytesOfCells(account.cells)),
    }),
    contracts: new WeakMap(),
    codeTexts: new CodeTexts(),
    configs: new Remembered({
      ...{ entries: 4, bytes: 64 * MIB },
      bytesOf: ({ cells, vm }) => ENTRY_BYTES + bytesOfCells(cells) + vm.full.text.length,
    }),
    // Of a head nothing is its own but the list of blocks before it.
    heads: new Remembered({ entries: 64, bytes: MIB, bytesOf: () => 16 * ENTRY_BYTES }),
    libraries: new LRUCache({
      ...{ max: 4096, maxSize: 32 * MIB },
      sizeCalculation: (data) => ENTRY_BYTES + data.length,
    }),
    librarySets: new LRUCache({
      ...{ max: 1024, maxSize: 32 * MIB },
      sizeCalculation: ({ text }) => ENTRY_BYTES + text.length,
    }),
    stateRoots: new Remembered({ entries: 64, bytes: MIB, bytesOf: () => ENTRY_BYTES }),
    signersOf: createSignersCache(),
    globalVersion: 0,
  };
}

function bytesOfCells({ count, bytes }: Cells): number {
  return count * BYTES_A_CELL + bytes.length;
}
