import { type AccountId, toAccountBytes } from '../chain/address.ts';
import { MASTERCHAIN } from '../chain/block-id.ts';
import { type CellBag, readBoc } from '../chain/boc/bag.ts';
import { CellError, type Cells } from '../chain/boc/cells.ts';
import { Slice } from '../chain/boc/slice.ts';
import { writeCellBoc } from '../chain/boc/writer.ts';
import { blockStartLtAfter, compareByLt } from '../chain/logical-time.ts';
import { accountPrefix, shardContains } from '../chain/shards.ts';
import type { ShardIdent } from '../chain/tlb/block.ts';
import { type Message, normalizedHash, readMessage } from '../chain/tlb/message.ts';
import { accountOf } from '../chain/tlb/msg-address.ts';
import { readShardAccount } from '../chain/tlb/shard-accounts.ts';
import { readTransaction, type Transaction } from '../chain/tlb/transaction.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { mapInOrder } from '../lib/concurrency.ts';
import type { Payer } from '../lib/payer.ts';
import { type ChainSnapshot, type SnapshotConfig, shardAccountBoc } from '../live/emulation.ts';
import { runWithLibraries } from '../vm/run-with-libraries.ts';
import type { TransactionOutcome } from '../vm/runs.ts';
import type { Vm } from '../vm/vm.ts';
import type {
  EmulatedTransaction,
  EmulationAccounts,
  EmulationBound,
  EmulationRefusal,
} from './pending-traces.ts';

/**
 * Delivers messages and all that follow from them, as a chain does after a masterchain block that ends at a logical
 * time. In each step every shard makes a block: it imports what was sent to it in earlier steps, then delivers what its
 * transactions send to its own accounts. The masterchain comes last and sees what the shards sent in this step.
 */
export async function deliverAll(
  transactions: TraceTransactions,
  start: readonly UndeliveredMessage[],
  lt: bigint,
): Promise<void> {
  let endLt = lt;
  for (let waiting = start; waiting.length > 0; ) {
    const startLt = blockStartLtAfter(endLt);
    const shards = await makeBlocks(transactions, waiting.filter(isForShard), startLt);
    const masterLt = blockStartLtAfter(shards.endLt);
    const forMaster = [...waiting, ...shards.outgoing].filter((message) => !isForShard(message));
    const master = await makeBlocks(transactions, forMaster, masterLt);
    endLt = master.endLt;
    waiting = [...shards.outgoing.filter(isForShard), ...master.outgoing];
  }
}

function isForShard({ to }: UndeliveredMessage): boolean {
  return to.workchain !== MASTERCHAIN;
}

/** A block of a shard, with the messages that it imports. */
interface Block {
  readonly shard: ShardIdent;
  readonly messages: UndeliveredMessage[];
}

/** Accounts that are read from the chain at a time. */
const READ_AHEAD = 16;

/** Makes the blocks of all shards that messages go to; returns what they send to others, and when the last of them ends. */
async function makeBlocks(
  transactions: TraceTransactions,
  messages: readonly UndeliveredMessage[],
  startLt: bigint,
): Promise<{ outgoing: readonly UndeliveredMessage[]; endLt: bigint }> {
  const outgoing: UndeliveredMessage[] = [];
  // An empty block takes some logical time too.
  let endLt = startLt + 1n;
  for (const block of await blocksFor(transactions, messages)) {
    const fresh: UndeliveredMessage[] = [];
    const deliver = async (message: UndeliveredMessage, earliestLt: bigint): Promise<void> => {
      const delivered = await transactions.deliver(message, earliestLt);
      if (delivered.endLt > endLt) endLt = delivered.endLt;
      for (const sent of delivered.sent)
        enqueue(transactions, contains(block.shard, sent) ? fresh : outgoing, sent);
      for (const { to } of [fresh, outgoing].flatMap((queue) => queue.slice(0, READ_AHEAD)))
        void transactions.open(to);
    };
    for (const message of block.messages.sort(compareByLt)) await deliver(message, startLt + 1n);
    for (let message = fresh.shift(); message !== undefined; message = fresh.shift())
      await deliver(message, (message.lt > startLt ? message.lt : startLt) + 1n);
  }
  return { outgoing, endLt };
}

