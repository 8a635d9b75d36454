import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import { shardsContaining } from '../../chain/shards.ts';

/** A block as the index of the store holds it. */
export interface StoredBlock {
  readonly id: BlockId;
  readonly endLt: bigint;
  /** Unix seconds. */
  readonly genUtime: number;
  /** Seqno of the masterchain block that first referenced a shard block; a masterchain block's own seqno. */
  readonly masterchainSeqno: number;
}

/** Key of a look-up. Logical times are unsigned. */
export type LookUpKey = 'seqno' | 'lt' | 'utime';

/** Account prefix: the first 64 bits of an account id, as a signed number. */
export interface AccountPrefix {
  readonly workchain: number;
  readonly prefix: bigint;
}

const HASH_BYTES = 32;
const FIRST_CAPACITY = 64;

/**
 * Finds blocks by id, and by time in the shards around an account. A chain that runs for weeks has millions of blocks, so
 * they are held in columns of numbers instead of objects.
 */
export class BlockIndex<Source> {
  readonly #shards = new Map<string, ShardBlocks<Source>>();

  /** Adds a block that is newer than all others of its shard; `source` is what it is loaded from. */
  add(block: StoredBlock, source: Source): void {
    const { workchain, shard } = block.id;
    const key = keyOf(workchain, shard);
    let blocks = this.#shards.get(key);
    if (blocks === undefined) {
      blocks = new ShardBlocks(workchain, shard);
      this.#shards.set(key, blocks);
    }
    blocks.add(block, source);
  }

  /** Removes the blocks that masterchain blocks after a seqno were the first to reference, and returns their ids. */
  cutAfter(masterchainSeqno: number): BlockId[] {
    const removed: BlockId[] = [];
    for (const [key, blocks] of this.#shards) {
      removed.push(...blocks.cutAfter(masterchainSeqno));
      if (blocks.sources.length === 0) this.#shards.delete(key);
    }
    return removed;
  }

  get(id: BlockId): StoredBlock | undefined {
    const match = this.at(id.workchain, id.shard, id.seqno);
    return match !== undefined && sameBlock(match.id, id) ? match : undefined;
  }

  at(workchain: number, shard: bigint, seqno: number): StoredBlock | undefined {
    const blocks = this.#shards.get(keyOf(workchain, shard));
    const row = blocks?.rowAt(seqno) ?? -1;
    return row < 0 ? undefined : blocks!.block(row);
  }

  source({ workchain, shard, seqno }: BlockId): Source | undefined {
    const blocks = this.#shards.get(keyOf(workchain, shard));
    const row = blocks?.rowAt(seqno) ?? -1;
    return row < 0 ? undefined : blocks!.sources[row];
  }

  find({ workchain, prefix }: AccountPrefix, by: LookUpKey, value: bigint): StoredBlock | undefined {
    let match: StoredBlock | undefined;
    for (const shard of shardsContaining(prefix)) {
      const blocks = this.#shards.get(keyOf(workchain, shard));
      const block = blocks?.block(blocks.firstFrom(by, value));
      if (block !== undefined && (match === undefined || block.id.seqno < match.id.seqno)) match = block;
    }
    return by === 'seqno' && match !== undefined && BigInt(match.id.seqno) !== value ? undefined : match;
  }

  firstSeqno({ workchain, prefix }: AccountPrefix): number | undefined {
    for (const shard of shardsContaining(prefix)) {
      const first = this.#shards.get(keyOf(workchain, shard))?.block(0);
      if (first !== undefined) return first.id.seqno;
    }
    return undefined;
  }
}

/** Blocks of a shard by seqno, which has gaps where the shard was split. Logical time and time grow with it. */
class ShardBlocks<Source> {
  readonly sources: Source[] = [];
  readonly #workchain: number;
  readonly #shard: bigint;
  #seqnos = new Uint32Array(FIRST_CAPACITY);
  #masterchainSeqnos = new Uint32Array(FIRST_CAPACITY);
  #times = new Uint32Array(FIRST_CAPACITY);
  #endLts = new BigUint64Array(FIRST_CAPACITY);
  /** Root hash and file hash of each block. */
  #hashes = Buffer.allocUnsafeSlow(FIRST_CAPACITY * 2 * HASH_BYTES);

  constructor(workchain: number, shard: bigint) {
    this.#workchain = workchain;
    this.#shard = shard;
  }

  add({ id, masterchainSeqno, genUtime, endLt }: StoredBlock, source: Source): void {
    const row = this.sources.length;
    if (row === this.#seqnos.length) this.#grow(row * 2);
    this.#seqnos[row] = id.seqno;
    this.#masterchainSeqnos[row] = masterchainSeqno;
    this.#times[row] = genUtime;
    this.#endLts[row] = endLt;
    const at = row * 2 * HASH_BYTES;
    id.rootHash.copy(this.#hashes, at);
    id.fileHash.copy(this.#hashes, at + HASH_BYTES);
    this.sources.push(source);
  }

  cutAfter(masterchainSeqno: number): BlockId[] {
    const removed: BlockId[] = [];
    while (this.sources.length > 0 && this.#masterchainSeqnos[this.sources.length - 1]! > masterchainSeqno) {
      removed.push(this.block(this.sources.length - 1)!.id);
      this.sources.pop();
    }
    return removed;
  }

  block(row: number): StoredBlock | undefined {
    if (row >= this.sources.length) return undefined;
    const at = row * 2 * HASH_BYTES;
    // A copy: a view would keep the whole column after it has grown.
    const hashes = Buffer.from(this.#hashes.subarray(at, at + 2 * HASH_BYTES));
    return {
      id: {
        workchain: this.#workchain,
        shard: this.#shard,
        seqno: this.#seqnos[row]!,
        rootHash: hashes.subarray(0, HASH_BYTES),
        fileHash: hashes.subarray(HASH_BYTES),
      },
      endLt: this.#endLts[row]!,
      genUtime: this.#times[row]!,
      masterchainSeqno: this.#masterchainSeqnos[row]!,
    };
  }

  /** Row of a seqno, or -1. */
  rowAt(seqno: number): number {
    const row = this.firstFrom('seqno', BigInt(seqno));
    return row < this.sources.length && this.#seqnos[row] === seqno ? row : -1;
  }

  /** Row of the first block from a value on; the number of rows if there is none. */
  firstFrom(by: LookUpKey, value: bigint): number {
    const column = { seqno: this.#seqnos, utime: this.#times, lt: this.#endLts }[by];
    let low = 0;
    let high = this.sources.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      // Numbers and bigints can be compared.
      if (column[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #grow(capacity: number): void {
    this.#seqnos = grown(this.#seqnos, new Uint32Array(capacity));
    this.#masterchainSeqnos = grown(this.#masterchainSeqnos, new Uint32Array(capacity));
    this.#times = grown(this.#times, new Uint32Array(capacity));
    const endLts = new BigUint64Array(capacity);
    endLts.set(this.#endLts);
    this.#endLts = endLts;
    const hashes = Buffer.allocUnsafeSlow(capacity * 2 * HASH_BYTES);
    this.#hashes.copy(hashes);
    this.#hashes = hashes;
  }
}

function grown(from: Uint32Array, to: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  to.set(from);
  return to;
}

function keyOf(workchain: number, shard: bigint): string {
  return `${workchain},${shard}`;
}
