import { readBoc } from '../../chain/boc/bag.ts';
import { Slice } from '../../chain/boc/slice.ts';
import type { ActionColumns } from './action.ts';
import type { MessageFacts, TransactionFacts } from './classifier-input.ts';

/** A step of a trace: a message with the transaction that received it, or an external out message. */
export class EventNode {
  /** Undefined for a tick-tock transaction. */
  readonly message: MessageFacts | undefined;
  /** The transaction that received the message, or that sent the external out message. */
  readonly transaction: TransactionFacts;
  /** An intended step that never happened: a message inside a rejected external message. */
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

  /** When the message was created; for external messages and tick-tock the lt of the transaction. */
  get lt(): bigint {
    return this.message?.createdLt ?? this.transaction.lt;
  }

  get utime(): number {
    return this.message?.createdAt ?? this.transaction.now;
  }

  /** Identifies the step: the hash of the message, or of the tick-tock transaction. */
  get hash(): string {
    return this.message?.hash ?? this.transaction.hash;
  }

  /** A new slice of the message body; throws CellError if it is not a bag of cells. */
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

/** Builds the tree of a trace and returns its root. Throws if the receiver of a message is missing. */
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

/** The message of a contract call. */
export interface Callable {
  readonly opcode: number;
}

export interface BlockContent<Data = unknown> {
  /** Type of the block, and of its action unless `describe` returns another. */
  readonly type: string;
  /** Data for later rules. */
  readonly data: Data;
  readonly failed?: boolean;
  /** The columns of the action, read when the block becomes one. If it throws, the trace gets basic actions only. */
  describe(block: Block): ActionColumns;
}

/**
 * A part of a trace with one meaning. Initially every step of the trace is a block; rules compose several into one.
 * `previous` and `next` keep the shape of the trace, `children` and `parent` the composition.
 */
export class Block {
  readonly type: string;
  readonly nodes: EventNode[];
  data: unknown;
  failed: boolean;
  /** Of a contract call: the opcode of its body. */
  readonly opcode: number | null | undefined;
  /** Contains an intended step that never happened. */
  ghost = false;
  previous: Block | undefined;
  next: Block[] = [];
  parent: Block | undefined;
  readonly children: Block[] = [];
  /** Accounts deployed here. */
  readonly deployed = new Set<string>();
  /** The step that sent the first message. */
  initiating: EventNode | undefined;
  minLt = 0n;
  maxLt = 0n;
  minUtime = 0;
  maxUtime = 0;
  /** Sort key among blocks that are composed. */
  orderLt = 0n;
  readonly #describe: (block: Block) => ActionColumns;

  constructor(content: BlockContent, nodes: readonly EventNode[] = []) {
    this.type = content.type;
    this.data = content.data;
    this.failed = content.failed ?? false;
    this.#describe = content.describe.bind(content);
    this.nodes = [...nodes];
    const [node] = nodes;
    if (!node) return;
    if (content.type === 'call_contract' || content.type === 'contract_deploy')
      this.opcode = node.message?.opcode ?? null;
    this.ghost = node.ghost;
    this.initiating = node.parent;
    this.measure();
    this.orderLt = node.transaction.lt;
    const { origStatus, endStatus, account } = node.transaction;
    if (origStatus !== 'active' && endStatus === 'active') this.deployed.add(account);
  }

  /** The first step. */
  get node(): EventNode {
    const [node] = this.nodes;
    if (!node) throw new Error(`a block of type ${this.type} has no steps`);
    return node;
  }

  /** The message of the first step. */
  get message(): MessageFacts {
    const { message } = this.node;
    if (!message) throw new Error('a tick-tock transaction has no message');
    return message;
  }

  /** Whether this is a contract call with one of these opcodes. */
  calls(...messages: readonly Callable[]): boolean {
    if (this.type !== 'call_contract') return false;
    for (const { opcode } of messages) if (opcode === this.opcode) return true;
    return false;
  }

  /** A new slice of the body of the first step, after the opcode. */
  bodyAfterOpcode(): Slice {
    const slice = this.node.body();
    slice.skip(32);
    return slice;
  }

  describe(): ActionColumns {
    return this.#describe(this);
  }

  /** The outermost block that contains this one, or itself. */
  topmost(): Block {
    let block: Block = this;
    while (block.parent) block = block.parent;
    return block;
  }

  connect(next: Block): void {
    this.next.push(next);
    next.previous = this;
  }