async function blocksFor(
  transactions: TraceTransactions,
  messages: readonly UndeliveredMessage[],
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

function contains({ workchain, shard }: ShardIdent, { to }: UndeliveredMessage): boolean {
  return to.workchain === workchain && shardContains(shard, accountPrefix(to.hash));
}

/** Queues a message by logical time. Drops the last one if the trace cannot get that far anyway. */
function enqueue(
  transactions: TraceTransactions,
  queue: UndeliveredMessage[],
  message: UndeliveredMessage,
): void {
  const at = queue.findLastIndex((other) => compareByLt(other, message) <= 0) + 1;
  queue.splice(at, 0, message);
  if (queue.length <= transactions.remaining) return;
  queue.pop();
  transactions.bound ??= 'transactions';
}

/** How far one emulation goes. */
export interface TraceBounds {
  readonly transactions: number;
  /** Length of a chain of messages. */
  readonly depth: number;
  /** Of all transactions together. */
  readonly gas: number;
  /** Of the transactions and account states of the trace. */
  readonly bytes: number;
}

interface TraceOptions {
  readonly vm: Vm;
  readonly snapshot: ChainSnapshot;
  /** Accounts that are newer than the snapshot. */
  readonly account: EmulationAccounts;
  readonly config: SnapshotConfig;
  readonly limits: TraceBounds;
  readonly randSeed: Buffer;
  readonly ignoreSignature: boolean;
  /** On the clock of `performance.now`. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  /** Who the runs are charged to; undefined for work of our own. */
  readonly payer: Payer | undefined;
}

/** Stops an emulation before all messages are delivered. */
export class EmulationStopped extends Error {
  readonly reason: EmulationBound | EmulationRefusal;

  constructor(reason: EmulationBound | EmulationRefusal) {
    super('emulation stopped');
    this.reason = reason;
  }
}

/** The transactions of a trace, executed one after another within its bounds. */
export class TraceTransactions {
  readonly executed: EmulatedTransaction[] = [];
  /** The first bound that a message exceeded. */
  bound: EmulationBound | undefined;
  vmSeconds = 0;
  readonly #options: TraceOptions;
  readonly #accounts = new Map<string, Promise<AccountState>>();
  #gas = 0;
  #bytes = 0;

  constructor(options: TraceOptions) {
    this.#options = options;
  }

  get remaining(): number {
    return this.#options.limits.transactions - this.executed.length;
  }

  /** Reads an account from the chain, once. */
  open(id: AccountId): Promise<AccountState> {
    const key = bytesKey(toAccountBytes(id));
    let account = this.#accounts.get(key);
    if (account === undefined) {
      account = readAccountState(this.#options, id);
      // One that is read ahead is awaited later; until then a rejection must have a handler.
      account.catch(() => {});
      this.#accounts.set(key, account);
    }
    return account;
  }

  /**
   * Executes the transaction of a message, not before a logical time. Throws EmulationStopped if there is none. Returns
   * the logical time after the transaction and its messages, and the messages to deliver next.
   */
  async deliver(message: UndeliveredMessage, earliestLt: bigint) {
    this.#checkBounds();
    const account = await this.open(message.to);
    const { transaction: boc, shardAccount: after } = await this.#run(message, account, earliestLt);
    const bag = readBoc(boc);
    const transaction = readTransaction(bag, bag.root, message.to.workchain);
    const { lt, outMessages } = transaction;
    // A copy, as of all hashes that are kept: a view would keep the hashes of all cells in memory.
    const hash = Buffer.from(transaction.hash);
    const { boc: before } = account;
    const { to, hash: inMessageHash, parent } = message;
    this.executed.push({ account: to, boc, hash, lt, inMessageHash, parent, before, after });
    this.#gas += gasOf(transaction);
    this.#bytes += boc.length + after.length + (account.endLt === 0n ? before.length : 0);
    account.boc = after;
    account.endLt = lt + 1n + BigInt(outMessages.length);
    return { endLt: account.endLt, sent: this.#sentBy(transaction, message.depth + 1) };
  }

  async #run(message: UndeliveredMessage, account: AccountState, earliestLt: bigint) {
    const { vm, snapshot, config, randSeed, ignoreSignature, deadlineMs, signal, payer } = this.#options;
    const { prevBlocks, utime } = config;
    const run = {
      shardAccount: account.boc,
      message: bocOf(message),
      config: config.vm,
      prevBlocks,
      utime,
      randSeed,
      ignoreSignature,
      // The emulator reads the end of the last transaction from the account, unless the account was deleted.
      lt: earliestLt > account.endLt ? earliestLt : account.endLt,
    };
    const { outcome, elapsedSeconds } = await runWithLibraries(vm, run, snapshot.libraries, () => ({
      timeoutMs: deadlineMs - performance.now(),
      signal,
      payer,
    }));
    this.vmSeconds += elapsedSeconds;
    if (outcome.kind !== 'done')
      throw new EmulationStopped(message.isExternal ? refusalOf(outcome, this.vmSeconds) : 'failed');
    return outcome;
  }

  #sentBy({ cells, outMessages }: Transaction, depth: number): UndeliveredMessage[] {
    const parent = this.executed.length - 1;
    const sent: UndeliveredMessage[] = [];
    for (const message of outMessages) {
      const { cell, info } = message;
      const hash = Buffer.from(message.hash);
      const to = receiverOf(message);
      if (info.kind !== 'internal' || to === undefined) continue;
      if (depth > this.#options.limits.depth) this.bound ??= 'depth';
      else sent.push({ cells, cell, hash, to, lt: info.createdLt, isExternal: false, parent, depth });
    }
    return sent;
  }

  #checkBounds(): void {
    const { limits, deadlineMs, signal } = this.#options;
    signal?.throwIfAborted();
    if (performance.now() >= deadlineMs) throw new EmulationStopped('time');
    if (this.remaining <= 0) throw new EmulationStopped('transactions');
    if (this.#gas >= limits.gas) throw new EmulationStopped('gas');
    if (this.#bytes >= limits.bytes) throw new EmulationStopped('bytes');
  }
}

function gasOf({ description }: Transaction): number {
  return 'compute' in description && !description.compute.skipped ? description.compute.gasUsed : 0;
}

function refusalOf(
  outcome: Exclude<TransactionOutcome, { kind: 'done' }>,
  vmSeconds: number,
): EmulationRefusal {
  const exitCode = outcome.kind === 'not_accepted' ? outcome.exitCode : undefined;
  return { kind: 'refused', exitCode, text: outcome.text, vmSeconds };
}

interface AccountState {
  readonly shard: ShardIdent;
  /** Its present ShardAccount. */
  boc: Uint8Array;
  /** Logical time after its last transaction in this emulation; 0 before the first. */
  endLt: bigint;
}

async function readAccountState(
  { snapshot, account }: Pick<TraceOptions, 'snapshot' | 'account'>,
  id: AccountId,
): Promise<AccountState> {
  const proven = await snapshot.account(id);
  const shard = { workchain: id.workchain, shard: proven.shardBlock.shard };
  const newer = await account?.(id);
  const isNewer = newer !== undefined && lastTransLt(newer) > proven.lastTransLt;
  return { shard, boc: isNewer ? newer : shardAccountBoc(proven), endLt: 0n };
}

function lastTransLt(shardAccount: Uint8Array): bigint {
  const cells = readBoc(shardAccount);
  return readShardAccount(new Slice(cells, cells.root)).lastTransLt;
}

export type StartMessage = UndeliveredMessage & { readonly normalizedHash: Buffer };

/** Limits of nodes for external messages unless the config says otherwise, as on all public networks. */
const MAX_BYTES = 65_535;
const MAX_DEPTH = 512;

/** Reads an external message; returns the reason if no node would accept it. */
export function readExternalStart(boc: Uint8Array): StartMessage | string {
  if (boc.length > MAX_BYTES) return 'the message is too large';
  try {
    const bag = readBoc(boc);
    if (bag.levelMask(bag.root) !== 0) return 'the message is a part of a proof';
    if (bag.depth(bag.root) >= MAX_DEPTH) return 'the message is too deep';
    const message = readMessage(bag, bag.root);
    if (message.info.kind !== 'external-in') return 'the message is not one from outside';
    return startOf(boc, bag, message);
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    return `the message cannot be read: ${error.message}`;
  }
}

/** Reads an internal message; throws a CellError for any other. */
export function readInternalStart(boc: Uint8Array): StartMessage {
  const bag = readBoc(boc);
  const message = readMessage(bag, bag.root);
  if (message.info.kind !== 'internal') throw new CellError('the message is not one between accounts');
  return startOf(boc, bag, message);
}

/** The destination of a message; undefined for an external one, or an address of another kind. */
export function receiverOf({ info }: Pick<Message, 'info'>): AccountId | undefined {
  if (info.kind === 'external-out' || info.dest.kind !== 'std') return undefined;
  return { workchain: info.dest.workchain, hash: Buffer.from(accountOf(info.dest)) };
}

function startOf(boc: Uint8Array, bag: CellBag, message: Message): StartMessage {
  const to = receiverOf(message);
  if (to === undefined) throw new CellError('its receiver is not an account');
  const { info } = message;
  return {
    boc,
    hash: Buffer.from(bag.hash(bag.root)),
    to,
    isExternal: info.kind === 'external-in',
    normalizedHash: Buffer.from(normalizedHash(message)),
    lt: info.kind === 'internal' ? info.createdLt : 0n,
    parent: undefined,
    depth: 0,
  };
}

/** A message to deliver; one that an emulated transaction sent lies in the cells of that transaction. */
export type UndeliveredMessage = {
  readonly hash: Buffer;
  readonly to: AccountId;
  /** Logical time at which it was sent; 0 for an external message. */
  readonly lt: bigint;
  readonly isExternal: boolean;
  /** Index of the transaction that sent it; undefined for a start message. */
  readonly parent: number | undefined;
  /** Number of messages before it in its chain. */
  readonly depth: number;
} & ({ readonly boc: Uint8Array } | { readonly cells: Cells; readonly cell: number });

export function bocOf(message: UndeliveredMessage): Uint8Array {
  return 'boc' in message ? message.boc : writeCellBoc(message.cells, message.cell);
}
