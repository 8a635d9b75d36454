import { createHash } from 'node:crypto';
import { beginCell, type Cell, type Message } from '@ton/core';
import type { BuiltTransaction } from '../../support/chain-builder/accounts.ts';
import { type BlockParts, buildBlock } from '../../support/chain-builder/block.ts';
import type { BlockRef } from '../../support/chain-builder/cells.ts';
import type { ShardTop } from '../../support/chain-builder/states.ts';
import { DESCRIPTIONS, MESSAGES, transactionCell, transactionOf } from './transaction-samples.ts';

export const WHOLE = -(2n ** 63n);
const START_LT = 1_000_000n;

/** A block to refer to, told from others by a number. */
export function blockRef(workchain: number, shard: bigint, seqno: number): BlockRef {
  const [rootHash, fileHash] = [Buffer.alloc(32, seqno), Buffer.alloc(32, seqno + 1)];
  return { id: { workchain, shard, seqno, rootHash, fileHash }, endLt: BigInt(seqno) * 1000n };
}

/** The newest block of a shard. */
export function shardTop(workchain: number, shard: bigint, seqno: number): ShardTop {
  return { ...blockRef(workchain, shard, seqno), startLt: BigInt(seqno) * 1000n - 10n, utime: 1_700_000_000 };
}

/** Transactions of several accounts with messages of all kinds. */
export function sampleTransactions(accounts: number, perAccount: number): BuiltTransaction[] {
  const descriptions = Object.values(DESCRIPTIONS);
  return Array.from({ length: accounts * perAccount }, (_, i) => {
    const lt = START_LT + BigInt(i);
    const messages = Object.values(MESSAGES).map((message) => withOwnBody(message, lt));
    const [received, sent] = [messages[i % messages.length]!, messages[(i + 1) % messages.length]!];
    const description = descriptions[i % descriptions.length]!;
    const cell = transactionCell(
      transactionOf(description, {
        in: received,
        out: [sent, received, messages.at(-1)!].slice(0, i % 4),
        lt,
      }),
    );
    return { account: { workchain: 0, hash: accountHash(i % accounts) }, lt, hash: cell.hash(), cell };
  });
}

/** The same message with another body, so that no two transactions share their cells. */
function withOwnBody(message: Message, lt: bigint): Message {
  const { bits, refs } = message.body;
  const child = beginCell().storeUint(lt, 64);
  return {
    ...message,
    body: beginCell()
      .storeBits(bits)
      .storeRef(refs[0] ?? child)
      .storeRef(child)
      .endCell(),
  };
}

/** Accounts that are spread as real ones are. */
function accountHash(n: number): Buffer {
  return createHash('sha256').update(`account ${n}`).digest();
}

/** A block of the basechain with transactions, or with other parts. */
export function sampleBlock(transactions: readonly BuiltTransaction[], parts: Partial<BlockParts> = {}) {
  return buildBlock({
    workchain: 0,
    shard: WHOLE,
    seqno: 42,
    utime: 1_700_000_000,
    startLt: START_LT,
    endLt: START_LT + 100n,
    prev: [blockRef(0, WHOLE, 41)],
    masterRef: blockRef(-1, WHOLE, 77),
    oldState: stateCell(1),
    newState: stateCell(2),
    transactions,
    ...parts,
  });
}

/** A masterchain block with shards; a key block if it has a configuration. */
export function sampleMasterBlock(
  shards: readonly ShardTop[],
  config: ReadonlyMap<number, Cell> = new Map(),
) {
  return sampleBlock([], {
    workchain: -1,
    masterRef: undefined,
    keyBlock: config.size > 0,
    masterchain: { shards, config },
  });
}

const stateCell = (n: number): Cell => beginCell().storeUint(n, 16).storeRef(beginCell()).endCell();
