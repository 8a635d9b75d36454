import type { BlockId } from '../../chain/block-id.ts';
import { iterateTransactions } from '../../chain/tlb/account-blocks.ts';
import { readBlockExtra, readBlockRoot } from '../../chain/tlb/block.ts';
import { lookUp, walkDictionary } from '../../chain/tlb/dictionary.ts';
import { readOutMsgQueueInfo } from '../../chain/tlb/queues.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import { readTransaction } from '../../chain/tlb/transaction.ts';
import { bytesKey, type HashKey } from '../../lib/bytes-key.ts';
import { knownBlock } from '../lite-server/methods/stored-blocks.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { headShards, headState } from '../store/head-state.ts';

/** Messages that an account sent in a block. */
export type SentMessages = Readonly<ReturnType<typeof readSentMessages>>;

const QUEUE_KEY_BITS = 352;
const QUEUE_HASH_AT = (32 + 64) / 8;
const ACCOUNT_BITS = 256;

/** Reads which messages an account sent in a block. */
export function readSentMessages(store: ChainStore, block: BlockId, sender: Buffer) {
  const { cells, cell } = knownBlock(store, block);
  const { accountBlocks } = readBlockExtra(cells, readBlockRoot(cells, cell).extra);
  const hashes = new Set<HashKey>();
  for (const transaction of iterateTransactions(cells, accountBlocks, {
    after: { account: sender, lt: 0n },
  })) {
    if (!transaction.account.equals(sender)) break;
    for (const { hash } of readTransaction(cells, transaction.cell, block.workchain).outMessages)
      hashes.add(bytesKey(hash));
  }
  return {
    sender,
    hashes,
  };
}

/** Whether one of the messages is still in a queue at the head. */
export function areUnderWay(store: ChainStore, messages: SentMessages): boolean {
  const head = headState(store);
  return [head.id, ...headShards(head)].some((id) => isQueuedIn(store, id, messages));
}

function isQueuedIn(store: ChainStore, id: BlockId, { sender, hashes }: SentMessages): boolean {
  const tree = store.state(id);
  if (typeof tree !== 'object') return false;
  const { cells, cell } = tree;
  const { outQueue, extra } = readOutMsgQueueInfo(cells, readShardState(cells, cell).outMsgQueueInfo);
  // A sender whose messages are deferred has an entry until all of them are in the queue.
  if (lookUp(cells, extra?.dispatchQueue ?? -1, ACCOUNT_BITS, sender) !== undefined) return true;
  let isQueued = false;
  walkDictionary(cells, outQueue, QUEUE_KEY_BITS, (key) => {
    isQueued ||= hashes.has(bytesKey(key.subarray(QUEUE_HASH_AT)));
  });
  return isQueued;
}
