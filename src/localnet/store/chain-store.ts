import { LRUCache } from 'lru-cache';
import {
  type BlockId,
  MASTERCHAIN,
  sameBlock,
  shortBlockName,
  WHOLE_SHARD,
  type ZeroStateId,
} from '../../chain/block-id.ts';
import { type CellBag, readBoc } from '../../chain/boc/bag.ts';
import type { CellRef, Cells } from '../../chain/boc/cells.ts';
import { CellArena } from '../../chain/state/arena.ts';
import { applyMerkleUpdate } from '../../chain/state/merkle-updates.ts';
import type { SignatureSet } from '../../chain/tl/signatures.ts';
import { readStateUpdate } from '../../chain/tlb/block.ts';
import { joinStates } from '../../chain/tlb/shard-state.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { type AccountPrefix, BlockIndex, type LookUpKey, type StoredBlock } from './block-index.ts';
import {
  type NewBlock,
  type ParsedBlock,
  parseBlock,
  parseZeroState,
  shardTops,
  type ZeroState,
} from './parse-block.ts';

export interface OpenBlock extends CellRef {
  readonly id: BlockId;
  /** The original BoC: its hash is the file hash. */
  readonly bytes: Buffer;
}

/**
 * The blocks and states of a network up to its newest masterchain block. Only whole steps are seen: a masterchain
 * block is there together with all shard blocks it names, and with the states after them.
 */
export interface ChainStore {
  /** Zero state of the masterchain. */
  readonly zeroState: ZeroStateId;
  /** Those of all workchains. */
  readonly zeroStates: readonly BlockId[];
  /** Newest masterchain block; the zero state while there is none. */
  readonly head: BlockId;
  /**
   * Shard blocks of the next step, which validators have signed and no masterchain block refers to yet. They are found by
   * their whole id only, and may never become a part of the chain.
   */
  readonly signed: readonly BlockId[];

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
  zeroStateBytes(id: BlockId): Buffer | undefined;
  /** Validator signatures of a masterchain block, where known. */
  signatures(id: BlockId): SignatureSet | undefined;

  /** Calls back after each new masterchain block, until the returned function is called. */
  onHead(listener: (head: BlockId) => void): () => void;
}

export interface ChainStoreOptions {
  /** BoCs of all workchains. */
  readonly zeroStates: readonly Buffer[];
  /** Memory for states; older ones are dropped when it is used up. */
  readonly maxStateBytes?: number;
  /** Memory for the cells of recently used blocks. */
  readonly maxBlockBytes?: number;
}

/** One step of a chain: a masterchain block and its new shard blocks, each after its predecessors. */
export interface ChainStep {
  readonly masterchain: NewBlock;
  readonly shards: readonly NewBlock[];
}

export interface WritableChainStore extends ChainStore {
  /** Adds a whole step; throws and adds nothing if it does not continue the chain. */
  append(step: ChainStep): void;
  /** Shows the shard blocks of the next step as signed, in place of those before; the next step drops them. */
  showSigned(shards: readonly NewBlock[]): void;
  /** Whether the chain can go back to a masterchain block: the states after it must still be there. */
  canRewind(seqno: number): boolean;
  /** Removes all blocks after a masterchain block, without telling the listeners. */
  rewind(seqno: number): void;
}

const MEBIBYTE = 2 ** 20;
const MAX_STATE_BYTES = 128 * MEBIBYTE;
const MAX_BLOCK_BYTES = 16 * MEBIBYTE;

