import { LRUCache } from 'lru-cache';
import { type BlockId, MASTERCHAIN } from '../../chain/block-id.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { configParam } from '../../chain/tlb/config.ts';
import { type FoundCell, hashOf } from '../../lite/proofs/open-proof.ts';
import { getConfigAll } from '../../lite/queries/get-config-all.ts';
import { prepareConfig, type VmConfig } from '../../vm/vm-config.ts';
import { keyOf } from '../hash-key.ts';
import type { BatchScope } from './batch-scope.ts';
import type { JudgedBatch } from './detection.ts';
import type { LiteAsker } from './lite-asker.ts';

/** What runs and detectors need of a configuration. */
export interface ChainConfig {
  readonly vm: VmConfig;
  /** The contract that knows all domains; undefined where there is none. */
  readonly dnsRoot: AccountId | undefined;
}

/** Configurations by the hash of their root: some ranges of seqnos are worked on at once. */
export type KnownConfigs = LRUCache<string, ChainConfig>;

/** Room for a few: each has about a megabyte. */
export function createKnownConfigs(): KnownConfigs {
  return new LRUCache({ max: 4 });
}

const DNS_ROOT_PARAM = 4;
/** Where batches do not follow each other, how long one is good for. */
const GOOD_MS = 300_000;

/** The configuration for the batches of one judge. */
export class ConfigBook {
  readonly #known: KnownConfigs;
  readonly #follows: boolean;
  #current: ChainConfig | undefined;
  #isStale = true;
  #askedMs = 0;

  constructor(known: KnownConfigs, follows: boolean) {
    this.#known = known;
    this.#follows = follows;
  }

  /** The configuration at the block of a batch, or at the head if that one is not to be had; throws Undecided. */
  async read(batch: JudgedBatch, asker: LiteAsker, scope: BatchScope): Promise<ChainConfig> {
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

  async #ask(block: BlockId | undefined, asker: LiteAsker): Promise<ChainConfig> {
    const ask = async (at: BlockId | undefined) =>
      this.#prepare(await asker.ask(at, (query, id, check) => getConfigAll(query, id, check)));
    if (block === undefined) return ask(undefined);
    return ask(block).catch(() => ask(undefined));
  }

  #prepare(found: FoundCell): ChainConfig {
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

function dnsRootOf({ cells, cell }: FoundCell): AccountId | undefined {
  const param = configParam(cells, cell, DNS_ROOT_PARAM);
  return param < 0
    ? undefined
    : { workchain: MASTERCHAIN, hash: Buffer.from(new Slice(cells, param).hash()) };
}
