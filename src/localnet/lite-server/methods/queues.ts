import { WHOLE_SHARD } from '../../../chain/block-id.ts';
import type { Cells } from '../../../chain/boc/cells.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import { shardsIntersect } from '../../../chain/shards.ts';
import { dictionaryEntries, walkDictionary } from '../../../chain/tlb/dictionary.ts';
import {
  type AccountDispatchQueue,
  readAccountDispatchQueue,
  readOutMsgQueueInfo,
} from '../../../chain/tlb/queues.ts';
import { type AccountDispatchQueueInfo, QUEUE_WITH_PROOF } from '../../../lite/methods/queues.ts';
import { headQueues } from '../../store/head-state.ts';
import { type MethodHandlers, refuse } from './method-context.ts';
import { ProvenTree, readState, stateProofs } from './proofs.ts';
import { isValidFullBlockId, loadBlockAndState } from './stored-blocks.ts';

export const queueMethods = {
  /** How many messages wait in the out-queue of a shard after a block. */
  getBlockOutMsgQueueSize({ store }, { mode, id }) {
    if (!isValidFullBlockId(id)) refuse('invalid BlockIdExt');
    const block = loadBlockAndState(store, id);
    const tree = new ProvenTree(block.state);
    const { extra } = readOutMsgQueueInfo(tree.cells, readState(tree).state.outMsgQueueInfo);
    if (extra?.outQueueSize === undefined) refuse('no out_msg_queue_size in shard state');
    const proof = mode & QUEUE_WITH_PROOF ? stateProofs(block, tree) : undefined;
    return { mode, id, size: BigInt(extra.outQueueSize), proof };
  },

  /** The sizes of all out-queues at the head, or of those in a shard. */
  getOutMsgQueueSizes({ store }, request) {
    const { workchain, shard = WHOLE_SHARD } = request;
    const shards = headQueues(store)
      .filter(
        ({ id }) =>
          workchain === undefined || (id.workchain === workchain && shardsIntersect(id.shard, shard)),
      )
      .map(({ id, cells, outQueue, outQueueSize }) => ({
        id,
        size: outQueueSize ?? countMessages(cells, outQueue),
      }));
    return { shards, extMsgQueueSizeLimit: SIZE_LIMIT };
  },

  /** Accounts with deferred messages after a block. */
  getDispatchQueueInfo({ store }, request) {
    const { mode, id, afterAddr, maxAccounts } = request;
    if (!isValidFullBlockId(id)) refuse('invalid BlockIdExt');
    if (maxAccounts <= 0) refuse('invalid max_accounts');
    const block = loadBlockAndState(store, id);
    const tree = new ProvenTree(block.state);
    const { cells } = tree;
    const { extra } = readOutMsgQueueInfo(cells, readState(tree).state.outMsgQueueInfo);
    const limit = Math.min(maxAccounts, MAX_ACCOUNTS);
    const queues: AccountDispatchQueueInfo[] = [];
    let complete = true;
    if (extra !== undefined && extra.dispatchQueue >= 0) {
      const root = new Slice(cells, extra.dispatchQueue);
      for (const { key, value } of dictionaryEntries(root, ACCOUNT_BITS, { from: afterAddr })) {
        // The list continues only if one more is found.
        complete = queues.length < limit;
        if (!complete) break;
        queues.push({ addr: Buffer.from(key), ...describe(cells, readAccountDispatchQueue(value)) });
      }
    }
    const proof = mode & QUEUE_WITH_PROOF ? stateProofs(block, tree) : undefined;
    return { mode, id, accountDispatchQueues: queues, complete, proof };
  },
} satisfies Partial<MethodHandlers>;

/** At this size a node accepts no external messages. */
const SIZE_LIMIT = 8000;
const QUEUE_KEY_BITS = 352;

function countMessages(cells: Cells, outQueue: number): number {
  let size = 0;
  walkDictionary(cells, outQueue, QUEUE_KEY_BITS, () => void size++);
  return size;
}

const MAX_ACCOUNTS = 64;
const ACCOUNT_BITS = 256;
const LT_BITS = 64;

function describe(cells: Cells, { messages, count }: AccountDispatchQueue) {
  return { size: BigInt(count), minLt: endOf(cells, messages, false), maxLt: endOf(cells, messages, true) };
}

/** The first or last logical time of a queue. */
function endOf(cells: Cells, messages: number, reverse: boolean): bigint {
  if (messages < 0) return 0n;
  const first = dictionaryEntries(new Slice(cells, messages), LT_BITS, { reverse }).next();
  return first.done === true ? 0n : first.value.key.readBigInt64BE();
}
