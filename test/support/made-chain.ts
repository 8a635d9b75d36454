import { hash as hashOnce } from 'node:crypto';
import { fromAccountBytes } from '../../src/chain/address.ts';
import { WHOLE_SHARD } from '../../src/chain/block-id.ts';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { CellBuilder } from '../../src/chain/boc/builder.ts';
import { BuildingArena } from '../../src/chain/state/building-arena.ts';
import { buildExtraCurrencies } from '../../src/chain/tlb/currency.ts';
import { Dictionary, type DictionaryCodec } from '../../src/chain/tlb/dictionary.ts';
import { type MsgAddress, writeMsgAddress } from '../../src/chain/tlb/msg-address.ts';
import { buildHashUpdate, readTransaction, type Transaction } from '../../src/chain/tlb/transaction.ts';
import type { AccountStatus, SkipReason } from '../../src/chain/tlb/transaction-phases.ts';
import type { StateSummary } from '../../src/index/write/decoded-seqno.ts';

/** A message of a made chain. */
export interface MadeMessage {
  /** Its cell in the arena of the chain. */
  readonly cell: number;
  readonly hash: Buffer;
}

/** The content of a message: a bag of cells, or 32 bits and some bytes. */
type MadeBody = Buffer | { readonly opcode?: number; readonly bytes?: Uint8Array };

interface MessageParts {
  readonly body?: MadeBody | undefined;
  /** The initial state as a bag of cells. */
  readonly init?: Buffer | undefined;
}

/** An external message to an account; equal ones are the same message. */
export interface ExternalParts extends MessageParts {
  readonly to: Buffer;
  /** Anything but 0 makes the normalised hash another one than the hash. */
  readonly importFee?: bigint;
}

/** A message from one account to another, or to nobody. Accounts have 33 bytes. */
export interface InternalParts extends MessageParts {
  readonly from: Buffer;
  readonly to: Buffer;
  readonly lt: bigint;
  readonly at: number;
  readonly value?: bigint;
  /** By decimal id. */
  readonly extraCurrencies?: Readonly<Record<string, string>>;
  readonly bounce?: boolean;
}

/** An account state next to a transaction; everything but the balance may be left out. */
export type MadeState = Partial<StateSummary> & Pick<StateSummary, 'balance'>;

/** Input for a transaction. Most of it may be left out. */
export interface TransactionParts {
  /** 33 bytes. */
  readonly account: Buffer;
  readonly lt: bigint;
  readonly now: number;
  readonly in?: MadeMessage | undefined;
  readonly out?: readonly MadeMessage[];
  readonly previous?: { readonly lt: bigint; readonly hash?: Buffer };
  readonly origStatus?: AccountStatus;
  readonly endStatus?: AccountStatus;
  readonly isTickTock?: boolean;
  readonly aborted?: boolean;
  readonly exitCode?: number;
  readonly skipped?: SkipReason | undefined;
  readonly totalFees?: bigint;
  /** The states around it that its block shows. */
  readonly before?: MadeState | undefined;
  readonly after?: MadeState | undefined;
  /** The masterchain block that commits it, and its own block; by default the masterchain block itself. */
  readonly mcSeqno: number;
  readonly block?: { readonly shard: bigint; readonly seqno: number };
  /** Whether no account sent its in message. */
  readonly isSystem?: boolean;
}

/** A transaction of a made chain, with what blocks show about it. */
export interface MadeTransaction {
  readonly account: Buffer;
  readonly lt: bigint;
  readonly hash: Buffer;
  readonly transaction: Transaction;
  readonly mcSeqno: number;
  readonly block: { readonly shard: bigint; readonly seqno: number };
  readonly isSystem: boolean;
  readonly before: StateSummary | undefined;
  readonly after: StateSummary | undefined;
}

