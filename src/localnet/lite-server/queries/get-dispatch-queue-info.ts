import type { Cells } from '../../../chain/boc/cells.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import type { AccountDispatchQueueInfo } from '../../../chain/tl/dispatch-queues.ts';
import { dictionaryEntries } from '../../../chain/tlb/dictionary-entries.ts';
import { type AccountDispatchQueue, readOutMsgQueueInfo } from '../../../chain/tlb/out-msg-queue-info.ts';
import { isValidBlockId } from '../block-names.ts';
import { loadBlockAndState } from '../known-blocks.ts';
import { refuse } from '../lite-refusal.ts';
import { stateProofs } from '../proofs/header-proof.ts';
import { ProvenTree } from '../proofs/proven-tree.ts';
import { readState } from '../proofs/state-reading.ts';
import type { Query } from '../query.ts';

const WITH_PROOF = 1;
const MAX_ACCOUNTS = 64;
const ACCOUNT_BITS = 256;
const LT_BITS = 64;
const SIZE_BITS = 48;

/** Accounts with deferred messages after a block. */
export const getDispatchQueueInfo: Query<'getDispatchQueueInfo'> = ({ store }, request) => {
  const { mode, id, afterAddr, maxAccounts } = request;
  if (!isValidBlockId(id)) refuse('invalid BlockIdExt');
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
      // Only after one more is found, the list is known to go on.
      complete = queues.length < limit;
      if (!complete) break;
      queues.push({ addr: Buffer.from(key), ...describe(cells, readQueue(value)) });
    }
  }
  const proof = mode & WITH_PROOF ? stateProofs(block, tree) : undefined;
  return { mode, id, accountDispatchQueues: queues, complete, proof };
};

/** Reads the deferred messages of an account; the least logical time in the dictionary comes before them. */
function readQueue(value: Slice): AccountDispatchQueue {
  value.skip(LT_BITS);
  return { messages: value.maybeRef(), count: Number(value.bigUint(SIZE_BITS)) };
}

function describe(
  cells: Cells,
  { messages, count }: AccountDispatchQueue,
): Omit<AccountDispatchQueueInfo, 'addr'> {
  return { size: BigInt(count), minLt: endOf(cells, messages, false), maxLt: endOf(cells, messages, true) };
}

/** The first or last logical time of a queue. */
function endOf(cells: Cells, messages: number, reverse: boolean): bigint {
  if (messages < 0) return 0n;
  const first = dictionaryEntries(new Slice(cells, messages), LT_BITS, { reverse }).next();
  return first.done === true ? 0n : first.value.key.readBigInt64BE();
}
