import type { AccountId } from '../address.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { writeBoc } from '../boc/writer.ts';
import { type MessagePart, readMessage, restOf, sliceOf, wholeCell } from '../tlb/message.ts';
import { type MsgAddress, readMsgAddress } from '../tlb/msg-address.ts';
import { readSnake } from './snake.ts';

/** A request to a jetton wallet or an NFT item. Payloads are bags of cells. */
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

/** Reads a jetton transfer, after its opcode. */
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

/** Reads a jetton burn, after its opcode. */
export function readJettonBurn(body: BodyReader): TokenBody {
  return { type: 'jetton_burn', queryId: body.queryId(), amount: body.coins(), response: body.account() };
}

/** Reads an NFT transfer, after its opcode. */
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

/** What a jetton minter asks a jetton wallet to do. */
type CalledAction = 'set_status' | 'transfer' | 'burn' | 'unknown';

/** A request to a jetton minter, or to a jetton wallet that can be locked. */
export type MinterBody =
  | {
      readonly type: 'jetton_mint';
      readonly opcode: number;
      readonly queryId: bigint;
      readonly to: AccountId | undefined;
      readonly tonAmount: bigint;
      /** The query id of the message to the jetton wallet. */
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
      /** Undefined, like `actionData`, where there is none. */
      readonly action: CalledAction | undefined;
      readonly actionData: Buffer | undefined;
    }
  | { readonly type: 'jetton_set_status'; readonly queryId: bigint; readonly status: number };

/** The opcode of a mint request. */
export const MINT = 0x642b7d07;

const INTERNAL_TRANSFER = 0x178d4519;
const OPCODE_BITS = 32;
const STATUS_BITS = 4;
const CALLED: ReadonlyMap<number, CalledAction> = new Map([
  [0xeed236d3, 'set_status'],
  [0x0f8a7ea5, 'transfer'],
  [0x595f07bc, 'burn'],
]);

/** Reads a mint request, after its opcode. */
export function readMint(body: BodyReader): MinterBody {
  const request = { queryId: body.queryId(), to: body.account(), tonAmount: body.coins() };
  const inner = body.next();
  if (inner.uint(OPCODE_BITS) !== INTERNAL_TRANSFER)
    throw new CellError('unexpected opcode in a mint request');
  return {
    type: 'jetton_mint',
    opcode: MINT,
    ...request,
    innerQueryId: inner.queryId(),
    jettonAmount: inner.coins(),
  };
}

/** Reads a change of the metadata URL, after its opcode: in a reference, or in the body itself. */
export function readChangeContent(body: BodyReader): MinterBody {
  const queryId = body.queryId();
  const newUrl = body.slice.bitsLeft === 0 && !body.isEmpty ? body.next().text() : body.text();
  return { type: 'jetton_change_content', queryId, newUrl };
}

/** Reads a request to a jetton wallet through the minter, after its opcode. */
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

/** Reads a change of a jetton wallet's lock status, after its opcode. */
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
  /** Empty unless the message is a comment. */
  readonly comment: string;
}

/** Reads a message that a vesting wallet should send, after the opcode. */
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

/** The decoded forward payload of a jetton transfer; amounts are in the smallest units of the jetton. */
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

/** Reads `Either Cell ^Cell`, which may be missing; undefined where it is empty. */
function readForwardPayload(body: BodyReader): MessagePart | undefined {
  const { slice } = body;
  if (slice.bitsLeft === 0) return undefined;
  const inReference = slice.boolean();
  const part = inReference ? wholeCell(slice.cells, slice.ref()) : restOf(slice);
  return part.bitEnd === part.bit && part.refEnd === part.refAt ? undefined : part;
}

/** Decodes the forward payload of a jetton transfer. */
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

// More than a snake of the maximum depth holds.
const MAX_TEXT_BYTES = 256 * 1024;

/** Writes bags of cells up to a total size: many actions of an order may share one large cell. */
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

/** The account of an address, or undefined for addr_none. Other kinds of addresses throw. */
export function accountIn(address: MsgAddress): AccountId | undefined {
  if (address.kind === 'none') return undefined;
  if (address.kind !== 'std' || address.anycast !== undefined)
    throw new CellError('an address of another kind');
  return { workchain: address.workchain, hash: address.hash };
}

/** Snake text from a slice on. Invalid UTF-8 is replaced. */
function readText(slice: Slice): string {
  const bytes = readSnake(slice, MAX_TEXT_BYTES);
  if (bytes === undefined) throw new CellError('text does not end at a byte boundary');
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

  /** A nested body in the next reference. */
  next(): BodyReader {
    return new BodyReader(this.slice.refSlice(), this.#budget);
  }

  /** A part of the same table as a bag of cells. */
  boc(part: MessagePart): Buffer {
    return this.#budget.write(this.slice.cells, part);
  }
}
