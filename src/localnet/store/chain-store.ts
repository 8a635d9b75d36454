import type { ZeroStateId } from '../../chain/block-id.ts';
import { type BlockId, MASTERCHAIN, sameBlock, shortBlockName, WHOLE_SHARD } from '../../chain/block-id.ts';
import { type CellBag, readBoc } from '../../chain/boc/bag.ts';
import type { CellRef } from '../../chain/boc/cells.ts';
import { shardsContaining } from '../../chain/shards.ts';
import type { SignatureSet } from '../../chain/tl/signatures.ts';
import {
  type NewBlock,
  type ParsedBlock,
  parseBlock,
  parseZeroState,
  shardTops,
  type ZeroState,
} from './parse-block.ts';
import { StateStore } from './states.ts';

/** A block as the index of the store holds it. */
export interface StoredBlock {
  readonly id: BlockId;
  readonly endLt: bigint;
  /** Unix seconds. */
  readonly genUtime: number;
  /** Seqno of the masterchain block that first referenced a shard block; a masterchain block's own seqno. */
  readonly masterchainSeqno: number;
}

/** A block with its cells. */
export interface OpenBlock extends CellRef {
  readonly id: BlockId;
  /** The original BoC: its hash is the file hash. */
  readonly bytes: Buffer;
}

/** Key of a look-up. Logical times are unsigned. */
export type LookUpKey = 'seqno' | 'lt' | 'utime';

/** Account prefix: the first 64 bits of an account id, as a signed number. */
export interface AccountPrefix {
  readonly workchain: number;
  readonly prefix: bigint;
}

/**
 * The blocks and states of a network up to its newest masterchain block. Only whole steps are seen: a masterchain
 * block is there together with all shard blocks it names, and with the states after them.
 */
export interface ChainStore {
  /** Zero state of the masterchain. */
  readonly zeroState: ZeroStateId;
  /** Newest masterchain block; the zero state while there is none. */
  readonly head: BlockId;

  /** A block by its full id. */
  block(id: BlockId): StoredBlock | undefined;
  masterchainBlock(seqno: number): StoredBlock | undefined;
  /** Last key block up to a masterchain seqno. The zero state counts as one. */
  lastKeyBlock(upTo: number): BlockId;
  /** First key block from a masterchain seqno on. */
  nextKeyBlock(from: number): BlockId | undefined;
  /**
   * The block of the shards around a prefix that has a seqno, or the first one that ends at a logical time, or was
   * made at a time, or later.
   */
  find(place: AccountPrefix, by: LookUpKey, value: bigint): StoredBlock | undefined;
  /** First seqno of the shards around a prefix, or undefined where there are no blocks. */
  firstSeqno(place: AccountPrefix): number | undefined;
  /** Cells of a block. They stay valid. */
  open(block: StoredBlock): OpenBlock;

  /**
   * The state after a block, or the zero state of that name. The numbers of its cells are good until the next step
   * is added: use them at once. `gone` stands for the state of a known block that is not kept.
   */
  state(id: BlockId): CellRef | 'gone' | undefined;
  /** Original BoC of a zero state. */
  zeroStateBytes(id: BlockId): Buffer | undefined;
  /** Validator signatures of a masterchain block, where known. */
  signatures(id: BlockId): SignatureSet | undefined;

  /** Calls back after each new masterchain block, until the returned function is called. */
  onHead(listener: (head: BlockId) => void): () => void;
}

export interface ChainStoreOptions {
  /** BoCs of the zero states of all workchains. */
  readonly zeroStates: readonly Buffer[];
  /** Memory for states; older ones are dropped when it is used up. */
  readonly maxStateBytes?: number;
  /** Memory for blocks whose cells are cached. */
  readonly maxBlockBytes?: number;
}

/** What one masterchain block adds: itself and its new shard blocks, each after its predecessors. */
export interface ChainStep {
  readonly masterchain: NewBlock;
  readonly shards: readonly NewBlock[];
}

/** A store that grows. */
export interface WritableChainStore extends ChainStore {
  /** Adds a whole step; throws and adds nothing if it does not continue the chain. */
  append(step: ChainStep): void;
}

const MEBIBYTE = 2 ** 20;
const MAX_STATE_BYTES = 512 * MEBIBYTE;
const MAX_BLOCK_BYTES = 64 * MEBIBYTE;

