import type { AccountId } from '../address.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { writeBoc } from '../boc/writer.ts';
import { type MessagePart, readMessage, restOf, sliceOf, wholeCell } from '../tlb/message.ts';
import { type MsgAddress, readMsgAddress } from '../tlb/msg-address.ts';
import { readSnake } from './snake.ts';

/** A request to a wallet of a jetton, to its minter for new jettons, or to an NFT. Payloads are bags of cells. */
export type TokenBody =
  | {
      readonly type: 'jetton_transfer';
      readonly queryId: bigint;
      readonly amount: bigint;
      readonly destination: AccountId | undefined;
      readonly response: AccountId | undefined;
      readonly customPayload: Buffer | undefined;
      readonly forwardAmount: bigint;
      readonly forwardPayload: Buffer | undefined;
      readonly payload: PayloadContent;
    }
  | {
      readonly type: 'jetton_burn';
      readonly queryId: bigint;
      readonly amount: bigint;
      readonly response: AccountId | undefined;
    }
  | {
      readonly type: 'nft_transfer';
      readonly queryId: bigint;
      readonly newOwner: AccountId | undefined;
      readonly response: AccountId | undefined;
      readonly customPayload: Buffer | undefined;
      readonly forwardAmount: bigint;
      readonly forwardPayload: Buffer | undefined;
    };

/** Reads a transfer of jettons, after its opcode. */
export function readJettonTransfer(body: BodyReader): TokenBody {
  const request = {
    type: 'jetton_transfer',
    queryId: body.queryId(),
    amount: body.coins(),
    destination: body.account(),
    response: body.account(),
    customPayload: readCustomPayload(body),
    forwardAmount: body.coins(),
  } as const;
  const payload = readForwardPayload(body);
  return {
    ...request,
    forwardPayload: payload && body.boc(payload),
    payload: readPayloadContent(body, payload),
  };
}

/** Reads a burn of jettons, after its opcode. */
export function readJettonBurn(body: BodyReader): TokenBody {
  return { type: 'jetton_burn', queryId: body.queryId(), amount: body.coins(), response: body.account() };
}

/** Reads a transfer of an NFT, after its opcode. */
export function readNftTransfer(body: BodyReader): TokenBody {
  const request = {
    type: 'nft_transfer',
    queryId: body.queryId(),
    newOwner: body.account(),
    response: body.account(),
    customPayload: readCustomPayload(body),
    forwardAmount: body.coins(),
  } as const;
  const payload = readForwardPayload(body);
  return { ...request, forwardPayload: payload && body.boc(payload) };
}

/** What the minter of a jetton asks a wallet of the jetton to do. */
type CalledAction = 'set_status' | 'transfer' | 'burn' | 'unknown';

/** A request to the minter of a jetton, or to a wallet of a jetton that can be locked. */
export type MinterBody =
  | {
      readonly type: 'jetton_mint';
      readonly opcode: number;
      readonly queryId: bigint;
      readonly to: AccountId | undefined;
      readonly tonAmount: bigint;
      /** Of the message to the wallet. */
      readonly innerQueryId: bigint;
      readonly jettonAmount: bigint;
    }
  | { readonly type: 'jetton_top_up' | 'jetton_claim_admin'; readonly queryId: bigint }
  | {
      readonly type: 'jetton_change_admin';
      readonly queryId: bigint;
      readonly newAdmin: AccountId | undefined;
    }
  | { readonly type: 'jetton_change_content'; readonly queryId: bigint; readonly newUrl: string }
  | {
      readonly type: 'jetton_call_to';
      readonly queryId: bigint;
      readonly to: AccountId | undefined;
      readonly tonAmount: bigint;
      /** Undefined, as its bag of cells, where there is none. */
      readonly action: CalledAction | undefined;
      readonly actionData: Buffer | undefined;
    }
  | { readonly type: 'jetton_set_status'; readonly queryId: bigint; readonly status: number };

/** Asks for new jettons. */
export const MINT = 0x642b7d07;

