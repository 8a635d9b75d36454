import { CellBuilder } from '../../src/chain/boc/builder.ts';
import type { BuildingArena } from '../../src/chain/state/building-arena.ts';
import { type Account, writeAddress } from './accounts.ts';

/** A transfer of jettons by their owner; `payload` is for the receiver, -1 without one. */
interface JettonTransfer {
  readonly queryId: number;
  readonly amount: number;
  readonly to: Account;
  readonly response: Account;
  readonly payload: number;
}

/** A swap on the DEX (STON.fi v1). */
interface Swap {
  readonly queryId: number;
  readonly user: Account;
  /** The jetton wallets of the router: of the given and of the wanted jetton. */
  readonly givenWallet: Account;
  readonly wantedWallet: Account;
  readonly given: number;
  readonly taken: number;
}

const FORWARDED = 1n;
const SWAP = 0x25938561;
const SWAP_OK = 0xc64370e5;
const DNS_WALLET_RECORD = 0x9fd3;

/** Builds message bodies in an arena; each function returns the cell. */
export class BodyBuilder {
  readonly #arena: BuildingArena;
  readonly #builder = new CellBuilder();

  constructor(arena: BuildingArena) {
    this.#arena = arena;
  }

  comment(text: string): number {
    return this.#arena.build(this.#builder.uint(0, 32).bytes(Buffer.from(text)));
  }

  /** A body of nothing but opcode and query id. */
  plain(opcode: number, queryId: number): number {
    return this.#arena.build(this.#begin(opcode, queryId));
  }

  excesses(queryId: number): number {
    return this.plain(0xd53276db, queryId);
  }

  /** The rest of a message that failed: its opcode and query id behind a mark. */
  bounced(opcode: number, queryId: number): number {
    return this.#arena.build(this.#builder.uint(0xffffffff, 32).uint(opcode, 32).uint64(BigInt(queryId)));
  }

  jettonTransfer({ queryId, amount, to, response, payload }: JettonTransfer): number {
    const builder = this.#begin(0x0f8a7ea5, queryId).coins(BigInt(amount));
    writeAddress(builder, to);
    writeAddress(builder, response).boolean(false).coins(FORWARDED).maybeRef(payload);
    return this.#arena.build(builder);
  }

  jettonInternalTransfer(
    transfer: Omit<JettonTransfer, 'to'> & { readonly from: Account | undefined },
  ): number {
    const builder = this.#begin(0x178d4519, transfer.queryId).coins(BigInt(transfer.amount));
    writeAddress(builder, transfer.from);
    writeAddress(builder, transfer.response).coins(FORWARDED).maybeRef(transfer.payload);
    return this.#arena.build(builder);
  }

  jettonNotification(transfer: Omit<JettonTransfer, 'to' | 'response'> & { readonly from: Account }): number {
    const builder = this.#begin(0x7362d09c, transfer.queryId).coins(BigInt(transfer.amount));
    return this.#arena.build(writeAddress(builder, transfer.from).maybeRef(transfer.payload));
  }

  jettonBurn(queryId: number, amount: number, response: Account): number {
    const builder = this.#begin(0x595f07bc, queryId).coins(BigInt(amount));
    return this.#arena.build(writeAddress(builder, response).boolean(false));
  }

  jettonBurnNotification(queryId: number, amount: number, owner: Account): number {
    const builder = this.#begin(0x7bdd97de, queryId).coins(BigInt(amount));
    writeAddress(builder, owner);
    return this.#arena.build(writeAddress(builder, owner));
  }

  /** The order to a jetton to mint; `transfer` is the message for the wallet. */
  jettonMint(queryId: number, to: Account, transfer: number): number {
    const builder = writeAddress(this.#begin(0x642b7d07, queryId), to);
    return this.#arena.build(builder.coins(50_000_000n).ref(transfer));
  }

  nftTransfer(queryId: number, to: Account, response: Account): number {
    const builder = writeAddress(this.#begin(0x5fcc3d14, queryId), to);
    return this.#arena.build(writeAddress(builder, response).boolean(false).coins(FORWARDED).boolean(false));
  }

  nftAssigned(queryId: number, previous: Account): number {
    return this.#arena.build(writeAddress(this.#begin(0x05138d91, queryId), previous).boolean(false));
  }

  /** Sets the wallet that a domain belongs to; `name` is the hash of the record's name. */
  dnsRecord(queryId: number, name: Buffer, wallet: Account): number {
    const record = writeAddress(this.#builder.uint(DNS_WALLET_RECORD, 16), wallet).uint(0, 8);
    const value = this.#arena.build(record);
    return this.#arena.build(this.#begin(0x4eb1f0f9, queryId).hash(name).ref(value));
  }

  /** The payload of a transfer to the router. */
  swapRequest({ wantedWallet, taken, user }: Swap): number {
    const builder = writeAddress(this.#builder.uint(SWAP, 32), wantedWallet).coins(BigInt(taken));
    return this.#arena.build(writeAddress(builder, user).boolean(false));
  }

  /** The router asks the pool. */
  swap({ queryId, user, givenWallet, given, taken }: Swap): number {
    const addresses = this.#arena.build(writeAddress(this.#builder, user));
    const builder = writeAddress(this.#begin(SWAP, queryId), user);
    writeAddress(builder, givenWallet).coins(BigInt(given)).coins(BigInt(taken)).boolean(false);
    return this.#arena.build(builder.ref(addresses));
  }

  /** The pool tells the router to pay. */
  swapPayment({ queryId, user, givenWallet, wantedWallet, taken }: Swap): number {
    const sides = writeAddress(this.#builder.coins(0n), givenWallet).coins(BigInt(taken));
    const cell = this.#arena.build(writeAddress(sides, wantedWallet));
    const builder = writeAddress(this.#begin(0xf93bb43f, queryId), user).uint(SWAP_OK, 32);
    return this.#arena.build(builder.boolean(true).ref(cell));
  }

  #begin(opcode: number, queryId: number): CellBuilder {
    return this.#builder.uint(opcode, 32).uint64(BigInt(queryId));
  }
}
