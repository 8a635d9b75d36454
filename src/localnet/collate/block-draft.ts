import { MASTERCHAIN } from '../../chain/block-id.ts';
import { compareByLt } from '../../chain/logical-time.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import type { ShardIdent } from '../../chain/tlb/block.ts';
import type { InternalInfo } from '../../chain/tlb/message.ts';
import type { InMsg, MessageMetadata, OutMsg } from '../../chain/tlb/msg-descr.ts';
import type { Vm } from '../../vm/vm.ts';
import { BlockLoad } from './block-load.ts';
import type { MasterchainView } from './masterchain-view.ts';
import type { Neighbour, OpenState } from './open-state.ts';
import { OutQueue } from './out-queue.ts';
import type { EndLtAt } from './processed-upto.ts';
import { BlockAccounts, type MadeTransaction, type NewMessage, TransactionMaker } from './transactions.ts';

/** New messages of a block; the first in the order of messages comes out first. */
export class MessageQueue {
  /** The next one is the last. */
  readonly #messages: NewMessage[] = [];

  push(message: NewMessage): void {
    let low = 0;
    for (let high = this.#messages.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (compareByLt(this.#messages[middle]!, message) > 0) low = middle + 1;
      else high = middle;
    }
    this.#messages.splice(low, 0, message);
  }

  pop(): NewMessage | undefined {
    return this.#messages.pop();
  }

  /** The next messages, in order. */
  next(count: number): NewMessage[] {
    return this.#messages.slice(-count).reverse();
  }
}

export interface DraftInput {
  readonly arena: BuildingArena;
  readonly vm: Vm;
  readonly shard: ShardIdent;
  readonly view: MasterchainView;
  readonly before: OpenState;
  readonly neighbours: readonly Neighbour[];
  readonly endLtAt: EndLtAt;
  /** Unix seconds. */
  readonly now: number;
  readonly startLt: bigint;
  readonly randSeed: Buffer;
}

/** Capabilities of parameter 8. */
const SHORT_DEQUEUE = 32n;
const MESSAGE_METADATA = 128n;
/** Approximate bytes of a transaction and of a message in a block, with descriptors and changed state. */
const TRANSACTION_CELLS_BYTES = 450;
const MESSAGE_CELLS_BYTES = 300;

/** A block under construction: everything its parts are built from in the end. */
export class BlockDraft {
  readonly input: DraftInput;
  readonly accounts: BlockAccounts;
  readonly maker: TransactionMaker;
  readonly queue: OutQueue;
  readonly load: BlockLoad;
  /** Messages of this block that are not delivered or queued yet. */
  readonly fresh = new MessageQueue();
  readonly inMessages = new Map<string, InMsg>();
  readonly outMessages = new Map<string, OutMsg>();
  /** End logical time of the block so far. */
  maxLt: bigint;
  lastDelivered: { readonly lt: bigint; readonly hash: Buffer } | undefined;
  /** Whether all messages of the neighbours' queues have been imported. */
  allImported = false;
  /** Whether new messages must be queued, even those to accounts of this shard. */
  enqueueOnly = false;
  /** Nanotons sent to the blackhole account. */
  burned = 0n;
  transactions = 0;

  constructor(input: DraftInput) {
    const { arena, before, view, shard, startLt } = input;
    const { config } = view;
    this.input = input;
    this.accounts = new BlockAccounts(arena, before.accounts);
    this.maker = new TransactionMaker(this.accounts, { ...input, vmContext: view.vmContext });
    this.queue = new OutQueue(arena, before.queue, before.queueSize);
    this.load = new BlockLoad(
      shard.workchain === MASTERCHAIN ? config.masterchainLimits : config.shardLimits,
    );
    this.maxLt = startLt + 1n;
  }

  get isMasterchain(): boolean {
    return this.input.shard.workchain === MASTERCHAIN;
  }

  get shortDequeue(): boolean {
    return (this.input.view.config.capabilities & SHORT_DEQUEUE) !== 0n;
  }

  addIn(hash: Buffer, message: InMsg): void {
    add(this.inMessages, hash, message);
  }

  addOut(hash: Buffer, message: OutMsg): void {
    add(this.outMessages, hash, message);
  }

  note(made: MadeTransaction, metadata: MessageMetadata | undefined, countsGas: boolean): void {
    const { startLt, view } = this.input;
    const withMetadata = (view.config.capabilities & MESSAGE_METADATA) !== 0n;
    for (const message of made.messages)
      this.fresh.push({ ...message, metadata: withMetadata ? metadata : undefined });
    this.load.addWaiting(made.messages.length);
    const bytes = TRANSACTION_CELLS_BYTES + made.messages.length * MESSAGE_CELLS_BYTES;
    this.load.addTransaction(bytes, countsGas ? made.gasUsed : 0, Number(made.endLt - startLt));
    if (made.endLt > this.maxLt) this.maxLt = made.endLt;
    this.transactions++;
  }

  /** Records a delivered message; later ones must follow it in order. */
  delivered(lt: bigint, hash: Buffer): void {
    const last = this.lastDelivered;
    if (last !== undefined && (last.lt > lt || (last.lt === lt && last.hash.compare(hash) >= 0)))
      throw new Error('messages would be delivered out of their order');
    this.lastDelivered = { lt, hash };
  }

  /** Records the value a delivered message removes. */
  burn({ dest, value }: InternalInfo): void {
    const { blackhole } = this.input.view.config.burning;
    if (this.isMasterchain && blackhole !== undefined && dest.kind === 'std' && dest.hash.equals(blackhole))
      this.burned += value.grams;
  }
}

function add<Value>(map: Map<string, Value>, hash: Buffer, value: Value): void {
  const name = hash.toString('latin1');
  if (map.has(name)) throw new Error(`message ${hash.toString('hex')} is twice in a block`);
  map.set(name, value);
}