/** Creates a memory store with only the zero states. */
export function createChainStore({
  zeroStates,
  maxStateBytes = MAX_STATE_BYTES,
  maxBlockBytes = MAX_BLOCK_BYTES,
}: ChainStoreOptions): WritableChainStore {
  const index = new BlockIndex();
  const blocks = new BlockCache(maxBlockBytes);
  const states = new StateStore(maxStateBytes);
  const signatures = new Map<number, SignatureSet>();
  const listeners = new Set<(head: BlockId) => void>();
  const zeros = zeroStates.map(addZeroState);
  const masterchainZero = zeros.find(({ id }) => id.workchain === MASTERCHAIN);
  if (masterchainZero === undefined) throw new Error('a chain needs the zero state of its masterchain');
  let head = masterchainZero.id;
  /** By seqno; there are few. */
  const keyBlocks = [head];

  function addZeroState(bytes: Buffer): ZeroState {
    const { bag, ...zero } = parseZeroState(bytes);
    states.add(zero.id, bag, bag.root);
    return zero;
  }

  function block(id: BlockId): StoredBlock | undefined {
    const found = index.at(id.workchain, id.shard, id.seqno);
    return found !== undefined && sameBlock(found.id, id) ? found : undefined;
  }

  function zeroState(id: BlockId): ZeroState | undefined {
    return zeros.find((zero) => sameBlock(zero.id, id));
  }

  function append(step: ChainStep): void {
    const parsed = [...step.shards, step.masterchain].map((part) => ({
      part,
      block: parseBlock(part.load()),
    }));
    const all = parsed.map((entry) => entry.block);
    const masterchain = all.at(-1)!;
    const tops = checkStep(all);
    for (const { part, block: added } of parsed) states.addAfter(added, part.state);
    for (const { part, block: added } of parsed) {
      const { endLt, genUtime } = added.info;
      const stored = { id: added.id, endLt, genUtime, masterchainSeqno: masterchain.id.seqno };
      index.add(stored);
      blocks.add(stored, added.bag, part.load);
    }
    if (step.masterchain.signatures !== undefined)
      signatures.set(masterchain.id.seqno, step.masterchain.signatures);
    if (masterchain.info.keyBlock) keyBlocks.push(masterchain.id);
    states.tidy([masterchain.id, ...tops]);
    head = masterchain.id;
    for (const listener of [...listeners]) listener(head);
  }

  /** Throws unless all blocks build on known ones and the last, a masterchain block, references only known ones. */
  function checkStep(all: readonly ParsedBlock[]): BlockId[] {
    const fresh: BlockId[] = [];
    const isKnown = (id: BlockId): boolean =>
      block(id) !== undefined || zeroState(id) !== undefined || fresh.some((known) => sameBlock(known, id));
    const check = (of: BlockId, named: readonly BlockId[]): void => {
      const missing = named.find((id) => !isKnown(id));
      if (missing !== undefined)
        throw new Error(`block ${shortBlockName(of)} needs ${shortBlockName(missing)}, which is not there`);
    };
    for (const { id, previous } of all) {
      check(id, previous);
      fresh.push(id);
    }
    const masterchain = all.at(-1)!;
    if (masterchain.id.workchain !== MASTERCHAIN || !sameBlock(masterchain.previous[0]!, head))
      throw new Error(`block ${shortBlockName(masterchain.id)} does not follow ${shortBlockName(head)}`);
    const tops = shardTops(masterchain);
    check(masterchain.id, tops);
    return tops;
  }

  return {
    zeroState: masterchainZero.id,
    get head() {
      return head;
    },
    block,
    masterchainBlock: (seqno) => index.at(MASTERCHAIN, WHOLE_SHARD, seqno),
    lastKeyBlock: (upTo) => keyBlocks.findLast(({ seqno }) => seqno <= upTo) ?? keyBlocks[0]!,
    nextKeyBlock: (from) => keyBlocks.find(({ seqno }) => seqno >= from),
    find: (place, by, value) => index.find(place, by, value),
    firstSeqno: (place) => index.firstSeqno(place),
    open(stored) {
      const bag = blocks.open(stored);
      return { id: stored.id, cells: bag, cell: bag.root, bytes: bag.bytes };
    },
    state(id) {
      return block(id) === undefined && zeroState(id) === undefined ? undefined : states.get(id);
    },
    zeroStateBytes: (id) => zeroState(id)?.bytes,
    signatures: (id) => (block(id) === undefined ? undefined : signatures.get(id.seqno)),
    onHead(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    append,
  };
}

/** Finds blocks by id, and by time in the shards around an account. */
class BlockIndex {
  /** Blocks of each shard by seqno. Logical time and time grow with it. */
  readonly #shards = new Map<string, StoredBlock[]>();

  /** Adds a block that is newer than all others of its shard. */
  add(block: StoredBlock): void {
    const key = keyOf(block.id.workchain, block.id.shard);
    const known = this.#shards.get(key);
    if (known === undefined) this.#shards.set(key, [block]);
    else known.push(block);
  }

  at(workchain: number, shard: bigint, seqno: number): StoredBlock | undefined {
    const block = this.#firstFrom(workchain, shard, 'seqno', BigInt(seqno));
    return block?.id.seqno === seqno ? block : undefined;
  }

  find({ workchain, prefix }: AccountPrefix, by: LookUpKey, value: bigint): StoredBlock | undefined {
    let found: StoredBlock | undefined;
    for (const shard of shardsContaining(prefix)) {
      const block = this.#firstFrom(workchain, shard, by, value);
      if (block !== undefined && (found === undefined || block.id.seqno < found.id.seqno)) found = block;
    }
    return by === 'seqno' && found !== undefined && BigInt(found.id.seqno) !== value ? undefined : found;
  }

  firstSeqno({ workchain, prefix }: AccountPrefix): number | undefined {
    for (const shard of shardsContaining(prefix)) {
      const first = this.#shards.get(keyOf(workchain, shard))?.[0];
      if (first !== undefined) return first.id.seqno;
    }
    return undefined;
  }

  /** First block of a shard from a value on. */
  #firstFrom(workchain: number, shard: bigint, by: LookUpKey, value: bigint): StoredBlock | undefined {
    const blocks = this.#shards.get(keyOf(workchain, shard));
    if (blocks === undefined) return undefined;
    let low = 0;
    let high = blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keyValue(blocks[middle]!, by) < value) low = middle + 1;
      else high = middle;
    }
    return blocks[low];
  }
}

