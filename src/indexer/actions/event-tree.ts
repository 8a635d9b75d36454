import { readBoc } from '../../chain/boc/read-boc.ts';
import { Slice } from '../../chain/boc/slice.ts';
import type { MessageFacts, TransactionFacts } from './trace-facts.ts';

/** A step of a trace: a message together with the transaction it caused, or one that left the chain. */
export class EventNode {
  /** Undefined for a tick-tock transaction, which nothing asked for. */
  readonly message: MessageFacts | undefined;
  /** The transaction that received the message; of one that left the chain the transaction that sent it. */
  readonly transaction: TransactionFacts;
  /** An intended step that never happened: a message inside a refused external one. */
  readonly ghost: boolean;
  parent: EventNode | undefined;
  readonly children: EventNode[] = [];
  failed: boolean;
  #body: Slice | undefined;

  constructor(message: MessageFacts | undefined, transaction: TransactionFacts, ghost = false) {
    this.message = message;
    this.transaction = transaction;
    this.ghost = ghost;
    this.failed = ghost || transaction.aborted;
    if (message && message.body === undefined)
      throw new Error(`the body of message ${message.hash} is missing`);
  }

  /** When the message was made; for one from outside and for tick-tock the transaction's own time. */
  get lt(): bigint {
    return this.message?.createdLt ?? this.transaction.lt;
  }

  get utime(): number {
    return this.message?.createdAt ?? this.transaction.now;
  }

  /** What names the step: the message's hash, or for tick-tock the transaction's. */
  get hash(): string {
    return this.message?.hash ?? this.transaction.hash;
  }

  /** A new cursor at the start of the message's body; throws a CellFault where that is no bag of cells. */
  body(): Slice {
    if (!this.#body) {
      const bag = readBoc(this.message?.body ?? Buffer.alloc(0));
      this.#body = new Slice(bag, bag.root);
    }
    return this.#body.clone();
  }

  add(child: EventNode): void {
    this.children.push(child);
    child.parent = this;
  }
}

/** Builds the tree of a trace and returns its root. Throws where a message has no transaction in it. */
export function buildEventTree(transactions: readonly TransactionFacts[]): EventNode {
  const newestFirst = transactions.toSorted((a, b) => (a.lt < b.lt ? 1 : a.lt > b.lt ? -1 : 0));
  const byMessage = new Map<string, EventNode>();
  let last: EventNode | undefined;
  for (const transaction of newestFirst) {
    const message = transaction.tickTock ? undefined : transaction.inMessage;
    const node = new EventNode(message, transaction);
    if (transaction.inMessage) byMessage.set(transaction.inMessage.hash, node);
    for (const sent of transaction.outMessages) node.add(receiverOf(sent, transaction, byMessage));
    last = node;
  }
  if (!last) throw new Error('the trace has no transactions');
  while (last.parent) last = last.parent;
  return last;
}

function receiverOf(
  sent: MessageFacts,
  transaction: TransactionFacts,
  byMessage: ReadonlyMap<string, EventNode>,
): EventNode {
  if (sent.destination === null) return new EventNode(sent, transaction);
  const receiver = byMessage.get(sent.hash);
  if (!receiver) throw new Error(`the receiver of message ${sent.hash} is not in the trace`);
  return receiver;
}