  /** Sets the bounds of lt and time from the steps. */
  measure(): void {
    const first = this.node;
    this.minLt = first.lt;
    this.minUtime = first.utime;
    this.maxLt = first.transaction.lt;
    this.maxUtime = first.transaction.now;
    for (const { lt, utime, transaction } of this.nodes) {
      if (lt < this.minLt) this.minLt = lt;
      if (utime < this.minUtime) this.minUtime = utime;
      if (transaction.lt > this.maxLt) this.maxLt = transaction.lt;
      if (transaction.now > this.maxUtime) this.maxUtime = transaction.now;
    }
    this.orderLt = this.minLt;
  }

  /** All blocks of the subtree, breadth first. Reads the tree lazily, so rules may change it meanwhile. */
  *walk(): Generator<Block> {
    const queue: Block[] = [this];
    for (let at = 0; at < queue.length; at++) {
      const block = queue[at]!;
      yield block;
      queue.push(...block.next);
    }
  }
}

/** Blocks to compose are not connected: the rule does not apply. */
export class DisconnectedBlocks extends Error {
  constructor() {
    super('the blocks are not connected');
  }
}

/**
 * Composes blocks into a new one that replaces them in the tree: it takes over their followers, and the predecessor of
 * the earliest of them.
 */
export function compose<Data>(content: BlockContent<Data>, blocks: readonly Block[]): Block & { data: Data } {
  const members = new Set(blocks);
  const earliest = earliestOf(members);
  const whole = new Block(content);
  for (const member of members) {
    member.parent = whole;
    whole.nodes.push(...member.nodes);
    whole.children.push(member);
    if (member.nodes.some(({ ghost }) => ghost)) whole.ghost = true;
  }
  for (const follower of followersOf(earliest, members)) {
    whole.next.push(follower);
    for (const account of follower.deployed) whole.deployed.add(account);
    follower.previous = whole;
  }
  whole.previous = earliest.previous;
  if (earliest.previous) tidyNext(earliest.previous);
  whole.initiating = earliest.initiating;
  whole.measure();
  return whole as Block & { data: Data };
}

/** The member that all others descend from. */
function earliestOf(members: ReadonlySet<Block>): Block {
  const sorted = [...members].sort((a, b) => Number(a.orderLt - b.orderLt) || rank(a) - rank(b));
  const [earliest] = sorted;
  if (!earliest) throw new DisconnectedBlocks();
  const connected = new Set([earliest]);
  for (const block of sorted) {
    if (connected.has(block) || !block.previous) continue;
    if (!connected.has(block.previous)) throw new DisconnectedBlocks();
    connected.add(block);
  }
  return earliest;
}

/** Order at equal lt: blocks of one in message, then of an external out message, then of several steps. */
function rank(block: Block): number {
  if (block.nodes.length !== 1) return 2;
  const [node] = block.nodes;
  return node!.message && node!.message.destination === null ? 1 : 0;
}

/** The first blocks below the members that are not members themselves. */
function* followersOf(earliest: Block, members: ReadonlySet<Block>): Generator<Block> {
  const queue = [...earliest.next];
  for (let at = 0; at < queue.length; at++) {
    const block = queue[at]!;
    if (members.has(block)) queue.push(...block.next);
    else yield block;
  }
}

/** Replaces the followers of a block by the blocks that contain them now. */
function tidyNext(block: Block): void {
  const next = new Set<Block>();
  const children = new Set(block.children);
  for (const follower of block.next) {
    if (follower !== block && !children.has(follower)) next.add(follower.topmost());
  }
  block.next = [...next];
}

/** Inserts an empty block between a block and some of its followers, so that these have their own parent. */
export function insertBetween(before: Block, followers: readonly Block[]): Block {
  const proxy = new Block({ type: 'empty', data: undefined, describe: () => ({}) });
  const moved = new Set(followers);
  if (followers.some((one) => !before.next.includes(one))) throw new DisconnectedBlocks();
  for (const child of before.children) {
    if (!child.next.some((one) => moved.has(one))) continue;
    child.next = [...child.next.filter((one) => !moved.has(one)), proxy];
  }
  before.next = before.next.filter((one) => !moved.has(one));
  for (const follower of followers) {
    for (const child of follower.children) if (child.previous === follower) child.previous = proxy;
  }
  before.connect(proxy);
  for (const follower of followers) proxy.connect(follower);
  return proxy;
}

/** Content with fixed columns and no data for later rules. */
export function plainContent(type: string, columns: ActionColumns, failed = false): BlockContent<undefined> {
  return { type, data: undefined, failed, describe: () => columns };
}