const NOBODY: MsgAddress = { kind: 'none' };
const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'] as const;
const REASONS: Readonly<Record<SkipReason, readonly [tag: number, bits: number]>> = {
  no_state: [0b00, 2],
  bad_state: [0b01, 2],
  no_gas: [0b10, 2],
  suspended: [0b110, 3],
};
const OUT_MESSAGES: DictionaryCodec<number> = { keyBits: 15, write: (builder, cell) => builder.ref(cell) };

const digest = (text: string): Buffer => hashOnce('sha256', text, 'buffer');

/**
 * Makes transactions and messages as real cells, so that tests choose what happened and the hashes follow from it. What
 * no chain allows is allowed here: any logical times, any clocks, one message received twice.
 */
export class MadeChain {
  readonly #arena = new BuildingArena();
  readonly #builder = new CellBuilder();
  readonly #outMessages = new Dictionary(this.#arena, OUT_MESSAGES);

  /** An external message from outside. */
  external({ to, importFee = 0n, ...parts }: ExternalParts): MadeMessage {
    const [body, init] = this.#cellsOf(parts);
    const builder = this.#builder.uint(0b10, 2);
    writeMsgAddress(builder, NOBODY);
    writeMsgAddress(builder, addressOf(to));
    return this.#message(builder.coins(importFee), body, init);
  }

