import type { AccountId } from '../address.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { writeBoc } from '../boc/writer.ts';
import { type MessagePart, readMessage, restOf, sliceOf, wholeCell } from '../tlb/message.ts';
import { type MsgAddress, readMsgAddress } from '../tlb/msg-address.ts';
import { readSnake } from './token-content.ts';

/** The decoded body of a message that an order sends. */
export type OrderBody =
  | TokenBody
  | MinterBody
  | Readonly<ReturnType<typeof readVestingTransfer>>
  | { readonly type: 'ton_transfer'; readonly comment: string; readonly encrypted: boolean }
  | { readonly type: 'single_nominator_withdraw'; readonly queryId: bigint; readonly coins: bigint }
  | {
      readonly type: 'single_nominator_change_validator';
      readonly queryId: bigint;
      readonly validator: AccountId | undefined;
    }
  /** The opcode is 0 where the body does not match its opcode. */
  | { readonly type: 'unknown'; readonly opcode: number };

const OPCODE_BITS = 32;
const MINT = 0x642b7d07;
/** A mint request for older minters; too ambiguous to decode, as other bodies start with this number as well. */
const OLD_MINT = 0x15;

const READERS: ReadonlyMap<number, (body: BodyReader) => OrderBody> = new Map<
  number,
  (body: BodyReader) => OrderBody
>([
  [0, (body) => ({ type: 'ton_transfer', comment: body.text(), encrypted: false })],
  [0x2167da4b, (body) => ({ type: 'ton_transfer', comment: body.text(), encrypted: true })],
  [0x0f8a7ea5, readJettonTransfer],
  [0x595f07bc, readJettonBurn],
  [0x5fcc3d14, readNftTransfer],
  [MINT, readMint],
  [0x00009fd3, (body) => ({ type: 'jetton_top_up', queryId: body.queryId() })],
  [
    0x6501f354,
    (body) => ({ type: 'jetton_change_admin', queryId: body.queryId(), newAdmin: body.account() }),
  ],
  [0xfb88e119, (body) => ({ type: 'jetton_claim_admin', queryId: body.queryId() })],
  [0xcb862902, readChangeContent],
  [0x235caf52, readCallTo],
  [0xeed236d3, readSetStatus],
  [
    0x00001000,
    (body) => ({ type: 'single_nominator_withdraw', queryId: body.queryId(), coins: body.coins() }),
  ],
  [
    0x00001001,
    (body) => ({
      type: 'single_nominator_change_validator',
      queryId: body.queryId(),
      validator: body.account(),
    }),
  ],
  [0x75097f5d, readVestingTransfer],
]);

/** Reads a body from its start; a malformed one is `unknown`. */
export function readOrderBody(body: BodyReader): OrderBody {
  try {
    if (body.slice.bitsLeft < OPCODE_BITS) return readShortText(body);
    const opcode = body.uint(OPCODE_BITS);
    if (opcode === OLD_MINT) return { type: 'unknown', opcode: 0 };
    return READERS.get(opcode)?.(body) ?? { type: 'unknown', opcode };
  } catch (error) {
    if (error instanceof CellError) return { type: 'unknown', opcode: 0 };
    throw error;
  }
}

/** A body too short for an opcode counts as a comment, usually an empty one. */
function readShortText({ slice }: BodyReader): OrderBody {
  const comment = slice.bitsLeft % 8 === 0 ? slice.bytes(slice.bitsLeft / 8).toString('utf8') : '';
  return { type: 'ton_transfer', comment, encrypted: false };
}

/** A request to a jetton wallet or an NFT item. Payloads are bags of cells. */
export type TokenBody = Readonly<
  ReturnType<typeof readJettonTransfer | typeof readJettonBurn | typeof readNftTransfer>
>;

function readJettonTransfer(body: BodyReader) {
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

function readJettonBurn(body: BodyReader) {
  return {
    type: 'jetton_burn' as const,
    queryId: body.queryId(),
    amount: body.coins(),
    response: body.account(),
  };
}

function readNftTransfer(body: BodyReader) {
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

/** The request of a jetton minter to a jetton wallet. */
type CalledAction = 'set_status' | 'transfer' | 'burn' | 'unknown';

/** A request to a jetton minter, or to a jetton wallet that can be locked. */
export type MinterBody = Readonly<
  | ReturnType<typeof readMint | typeof readChangeContent | typeof readCallTo | typeof readSetStatus>
  | { type: 'jetton_top_up' | 'jetton_claim_admin'; queryId: bigint }
  | { type: 'jetton_change_admin'; queryId: bigint; newAdmin: AccountId | undefined }
>;

const INTERNAL_TRANSFER = 0x178d4519;
const STATUS_BITS = 4;
const CALLED: ReadonlyMap<number, CalledAction> = new Map([
  [0xeed236d3, 'set_status'],
  [0x0f8a7ea5, 'transfer'],
  [0x595f07bc, 'burn'],
]);

function readMint(body: BodyReader) {
  const request = { queryId: body.queryId(), to: body.account(), tonAmount: body.coins() };
  const inner = body.next();
  if (inner.uint(OPCODE_BITS) !== INTERNAL_TRANSFER)
    throw new CellError('unexpected opcode in a mint request');
  return {
    type: 'jetton_mint' as const,
    opcode: MINT,
    ...request,
    /** The query id of the message to the jetton wallet. */
    innerQueryId: inner.queryId(),
    jettonAmount: inner.coins(),
  };
}

/** Reads a change of the metadata URL, after its opcode: in a reference, or in the body itself. */
function readChangeContent(body: BodyReader) {
  const queryId = body.queryId();
  const newUrl = body.slice.bitsLeft === 0 && !body.isEmpty ? body.next().text() : body.text();
  return { type: 'jetton_change_content' as const, queryId, newUrl };
}

function readCallTo(body: BodyReader) {
  const { slice } = body;
  return {
    type: 'jetton_call_to' as const,
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

function readSetStatus(body: BodyReader) {
  return { type: 'jetton_set_status' as const, queryId: body.queryId(), status: body.uint(STATUS_BITS) };
}

function readVestingTransfer(body: BodyReader) {
  const queryId = body.queryId();
  const sendMode = body.uint(8);
  const { cells } = body.slice;
  const message = readMessage(cells, body.slice.ref());
  const { info } = message;
  if (info.kind !== 'internal') throw new CellError('a message to the outside');
  return {
    type: 'vesting_internal_transfer' as const,
    queryId,
    sendMode,
    destination: accountIn(info.dest),
    value: info.value.grams,
    /** A bag of cells. */
    messageBody: body.boc(message.body),
    /** Empty unless the message is a comment. */
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
