import type { Slice } from '../../chain/boc/slice.ts';
import type { ActionColumns } from './action.ts';
import type { EventNode } from './event-tree.ts';
import type { MessageFacts } from './trace-facts.ts';

/** What a block carries beside its place in the tree. */
export interface BlockContent<Data = unknown> {
  /** The block's own name; the action's type unless `describe` says another. */
  readonly type: string;
  /** What later rules read of it. */
  readonly data: Data;
  readonly failed?: boolean;
  /** The columns of the action, asked for only when the block becomes one. May throw: the trace then falls back. */
  describe(block: Block): ActionColumns;
}

/**
 * A part of a trace with one meaning. At first every step of the trace is a block; rules put several into one. Blocks keep
 * the shape of the trace by `previous` and `next`, and what they were made of by `children` and `parent`.
 */
export class Block {
  readonly type: string;
  readonly nodes: EventNode[];
  data: unknown;
  failed: boolean;
  /** Of a call of a contract: the first 32 bits of its body. */
  readonly opcode: number | null | undefined;
  /** Made of something that was only intended. */
  ghost = false;
  previous: Block | undefined;
  next: Block[] = [];
  parent: Block | undefined;
  readonly children: Block[] = [];
  /** Accounts that came to life here. */
  readonly deployed = new Set<string>();
  /** The step that sent the first message. */
  initiating: EventNode | undefined;
  minLt = 0n;
  maxLt = 0n;
  minUtime = 0;
  maxUtime = 0;
  /** Where the block stands among those it is put together with. */
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

  /** True for a plain call of a contract with one of these first 32 bits. */
  calls(...opcodes: readonly number[]): boolean {
    return this.type === 'call_contract' && typeof this.opcode === 'number' && opcodes.includes(this.opcode);
  }

  /** A new cursor behind the 32 bits of the opcode of the first step's body. */
  bodyAfterOpcode(): Slice {
    const slice = this.node.body();
    slice.skip(32);
    return slice;
  }

  describe(): ActionColumns {
    return this.#describe(this);
  }

  /** The block that this one has become a part of, or itself. */
  topmost(): Block {
    let block: Block = this;
    while (block.parent) block = block.parent;
    return block;
  }

  connect(next: Block): void {
    this.next.push(next);
    next.previous = this;
  }

  /** Takes the bounds of lt and time from the steps. */
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

  /** All blocks from here on, nearest first. Follows the tree as it is at each step, so that rules may change it. */
  *walk(): Generator<Block> {
    const queue: Block[] = [this];
    for (let at = 0; at < queue.length; at++) {
      const block = queue[at]!;
      yield block;
      queue.push(...block.next);
    }
  }
}
