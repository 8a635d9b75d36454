import { CellBuilder } from '../../src/chain/boc/builder.ts';
import { Slice } from '../../src/chain/boc/slice.ts';
import type { BuildingArena } from '../../src/chain/state/building-arena.ts';
import { Dictionary, type DictionaryCodec } from '../../src/chain/tlb/dictionary.ts';
import { buildHashUpdate } from '../../src/chain/tlb/transaction.ts';
import { type Account, WALLET_ID, writeAddress } from './accounts.ts';

/** An internal message before it is sent. */
export interface Draft {
  readonly from: Account;
  readonly to: Account;
  readonly value: number;
  /** The cell of the body, or -1 for an empty one. */
  readonly body: number;
  readonly bounce: boolean;
  readonly bounced: boolean;
}

/** What a transaction is made of; amounts in nanotons. */
export interface TransactionParts {
  readonly account: Account;
  readonly lt: number;
  readonly now: number;
  /** The in message, or -1 for a tick-tock transaction. */
  readonly inMessage: number;
  /** The value of an internal in message; undefined for others. */
  readonly credit: number | undefined;
  readonly outMessages: readonly number[];
  readonly oldState: Buffer;
  readonly newState: Buffer;
  readonly fees: Fees;
  readonly gas: number;
  /** 0 for success; otherwise nothing is sent but the bounced message. */
  readonly exitCode: number;
  /** Random; stands for the hash of the list of output actions. */
  readonly actionHash: Buffer;
}

export interface Fees {
  readonly storage: number;
  readonly compute: number;
  /** For importing an external message. */
  readonly import: number;
  /** For all out messages: what validators get at once, and what goes with the messages. */
  readonly action: number;
  readonly forward: number;
}

const ACTIVE = 0b10;
const GAS_LIMIT = 1_000_000;
const INLINE_BITS = 300;
const OUT_MESSAGES: DictionaryCodec<number> = {
  keyBits: 15,
  write: (builder, message) => builder.ref(message),
};
/** Keys of the dictionary of out messages: 15 bits, padded to bytes. */
const KEYS = Array.from({ length: 256 }, (_, i) => Buffer.from([i >> 7, (i << 1) & 0xff]));

/** Builds messages and transactions in an arena, as a node writes them. */
export class ChainBuilder {
  readonly #arena: BuildingArena;
  readonly #builder = new CellBuilder();
  readonly #outMessages: Dictionary<number>;

  constructor(arena: BuildingArena) {
    this.#arena = arena;
    this.#outMessages = new Dictionary(arena, OUT_MESSAGES);
  }

  /** An internal message that was sent. */
  internal(draft: Draft, forwardFee: number, lt: number, now: number): number {
    const builder = this.#builder.uint(0b01, 2).boolean(draft.bounce).boolean(draft.bounced);
    writeAddress(builder, draft.from);
    this.#destination(draft).coins(BigInt(forwardFee)).uint64(BigInt(lt)).uint(now, 32).boolean(false);
    return this.#body(draft.body);
  }

  /** An external message to a wallet that orders to send messages. */
  external(wallet: Account, drafts: readonly Draft[], signature: Buffer, validUntil: number): number {
    const orders = drafts.map((draft) => this.#order(draft));
    const builder = this.#builder.uint(0b10_00, 4);
    writeAddress(builder, wallet).coins(0n).boolean(false).boolean(false);
    builder.bytes(signature).uint(WALLET_ID, 32).uint(validUntil, 32).uint(wallet.amount, 32).uint(0, 8);
    for (const order of orders) builder.uint(SEND_MODE, 8).ref(order);
    return this.#arena.build(builder);
  }

  /** A message inside an external one: the sending node fills in source, fees and time. */
  #order(draft: Draft): number {
    this.#builder.uint(0b01, 2).boolean(draft.bounce).boolean(false).uint(0, 2);
    this.#destination(draft).coins(0n).uint64(0n).uint(0, 32).boolean(false);
    return this.#body(draft.body);
  }

  #destination({ to, value }: Draft): CellBuilder {
    return writeAddress(this.#builder, to).coins(BigInt(value)).boolean(false).coins(0n);
  }