const INTERNAL_TRANSFER = 0x178d4519;
const OPCODE_BITS = 32;
const STATUS_BITS = 4;
const CALLED: ReadonlyMap<number, CalledAction> = new Map([
  [0xeed236d3, 'set_status'],
  [0x0f8a7ea5, 'transfer'],
  [0x595f07bc, 'burn'],
]);

/** Reads a request for new jettons, after its opcode. */
export function readMint(body: BodyReader): MinterBody {
  const request = { queryId: body.queryId(), to: body.account(), tonAmount: body.coins() };
  const inner = body.next();
  if (inner.uint(OPCODE_BITS) !== INTERNAL_TRANSFER) throw new CellError('a mint of something else');
  return {
    type: 'jetton_mint',
    opcode: MINT,
    ...request,
    innerQueryId: inner.queryId(),
    jettonAmount: inner.coins(),
  };
}

/** Reads a new address of the metadata, after its opcode: in a reference, or in the body itself. */
export function readChangeContent(body: BodyReader): MinterBody {
  const queryId = body.queryId();
  const newUrl = body.slice.bitsLeft === 0 && !body.isEmpty ? body.next().text() : body.text();
  return { type: 'jetton_change_content', queryId, newUrl };
}

/** Reads a request to a wallet that goes through the minter, after its opcode. */
export function readCallTo(body: BodyReader): MinterBody {
  const { slice } = body;
  return {
    type: 'jetton_call_to',
    queryId: body.queryId(),
    to: body.account(),
    tonAmount: body.coins(),
    ...(slice.refsLeft === 0 ? { action: undefined, actionData: undefined } : readCalled(body, slice.ref())),
  };
}

function readCalled(body: BodyReader, cell: number) {
  const { cells } = body.slice;
  const isShort = cells.isExotic(cell) || cells.bits[cell]! < OPCODE_BITS;
  const opcode = isShort ? -1 : cells.bytes.readUInt32BE(cells.starts[cell]!);
  return { action: CALLED.get(opcode) ?? 'unknown', actionData: body.boc(wholeCell(cells, cell)) };
}

/** Reads the locking of a wallet, after its opcode. */
export function readSetStatus(body: BodyReader): MinterBody {
  return { type: 'jetton_set_status', queryId: body.queryId(), status: body.uint(STATUS_BITS) };
}

/** A request to a vesting wallet to send a message. */
export interface VestingBody {
  readonly type: 'vesting_internal_transfer';
  readonly queryId: bigint;
  readonly sendMode: number;
  readonly destination: AccountId | undefined;
  readonly value: bigint;
  /** A bag of cells. */
  readonly messageBody: Buffer;
  /** Empty unless the message is a text. */
  readonly comment: string;
}

/** Reads a message that a vesting wallet is to send, after the opcode. */
export function readVestingTransfer(body: BodyReader): VestingBody {
  const queryId = body.queryId();
  const sendMode = body.uint(8);
  const { cells } = body.slice;
  const message = readMessage(cells, body.slice.ref());
  const { info } = message;
  if (info.kind !== 'internal') throw new CellError('a message to the outside');
  return {
    type: 'vesting_internal_transfer',
    queryId,
    sendMode,
    destination: accountIn(info.dest),
    value: info.value.grams,
    messageBody: body.boc(message.body),
    comment: message.opcode === 0 ? commentOf(message) : '',
  };
}

function commentOf({ cells, body }: ReturnType<typeof readMessage>): string {
  const slice = sliceOf(cells, body);
  slice.skip(OPCODE_BITS);
  return readText(slice);
}

/** What a payload for the receiver of jettons is; the amount is in the smallest units of the jetton. */
export type PayloadContent =
  | { readonly kind: 'none' | 'unknown' }
  | { readonly kind: 'text'; readonly text: string; readonly encrypted: boolean }
  | {
      readonly kind: 'stonfi_swap';
      readonly jettonWallet: AccountId | undefined;
      readonly minAmount: bigint;
      readonly user: AccountId | undefined;
    };

const TEXT = 0;
const ENCRYPTED_TEXT = 0x2167da4b;
const STONFI_SWAP = 0x25938561;