function keyValue(block: StoredBlock, by: LookUpKey): bigint {
  if (by === 'lt') return block.endLt;
  return BigInt(by === 'seqno' ? block.id.seqno : block.genUtime);
}

function keyOf(workchain: number, shard: bigint): string {
  return `${workchain},${shard}`;
}

/** Cells of recently used blocks; others are loaded on demand. */
class BlockCache {
  readonly #maxBytes: number;
  readonly #loads = new Map<StoredBlock, () => Buffer>();
  /** Most recently used last. */
  readonly #bags = new Map<StoredBlock, CellBag>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a block whose cells are loaded; `load` returns its bytes again. */
  add(block: StoredBlock, bag: CellBag, load: () => Buffer): void {
    this.#loads.set(block, load);
    this.#keep(block, bag);
  }

  open(block: StoredBlock): CellBag {
    const known = this.#bags.get(block);
    if (known !== undefined) {
      this.#bags.delete(block);
      this.#bags.set(block, known);
      return known;
    }
    const load = this.#loads.get(block);
    if (load === undefined) throw new Error(`block ${shortBlockName(block.id)} is of another store`);
    const bag = readBoc(load());
    this.#keep(block, bag);
    return bag;
  }

  #keep(block: StoredBlock, bag: CellBag): void {
    this.#bags.set(block, bag);
    this.#bytes += bag.bytes.length;
    for (const [oldest, old] of this.#bags) {
      if (this.#bytes <= this.#maxBytes || oldest === block) break;
      this.#bags.delete(oldest);
      this.#bytes -= old.bytes.length;
    }
  }
}

/** A store that delegates to another one, which can be replaced while in use. */
interface SwitchableStore extends ChainStore {
  show(store: ChainStore): void;
}

/** Creates a store that delegates to another one; listeners are kept when that one is replaced. */
export function createSwitchableStore(first: ChainStore): SwitchableStore {
  const listeners = new Set<(head: BlockId) => void>();
  const notify = (head: BlockId): void => {
    for (const listener of [...listeners]) listener(head);
  };
  let shown = first;
  let stop = first.onHead(notify);
  return {
    show(store) {
      stop();
      shown = store;
      stop = store.onHead(notify);
      notify(store.head);
    },
    get zeroState() {
      return shown.zeroState;
    },
    get head() {
      return shown.head;
    },
    block: (id) => shown.block(id),
    masterchainBlock: (seqno) => shown.masterchainBlock(seqno),
    lastKeyBlock: (upTo) => shown.lastKeyBlock(upTo),
    nextKeyBlock: (from) => shown.nextKeyBlock(from),
    find: (place, by, value) => shown.find(place, by, value),
    firstSeqno: (place) => shown.firstSeqno(place),
    open: (block) => shown.open(block),
    state: (id) => shown.state(id),
    zeroStateBytes: (id) => shown.zeroStateBytes(id),
    signatures: (id) => shown.signatures(id),
    onHead(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