  /** Ends a message with its body: small ones are inlined. */
  #body(body: number): number {
    const arena = this.#arena;
    const builder = this.#builder;
    if (body < 0) builder.boolean(false);
    else if (arena.bits[body]! > INLINE_BITS || arena.refCount(body) > 0) builder.boolean(true).ref(body);
    else builder.boolean(false).slice(new Slice(arena, body));
    return arena.build(builder);
  }

  transaction(parts: TransactionParts): number {
    const { account, outMessages, fees } = parts;
    const messages = this.#messages(parts.inMessage, outMessages);
    const update = buildHashUpdate(this.#arena, parts.oldState, parts.newState);
    const description = parts.inMessage < 0 ? this.#tickTock(parts) : this.#ordinary(parts);
    const total = fees.storage + fees.compute + fees.import + fees.action;
    const builder = this.#builder.uint(0b0111, 4).hash(account.hash).uint64(BigInt(parts.lt));
    builder.hash(account.lastHash).uint64(BigInt(account.lastLt)).uint(parts.now, 32);
    builder.uint(outMessages.length, 15).uint(ACTIVE, 2).uint(ACTIVE, 2).ref(messages);
    builder.coins(BigInt(total)).boolean(false).ref(update).ref(description);
    return this.#arena.build(builder);
  }

  #messages(inMessage: number, outMessages: readonly number[]): number {
    const out = this.#outMessages.build(outMessages.map((message, i) => [KEYS[i]!, message]));
    return this.#arena.build(this.#builder.maybeRef(inMessage).maybeRef(out));
  }

  #ordinary(parts: TransactionParts): number {
    const { credit, exitCode, fees, outMessages } = parts;
    const compute = this.#vm(parts);
    const hasFailed = exitCode !== 0;
    const action = hasFailed ? -1 : this.#action(parts);
    const builder = this.#builder.uint(0b0000, 4).boolean(credit === undefined);
    this.#storage(fees);
    builder.boolean(credit !== undefined);
    // No due fees, no extra currencies.
    if (credit !== undefined) builder.boolean(false).coins(BigInt(credit)).boolean(false);
    this.#compute(fees, !hasFailed, compute);
    builder.maybeRef(action).boolean(hasFailed);
    const isBounced = hasFailed && outMessages.length > 0;
    builder.boolean(isBounced);
    // The size of the message, what validators get, and what goes with it.
    if (isBounced) {
      builder.boolean(true).varUint(0n, 3).varUint(0n, 3);
      builder.coins(BigInt(fees.action)).coins(BigInt(fees.forward));
    }
    return this.#arena.build(builder.boolean(false));
  }

  #tickTock(parts: TransactionParts): number {
    const compute = this.#vm(parts);
    const action = this.#action(parts);
    const builder = this.#builder.uint(0b001, 3).boolean(true);
    this.#storage(parts.fees, { isMaybe: false });
    this.#compute(parts.fees, true, compute);
    return this.#arena.build(builder.maybeRef(action).boolean(false).boolean(false));
  }

  #storage({ storage }: Fees, { isMaybe } = { isMaybe: true }): void {
    if (isMaybe) this.#builder.boolean(true);
    // No fees are due, the status is unchanged.
    this.#builder.coins(BigInt(storage)).boolean(false).boolean(false);
  }

  #compute({ compute }: Fees, success: boolean, details: number): void {
    this.#builder.boolean(true).boolean(success).boolean(false).boolean(false);
    this.#builder.coins(BigInt(compute)).ref(details);
  }

  #vm({ gas, exitCode, credit }: TransactionParts): number {
    const builder = this.#builder.varUint(BigInt(gas), 3);
    const limit =
      credit === undefined ? 0 : Math.max(gas, Math.min(GAS_LIMIT, Math.floor(credit / GAS_PRICE)));
    builder.varUint(BigInt(limit), 3).boolean(credit === undefined);
    if (credit === undefined) builder.varUint(BigInt(GAS_CREDIT), 2);
    builder
      .int(0, 8)
      .int(exitCode, 32)
      .boolean(false)
      .uint(gas >> 5, 32);
    // Nodes write zeros instead of the hashes of the VM states.
    return this.#arena.build(builder.hash(ZEROS).hash(ZEROS));
  }

  #action({ outMessages, fees, actionHash }: TransactionParts): number {
    const count = outMessages.length;
    const builder = this.#builder.boolean(true).boolean(true).boolean(false).boolean(false);
    for (const fee of [fees.forward + fees.action, fees.action]) {
      builder.boolean(count > 0);
      if (count > 0) builder.coins(BigInt(fee));
    }
    builder.int(0, 32).boolean(false).uint(count, 16).uint(0, 16).uint(0, 16).uint(count, 16);
    const size = BigInt(count);
    return this.#arena.build(
      builder
        .hash(actionHash)
        .varUint(size, 3)
        .varUint(size * 705n, 3),
    );
  }
}

const SEND_MODE = 3;
/** Nanotons per unit of gas in the basechain. */
export const GAS_PRICE = 400;
const GAS_CREDIT = 10_000;
const ZEROS = Buffer.alloc(32);