/** Creates a memory store with only the zero states. */
export function createChainStore({
  zeroStates,
  maxStateBytes = MAX_STATE_BYTES,
  maxBlockBytes = MAX_BLOCK_BYTES,
}: ChainStoreOptions): WritableChainStore {
  const index = new BlockIndex<NewBlock['load']>();
  /** Cells of recently used blocks by root hash; others are loaded on demand. */
  const bags = new LRUCache<string, CellBag>({
    maxSize: maxBlockBytes,
    sizeCalculation: ({ bytes, tableBytes }) => bytes.length + tableBytes,
  });
  const states = new StateStore(maxStateBytes);
  /** By masterchain seqno. */
  const signatures: NewBlock['signatures'][] = [];
  const listeners = new Set<(head: BlockId) => void>();
  let signed: readonly { readonly stored: StoredBlock; readonly load: NewBlock['load'] }[] = [];
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

  function open({ id }: StoredBlock): OpenBlock {
    let bag = bags.get(bytesKey(id.rootHash));
    if (bag === undefined) {
      const load = index.source(id) ?? findSigned(id)?.load;
      if (load === undefined) throw new Error(`block ${shortBlockName(id)} is of another store`);
      bag = readBoc(load());
      bags.set(bytesKey(id.rootHash), bag);
    }
    return { id, cells: bag, cell: bag.root, bytes: bag.bytes };
  }

  function zeroState(id: BlockId): ZeroState | undefined {
    return zeros.find((zero) => sameBlock(zero.id, id));
  }

  function findSigned(id: BlockId) {
    return signed.find(({ stored }) => sameBlock(stored.id, id));
  }

  function showSigned(shards: readonly NewBlock[]): void {
    states.remove(signed.map(({ stored }) => stored.id));
    signed = shards.map((part) => {
      const block = parseBlock(part.load());
      states.addAfter(block, part.state);
      const { endLt, genUtime } = block.info;
      return { stored: { id: block.id, endLt, genUtime, masterchainSeqno: head.seqno + 1 }, load: part.load };
    });
  }

  function append(step: ChainStep): void {
    const parsed = [...step.shards, step.masterchain].map((part) => ({
      part,
      block: parseBlock(part.load()),
    }));
    const all = parsed.map((entry) => entry.block);
    const masterchain = all.at(-1)!;
    const tops = checkStep(all);
    showSigned([]);
    for (const { part, block: added } of parsed) states.addAfter(added, part.state);
    for (const { part, block: added } of parsed) {
      const { endLt, genUtime } = added.info;
      const stored = { id: added.id, endLt, genUtime, masterchainSeqno: masterchain.id.seqno };
      index.add(stored, part.load);
      bags.set(bytesKey(added.id.rootHash), added.bag);
    }
    signatures[masterchain.id.seqno] = step.masterchain.signatures;
    if (masterchain.info.keyBlock) keyBlocks.push(masterchain.id);
    states.tidy([masterchain.id, ...tops]);
    head = masterchain.id;
    for (const listener of [...listeners]) listener(head);
  }

  /** Throws unless all blocks build on known ones and the last, a masterchain block, references only known ones. */
  function checkStep(all: readonly ParsedBlock[]): BlockId[] {
    const fresh: BlockId[] = [];
    const isStored = (id: BlockId): boolean =>
      index.get(id) !== undefined ||
      zeroState(id) !== undefined ||
      fresh.some((existing) => sameBlock(existing, id));
    const check = (of: BlockId, named: readonly BlockId[]): void => {
      const missing = named.find((id) => !isStored(id));
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

  /** A masterchain block and the newest blocks of all shards at it. */
  function topsAt(seqno: number): BlockId[] | undefined {
    const block = index.at(MASTERCHAIN, WHOLE_SHARD, seqno);
    return block && [block.id, ...shardTops({ bag: open(block).cells as CellBag })];
  }

  function rewind(seqno: number): void {
    const newHead = index.at(MASTERCHAIN, WHOLE_SHARD, seqno);
    if (newHead === undefined) throw new Error(`there is no masterchain block ${seqno}`);
    showSigned([]);
    states.remove(index.cutAfter(seqno));
    bags.clear();
    signatures.length = seqno + 1;
    keyBlocks.splice(keyBlocks.findLastIndex((block) => block.seqno <= seqno) + 1);
    head = newHead.id;
  }

  return {
    zeroState: masterchainZero.id,
    zeroStates: zeros.map(({ id }) => id),
    get head() {
      return head;
    },
    get signed() {
      return signed.map(({ stored }) => stored.id);
    },
    block: (id) => index.get(id) ?? findSigned(id)?.stored,
    masterchainBlock: (seqno) => index.at(MASTERCHAIN, WHOLE_SHARD, seqno),
    lastKeyBlock: (upTo) => keyBlocks.findLast(({ seqno }) => seqno <= upTo) ?? keyBlocks[0]!,
    nextKeyBlock: (from) => keyBlocks.find(({ seqno }) => seqno >= from),
    find: (place, by, value) => index.find(place, by, value),
    firstSeqno: (place) => index.firstSeqno(place),
    open,
    state(id) {
      const isStored =
        index.get(id) !== undefined || findSigned(id) !== undefined || zeroState(id) !== undefined;
      return isStored ? (states.get(id) ?? 'gone') : undefined;
    },
    zeroStateBytes: (id) => zeroState(id)?.bytes,
    signatures: (id) => (index.get(id) === undefined ? undefined : signatures[id.seqno]?.()),
    onHead(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    append,
    showSigned,
    canRewind: (seqno) => topsAt(seqno)?.every((id) => states.get(id) !== undefined) ?? false,
    rewind,
  };
}

/** Creates a store that delegates to another one, which can be replaced while in use; its listeners stay. */
export function createSwitchableStore(first: ChainStore) {
  const listeners = new Set<(head: BlockId) => void>();
  const notify = (head: BlockId): void => {
    for (const listener of [...listeners]) listener(head);
  };
  let shown = first;
  let stop = first.onHead(notify);
  const own = {
    show(store: ChainStore): void {
      stop();
      shown = store;
      stop = store.onHead(notify);
      notify(store.head);
    },
    onHead(listener: (head: BlockId) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const get = (_: object, name: string) => Reflect.get(name in own ? own : shown, name);
  return new Proxy(own, { get }) as typeof own & ChainStore;
}

const SPARE_BYTES = 2 ** 20;

/**
 * The states after all blocks in one arena, where they share what no block between them changed. When they take too
 * much room the older half of them is forgotten.
 */
class StateStore {
  readonly #arena = new CellArena();
  /** Roots by block id, in the order of arrival. */
  readonly #roots = new Map<string, number>();
  #maxBytes: number;
  /** Memory after the last compaction. */
  #compactBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(id: BlockId, cells: Cells, root: number): void {
    this.#set(id, this.#arena.add(cells, root));
  }

  /** Adds the state after a block: by its update, as given, or not at all. */
  addAfter(block: ParsedBlock, given: NewBlock['state']): void {
    if (given === undefined) this.#set(block.id, this.#apply(block));
    else if (given !== 'none') this.#addGiven(block, readBoc(given));
  }

  get(id: BlockId): CellRef | undefined {
    const root = this.#roots.get(shortBlockName(id));
    return root === undefined ? undefined : { cells: this.#arena, cell: root };
  }

  /** Drops old states if there are too many, but never those of `needed`. All cell numbers change then. */
  tidy(needed: readonly BlockId[]): void {
    if (this.#arena.memory <= this.#maxBytes) return;
    const names = new Set(needed.map(shortBlockName));
    let toForget = this.#roots.size >> 1;
    for (const name of this.#roots.keys()) {
      if (toForget === 0) break;
      if (names.has(name)) continue;
      this.#roots.delete(name);
      toForget--;
    }
    this.#compact();
    // A state that is itself this large would be copied after each block.
    this.#maxBytes = Math.max(this.#maxBytes, 2 * this.#arena.memory);
  }

  /** Forgets states that the chain went back from. Their cells go when they take as much room as all others. */
  remove(ids: readonly BlockId[]): void {
    for (const id of ids) this.#roots.delete(shortBlockName(id));
    if (this.#arena.memory > 2 * this.#compactBytes + SPARE_BYTES) this.#compact();
  }

  /** Applies the update of a block to the state after the blocks before, which are two where shards merge. */
  #apply({ id, previous, bag, stateUpdate }: ParsedBlock): number {
    const [first, second] = previous.map((block) => this.#rootOf(block));
    const old = second === undefined ? first! : joinStates(this.#arena, first!, second);
    const root = applyMerkleUpdate(this.#arena, old, bag, stateUpdate);
    if (!this.#arena.isComplete(root))
      throw new Error(
        `the update of block ${shortBlockName(id)} leaves out parts of the state that are not known`,
      );
    return root;
  }

  #addGiven({ id, bag, stateUpdate }: ParsedBlock, state: CellBag): void {
    if (!state.hash(state.root).equals(readStateUpdate(bag, stateUpdate).newHash))
      throw new Error(`block ${shortBlockName(id)} leads to another state than the given one`);
    this.add(id, state, state.root);
  }

  #compact(): void {
    const roots = this.#arena.compact([...this.#roots.values()]);
    for (const [i, name] of [...this.#roots.keys()].entries()) this.#roots.set(name, roots[i]!);
    this.#compactBytes = this.#arena.memory;
  }

  #set(id: BlockId, root: number): void {
    this.#roots.set(shortBlockName(id), root);
  }

  #rootOf(id: BlockId): number {
    const state = this.get(id);
    if (state === undefined) throw new Error(`the state after block ${shortBlockName(id)} is not known`);
    return state.cell;
  }
}
