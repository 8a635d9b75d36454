import { MASTERCHAIN } from '../../chain/block-id.ts';
import { byTime, startAfter } from '../../chain/logical-time.ts';
import { accountPrefix, shardContains } from '../../chain/shard-prefix.ts';
import type { ShardIdent } from '../../chain/tlb/shard-ident.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import type { TraceTransactions } from './trace-transactions.ts';
import type { WaitingMessage } from './waiting-message.ts';

/** What a block of a shard gets to deliver: from others, in the order of messages, and from outside. */
interface Block {
  readonly shard: ShardIdent;
  readonly messages: WaitingMessage[];
}

/** Accounts that are read from the chain at a time. */
const READ_AHEAD = 16;

/**
 * Delivers messages, and all that follow from them, as a chain does after a masterchain block that ends at a logical
 * time. In each step every shard makes a block: it takes in what was sent to it in steps before, then delivers what its
 * transactions send to its own accounts. Last comes the masterchain, which sees what the shards sent in this step.
 */
export async function deliverAll(
  transactions: TraceTransactions,
  start: readonly WaitingMessage[],
  lt: bigint,
): Promise<void> {
  let endLt = lt;
  for (let waiting = start; waiting.length > 0; ) {
    const startLt = startAfter(endLt);
    const shards = await makeBlocks(transactions, waiting.filter(isForShard), startLt);
    const topLt = startAfter(shards.endLt);
    const forTop = [...waiting, ...shards.leaving].filter((message) => !isForShard(message));
    const top = await makeBlocks(transactions, forTop, topLt);
    endLt = top.endLt;
    waiting = [...shards.leaving.filter(isForShard), ...top.leaving];
  }
}

function isForShard({ to }: WaitingMessage): boolean {
  return to.workchain !== MASTERCHAIN;
}

/** Makes the blocks of all shards that messages go to; gives what they send to others, and when the last of them ends. */
async function makeBlocks(
  transactions: TraceTransactions,
  messages: readonly WaitingMessage[],
  startLt: bigint,
): Promise<{ leaving: readonly WaitingMessage[]; endLt: bigint }> {
  const leaving: WaitingMessage[] = [];
  // Also a block of nothing takes some logical time.
  let endLt = startLt + 1n;
  for (const block of await blocksFor(transactions, messages)) {
    const fresh: WaitingMessage[] = [];
    const deliver = async (message: WaitingMessage, earliestLt: bigint): Promise<void> => {
      const delivered = await transactions.deliver(message, earliestLt);
      if (delivered.endLt > endLt) endLt = delivered.endLt;
      for (const sent of delivered.sent) put(transactions, holds(block.shard, sent) ? fresh : leaving, sent);
      for (const { to } of [fresh, leaving].flatMap((queue) => queue.slice(0, READ_AHEAD)))
        void transactions.open(to);
    };
    for (const message of block.messages.sort(byTime)) await deliver(message, startLt + 1n);
    for (let message = fresh.shift(); message !== undefined; message = fresh.shift())
      await deliver(message, (message.lt > startLt ? message.lt : startLt) + 1n);
  }
  return { leaving, endLt };
}

async function blocksFor(
  transactions: TraceTransactions,
  messages: readonly WaitingMessage[],
): Promise<Block[]> {
  const blocks = new Map<string, Block>();
  const accounts = await mapInOrder(messages, READ_AHEAD, ({ to }) => transactions.open(to));
  for (const [i, { shard }] of accounts.entries()) {
    const name = `${shard.workchain}:${shard.shard}`;
    const block = blocks.get(name) ?? { shard, messages: [] };
    block.messages.push(messages[i]!);
    blocks.set(name, block);
  }
  return [...blocks.values()];
}

function holds({ workchain, shard }: ShardIdent, { to }: WaitingMessage): boolean {
  return to.workchain === workchain && shardContains(shard, accountPrefix(to.hash));
}

/** Puts a message in its place. Those for which no transaction is left in any case are not kept. */
function put(transactions: TraceTransactions, queue: WaitingMessage[], message: WaitingMessage): void {
  const at = queue.findLastIndex((other) => byTime(other, message) <= 0) + 1;
  queue.splice(at, 0, message);
  if (queue.length <= transactions.left) return;
  queue.pop();
  transactions.bound ??= 'transactions';
}