  /** A message between accounts. */
  internal(parts: InternalParts): MadeMessage {
    const [body, init] = this.#cellsOf(parts);
    const extra = Object.entries(parts.extraCurrencies ?? {})
      .map(([id, amount]) => ({ id: Number(id), amount: BigInt(amount) }))
      .sort((a, b) => a.id - b.id);
    const currencies = buildExtraCurrencies(this.#arena, extra);
    const builder = this.#builder
      .uint(0b01, 2)
      .boolean(parts.bounce ?? true)
      .uint(0, 1);
    writeMsgAddress(builder, addressOf(parts.from));
    writeMsgAddress(builder, addressOf(parts.to));
    builder
      .coins(parts.value ?? 0n)
      .maybeRef(currencies)
      .coins(0n)
      .coins(0n);
    return this.#message(builder.uint64(parts.lt).uint(parts.at, 32), body, init);
  }

  /** A message to outside. */
  log({ from, lt, at, ...parts }: Pick<InternalParts, 'from' | 'lt' | 'at' | 'body'>): MadeMessage {
    const [body, init] = this.#cellsOf(parts);
    const builder = this.#builder.uint(0b11, 2);
    writeMsgAddress(builder, addressOf(from));
    writeMsgAddress(builder, NOBODY);
    return this.#message(builder.uint64(lt).uint(at, 32), body, init);
  }

  /** A message that was made elsewhere, from its bag of cells. */
  given(boc: Buffer): MadeMessage {
    const cell = this.#add(boc);
    return { cell, hash: Buffer.from(this.#arena.hash(cell)) };
  }

  /** A transaction; nothing is checked. */
  transaction(parts: TransactionParts): MadeTransaction {
    const { account, lt, mcSeqno, block = { shard: WHOLE_SHARD, seqno: mcSeqno } } = parts;
    const { workchain, hash: address } = fromAccountBytes(account);
    const { previous = { lt: 0n }, out = [], origStatus = 'active', endStatus = 'active' } = parts;
    const name = account.toString('hex');
    // The state before one transaction is the state after the previous one.
    const hashBefore = parts.before?.hash ?? digest(`state ${name} ${previous.lt}`);
    const hashAfter = parts.after?.hash ?? digest(`state ${name} ${lt}`);
    const update = buildHashUpdate(this.#arena, hashBefore, hashAfter);
    const description = this.#description(parts);
    const messages = this.#messages(parts.in, out);
    const cell = this.#arena.build(
      this.#builder
        .uint(0b0111, 4)
        .hash(address)
        .uint64(lt)
        .hash(previous.hash ?? digest(`transaction ${name} ${previous.lt}`))
        .uint64(previous.lt)
        .uint(parts.now, 32)
        .uint(out.length, 15)
        .uint(STATUSES.indexOf(origStatus), 2)
        .uint(STATUSES.indexOf(endStatus), 2)
        .ref(messages)
        .coins(parts.totalFees ?? 0n)
        .uint(0, 1)
        .ref(update)
        .ref(description),
    );
    const transaction = readTransaction(this.#arena, cell, workchain);
    return {
      account,
      lt,
      hash: transaction.hash,
      transaction,
      mcSeqno,
      block,
      isSystem: parts.isSystem ?? false,
      before: parts.before && summaryOf(parts.before, hashBefore, origStatus),
      after: parts.after && summaryOf(parts.after, hashAfter, endStatus),
    };
  }

  #message(builder: CellBuilder, body: number, init: number): MadeMessage {
    builder.boolean(init >= 0);
    if (init >= 0) builder.uint(1, 1).ref(init);
    const cell = this.#arena.build(builder.uint(1, 1).ref(body));
    return { cell, hash: Buffer.from(this.#arena.hash(cell)) };
  }

  /** The cells of body and initial state, -1 for none; a message is begun after them, with the same builder. */
  #cellsOf({ body = {}, init }: MessageParts): [body: number, init: number] {
    return [this.#bodyCell(body), init === undefined ? -1 : this.#add(init)];
  }

  #bodyCell(body: MadeBody): number {
    if (Buffer.isBuffer(body)) return this.#add(body);
    const { opcode, bytes = new Uint8Array() } = body;
    const builder = opcode === undefined ? this.#builder : this.#builder.uint(opcode, 32);
    return this.#arena.build(builder.bytes(bytes));
  }

  #add(boc: Buffer): number {
    const bag = readBoc(boc);
    return this.#arena.add(bag, bag.root);
  }

  #messages(inbound: MadeMessage | undefined, out: readonly MadeMessage[]): number {
    const entries = out.map(({ cell }, at): [Buffer, number] => [Buffer.of(at >> 7, (at << 1) & 0xff), cell]);
    const root = this.#outMessages.build(entries);
    return this.#arena.build(this.#builder.maybeRef(inbound?.cell ?? -1).maybeRef(root));
  }

  #description({ isTickTock, aborted = false, skipped, exitCode = 0 }: TransactionParts): number {
    const result = skipped === undefined ? this.#computed(exitCode) : -1;
    const builder = this.#builder;
    // Storage phase: nothing was paid, the status did not change; there is no credit phase.
    if (isTickTock) builder.uint(0b001, 3).uint(0, 1).coins(0n).uint(0, 2);
    else builder.uint(0b0000, 4).uint(0, 1).uint(0b00, 2);
    if (skipped !== undefined) builder.uint(0, 1).uint(...REASONS[skipped]);
    else
      builder
        .uint(1, 1)
        .boolean(exitCode === 0)
        .uint(0, 2)
        .coins(0n)
        .ref(result);
    // No action phase.
    builder.uint(0, 1).boolean(aborted);
    // No bounce phase.
    if (!isTickTock) builder.uint(0, 1);
    return this.#arena.build(builder.uint(0, 1));
  }

  #computed(exitCode: number): number {
    const nothing = Buffer.alloc(32);
    const builder = this.#builder.uint(0, 3).uint(0, 3).uint(0, 1).int(0, 8).int(exitCode, 32);
    return this.#arena.build(builder.uint(0, 1).uint(0, 32).hash(nothing).hash(nothing));
  }
}

function addressOf(account: Buffer): MsgAddress {
  return { kind: 'std', ...fromAccountBytes(account), anycast: undefined };
}

function summaryOf(state: MadeState, hash: Buffer, status: AccountStatus): StateSummary {
  return {
    hash,
    status,
    balanceExtra: undefined,
    extraIsHidden: false,
    codeHash: undefined,
    dataHash: undefined,
    frozenHash: undefined,
    ...state,
  };
}
