import { shardsAround } from '../../chain/shard-prefix.ts';
import type { AccountPrefix, LookUpKey, StoredBlock } from './chain-store.ts';

/** Finds blocks by their place, and by time in the shards around an account. */
export class BlockIndex {
  /** The blocks of each shard by seqno. Logical time and time grow with it. */
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
    for (const shard of shardsAround(prefix)) {
      const block = this.#firstFrom(workchain, shard, by, value);
      if (block !== undefined && (found === undefined || block.id.seqno < found.id.seqno)) found = block;
    }
    return by === 'seqno' && found !== undefined && BigInt(found.id.seqno) !== value ? undefined : found;
  }

  firstSeqno({ workchain, prefix }: AccountPrefix): number | undefined {
    for (const shard of shardsAround(prefix)) {
      const first = this.#shards.get(keyOf(workchain, shard))?.[0];
      if (first !== undefined) return first.id.seqno;
    }
    return undefined;
  }

  /** The first block of a shard from a value on. */
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
