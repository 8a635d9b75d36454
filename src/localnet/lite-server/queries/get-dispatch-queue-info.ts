import type { Cells } from '../../../chain/boc/cells.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import type { AccountDispatchQueueInfo } from '../../../chain/tl/dispatch-queues.ts';
import { type AccountDispatchQueue, readOutMsgQueueInfo } from '../../../chain/tlb/out-msg-queue-info.ts';
import { isValidBlockId } from '../block-names.ts';
import { loadBlockAndState } from '../known-blocks.ts';
import { refuse } from '../lite-refusal.ts';
import { stateProofs } from '../proofs/header-proof.ts';
import { ProvenTree } from '../proofs/proven-tree.ts';
import { readState } from '../proofs/state-reading.ts';
import { walkFrom } from '../proofs/walk-from.ts';
import type { Query } from '../query.ts';

const WITH_PROOF = 1;
const MAX_ACCOUNTS = 64;
const ACCOUNT_BITS = 256;
const LT_BITS = 64;
const SIZE_BITS = 48;
const FIRST_KEY = Buffer.alloc(32);

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
  const start = { key: afterAddr ?? FIRST_KEY, inclusive: afterAddr === undefined, reverse: false };
  const complete =
    extra === undefined ||
    extra.dispatchQueue < 0 ||
    walkFrom(new Slice(cells, extra.dispatchQueue), ACCOUNT_BITS, start, (addr, value) => {
      // Only after one more is found, the list is known to go on.
      if (queues.length === limit) return false;
      queues.push({ addr: Buffer.from(addr), ...describe(cells, readQueue(value)) });
      return true;
    });
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
  let found = 0n;
  const start = { key: Buffer.alloc(8, reverse ? 0xff : 0), inclusive: true, reverse };
  if (messages >= 0)
    walkFrom(new Slice(cells, messages), LT_BITS, start, (lt) => {
      found = lt.readBigInt64BE();
      return false;
    });
  return found;
}
