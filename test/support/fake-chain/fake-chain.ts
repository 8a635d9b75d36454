import { createHash } from 'node:crypto';
import { type BlockId, MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../../../src/chain/block-id.ts';

/** A masterchain without content: its blocks are names, and the state of an account is a digest of both. */
export interface FakeChain {
  readonly zeroState: BlockId;
  /** Number of the newest block. */
  readonly seqno: number;
  block(seqno: number): BlockId;
  /** Whether a block is one of this chain's. */
  has(block: BlockId): boolean;
  stateOf(account: Buffer, block: BlockId): Buffer;
  /** Adds blocks. */
  grow(count?: number): void;
  /** Resolves when the chain grows the next time. */
  grown(): Promise<void>;
}

/** Makes a chain with some blocks; another `name` gives other blocks. */
export function createFakeChain(seqno: number, name = 'chain'): FakeChain {
  let head = seqno;
  let next = Promise.withResolvers<void>();
  const digest = (...parts: (string | Buffer)[]) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  const block = (number: number): BlockId => ({
    workchain: MASTERCHAIN,
    shard: WHOLE_SHARD,
    seqno: number,
    rootHash: digest(`${name} root ${number}`),
    fileHash: digest(`${name} file ${number}`),
  });
  return {
    zeroState: block(0),
    get seqno() {
      return head;
    },
    block,
    has: (id) => id.seqno <= head && sameBlock(id, block(id.seqno)),
    stateOf: (account, { rootHash }) => digest(account, rootHash),
    grow(count = 1) {
      head += count;
      next.resolve();
      next = Promise.withResolvers<void>();
    },
    grown: () => next.promise,
  };
}