/** Reads `Maybe ^Cell` as a bag of cells. */
function readCustomPayload(body: BodyReader): Buffer | undefined {
  const cell = body.slice.maybeRef();
  return cell < 0 ? undefined : body.boc(wholeCell(body.slice.cells, cell));
}

/** Reads `Either Cell ^Cell`, which may be left out; undefined where nothing is in it. */
function readForwardPayload(body: BodyReader): MessagePart | undefined {
  const { slice } = body;
  if (slice.bitsLeft === 0) return undefined;
  const inReference = slice.boolean();
  const part = inReference ? wholeCell(slice.cells, slice.ref()) : restOf(slice);
  return part.bitEnd === part.bit && part.refEnd === part.refAt ? undefined : part;
}

/** What a payload for the receiver of jettons says. */
function readPayloadContent(body: BodyReader, payload: MessagePart | undefined): PayloadContent {
  if (payload === undefined) return { kind: 'none' };
  try {
    return readContent(sliceOf(body.slice.cells, payload));
  } catch (error) {
    if (error instanceof CellError) return { kind: 'unknown' };
    throw error;
  }
}

function readContent(slice: Slice): PayloadContent {
  const opcode = slice.uint(OPCODE_BITS);
  if (opcode === TEXT || opcode === ENCRYPTED_TEXT)
    return { kind: 'text', text: readText(slice), encrypted: opcode === ENCRYPTED_TEXT };
  if (opcode !== STONFI_SWAP) return { kind: 'unknown' };
  return {
    kind: 'stonfi_swap',
    jettonWallet: accountIn(readMsgAddress(slice)),
    minAmount: slice.coins(),
    user: accountIn(readMsgAddress(slice)),
  };
}

// More than a snake of the deepest cells has.
const MAX_TEXT_BYTES = 256 * 1024;

/** Writes bags of cells until they become too much: many steps of an order may share one large cell. */
export class BocBudget {
  #bytesLeft: number;

  constructor(bytes: number) {
    this.#bytesLeft = bytes;
  }

  write(cells: Cells, part: MessagePart): Buffer {
    if (this.#bytesLeft <= 0) throw new CellError('too many cells in the order');
    const source = part.whole ? { cells, roots: [part.cell] } : sliceOf(cells, part);
    const boc = writeBoc(source, { order: 'tonlib' });
    this.#bytesLeft -= boc.length;
    return boc;
  }
}

/** The account of an address, or undefined for no address. Addresses of other kinds are a fault. */
export function accountIn(address: MsgAddress): AccountId | undefined {
  if (address.kind === 'none') return undefined;
  if (address.kind !== 'std' || address.anycast !== undefined)
    throw new CellError('an address of another kind');
  return { workchain: address.workchain, hash: address.hash };
}

/** Text in a slice and along its first references. Bytes that are no text are replaced. */
function readText(slice: Slice): string {
  const bytes = readSnake(slice, MAX_TEXT_BYTES);
  if (bytes === undefined) throw new CellError('a text that does not end with a byte');
  return bytes.toString('utf8');
}

/** Reads the fields of a body one after another. */
export class BodyReader {
  readonly slice: Slice;
  readonly #budget: BocBudget;

  constructor(slice: Slice, budget: BocBudget) {
    this.slice = slice;
    this.#budget = budget;
  }

  get isEmpty(): boolean {
    return this.slice.bitsLeft === 0 && this.slice.refsLeft === 0;
  }

  uint(bits: number): number {
    return this.slice.uint(bits);
  }

  queryId(): bigint {
    return this.slice.uint64();
  }

  coins(): bigint {
    return this.slice.coins();
  }

  account(): AccountId | undefined {
    return accountIn(readMsgAddress(this.slice));
  }

  text(): string {
    return readText(this.slice);
  }

  /** Another body, in the next reference. */
  next(): BodyReader {
    return new BodyReader(this.slice.refSlice(), this.#budget);
  }

  /** The bag of cells of a part of the same cells. */
  boc(part: MessagePart): Buffer {
    return this.#budget.write(this.slice.cells, part);
  }
}
