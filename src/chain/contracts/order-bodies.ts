import type { AccountId } from '../address.ts';
import { CellError, type Cells, undefinedOnCellError } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { type MessagePart, readMessage, restOf, sliceOf, wholeCell, writePart } from '../tlb/message.ts';
import { type MsgAddress, readMsgAddress } from '../tlb/msg-address.ts';
import { readSnake } from './token-content.ts';

interface OpenBody {
  readonly slice: Slice;
  readonly writeBag: BagWriter;
}

export type BagWriter = (cells: Cells, part: MessagePart) => Buffer;

/** Writes bags of cells up to a total size: many actions of an order may share one large cell. */
export function createBagWriter(maxBytes: number): BagWriter {
  let bytesLeft = maxBytes;
  return (cells, part) => {
    if (bytesLeft <= 0) throw new CellError('too many cells in the order');
    const bag = writePart(cells, part);
    bytesLeft -= bag.length;
    return bag;
  };
}

const OPCODE_BITS = 32;
const ENCRYPTED_TEXT = 0x2167da4b;
const JETTON_TRANSFER = 0x0f8a7ea5;
const JETTON_BURN = 0x595f07bc;
const SET_STATUS = 0xeed236d3;
const MINT = 0x642b7d07;
const INTERNAL_TRANSFER = 0x178d4519;
/** A mint request for older minters; too ambiguous to decode, as other bodies start with this number as well. */
const OLD_MINT = 0x15;

const queryId = ({ slice }: OpenBody): bigint => slice.uint64();
const coins = ({ slice }: OpenBody): bigint => slice.coins();
const account = ({ slice }: OpenBody): AccountId | undefined => accountIn(readMsgAddress(slice));
const text = ({ slice }: OpenBody): string => readText(slice);

const toJettonTransfer = fields('jetton_transfer', {
  queryId,
  amount: coins,
  destination: account,
  response: account,
  customPayload: readCustomPayload,
  forwardAmount: coins,
  payload: readForwardPayload,
});
const toMint = fields('jetton_mint', { queryId, to: account, tonAmount: coins });
const toCall = fields('jetton_call_to', { queryId, to: account, tonAmount: coins });

/** The readers of bodies by opcode. Payloads and bodies in them are bags of cells. */
const READERS = [
  [0, fields('ton_transfer', { comment: text, encrypted: () => false })],
  [ENCRYPTED_TEXT, fields('ton_transfer', { comment: text, encrypted: () => true })],
  [JETTON_TRANSFER, readJettonTransfer],
  [JETTON_BURN, fields('jetton_burn', { queryId, amount: coins, response: account })],
  [
    0x5fcc3d14,
    fields('nft_transfer', {
      queryId,
      newOwner: account,
      response: account,
      customPayload: readCustomPayload,
      forwardAmount: coins,
      forwardPayload: (body: OpenBody) => bagOf(body, readForwardPayload(body)),
    }),
  ],
  [MINT, readMint],
  [0x00009fd3, fields('jetton_top_up', { queryId })],
  [0x6501f354, fields('jetton_change_admin', { queryId, newAdmin: account })],
  [0xfb88e119, fields('jetton_claim_admin', { queryId })],
  [0xcb862902, fields('jetton_change_content', { queryId, newUrl: readUrl })],
  [0x235caf52, readCallTo],
  [SET_STATUS, fields('jetton_set_status', { queryId, status: ({ slice }: OpenBody) => slice.uint(4) })],
  [0x00001000, fields('single_nominator_withdraw', { queryId, coins })],
  [0x00001001, fields('single_nominator_change_validator', { queryId, validator: account })],
  [0x75097f5d, readVestingTransfer],
] as const;

export type OrderBody =
  | ReturnType<(typeof READERS)[number][1]>
  /** The opcode is 0 where the body does not match its opcode. */
  | { readonly type: 'unknown'; readonly opcode: number };

const BY_OPCODE: ReadonlyMap<number, (body: OpenBody) => OrderBody> = new Map<
  number,
  (body: OpenBody) => OrderBody
>(READERS);

/** Reads a body from its start; a malformed one is `unknown`. */
export function readOrderBody(body: OpenBody): OrderBody {
  const { slice } = body;
  try {
    if (slice.bitsLeft < OPCODE_BITS) return readShortText(slice);
    const opcode = slice.uint(OPCODE_BITS);
    if (opcode === OLD_MINT) return { type: 'unknown', opcode: 0 };
    return BY_OPCODE.get(opcode)?.(body) ?? { type: 'unknown', opcode };
  } catch (error) {
    if (error instanceof CellError) return { type: 'unknown', opcode: 0 };
    throw error;
  }
}

function fields<Type extends string, F extends Readonly<Record<string, (body: OpenBody) => unknown>>>(
  type: Type,
  table: F,
) {
  const readers = Object.entries(table);
  return (body: OpenBody) =>
    ({ type, ...Object.fromEntries(readers.map(([name, read]) => [name, read(body)])) }) as {
      readonly type: Type;
    } & { readonly [Name in keyof F]: ReturnType<F[Name]> };
}

/** A body too short for an opcode counts as a comment, usually an empty one. */
function readShortText(slice: Slice): OrderBody {
  const comment = slice.bitsLeft % 8 === 0 ? slice.bytes(slice.bitsLeft / 8).toString('utf8') : '';
  return { type: 'ton_transfer', comment, encrypted: false };
}

function readJettonTransfer(body: OpenBody) {
  const { payload, ...request } = toJettonTransfer(body);
  return { ...request, forwardPayload: bagOf(body, payload), payload: readPayloadContent(body, payload) };
}

function readMint(body: OpenBody) {
  const request = toMint(body);
  const inner = body.slice.refSlice();
  if (inner.uint(OPCODE_BITS) !== INTERNAL_TRANSFER)
    throw new CellError('unexpected opcode in a mint request');
  // The query id of the message to the jetton wallet comes first.
  return { ...request, opcode: MINT, innerQueryId: inner.uint64(), jettonAmount: inner.coins() };
}

/** The metadata URL, in a reference or in the body itself. */
function readUrl({ slice }: OpenBody): string {
  return readText(slice.bitsLeft === 0 && slice.refsLeft > 0 ? slice.refSlice() : slice);
}

const CALLED = new Map([
  [SET_STATUS, 'set_status'],
  [JETTON_TRANSFER, 'transfer'],
  [JETTON_BURN, 'burn'],
] as const);

/** Reads the request of a jetton minter to a jetton wallet. */
function readCallTo(body: OpenBody) {
  const request = toCall(body);
  const { slice } = body;
  if (slice.refsLeft === 0) return { ...request, action: undefined, actionData: undefined };
  const { cells } = slice;
  const cell = slice.ref();
  const isShort = cells.isExotic(cell) || cells.bits[cell]! < OPCODE_BITS;
  const opcode = isShort ? -1 : cells.bytes.readUInt32BE(cells.starts[cell]!);
  const action = CALLED.get(opcode as typeof JETTON_BURN) ?? ('unknown' as const);
  return { ...request, action, actionData: body.writeBag(cells, wholeCell(cells, cell)) };
}

function readVestingTransfer({ slice, writeBag }: OpenBody) {
  const request = { queryId: slice.uint64(), sendMode: slice.uint(8) };
  const message = readMessage(slice.cells, slice.ref());
  const { info } = message;
  if (info.kind !== 'internal') throw new CellError('a message to the outside');
  return {
    type: 'vesting_internal_transfer' as const,
    ...request,
    destination: accountIn(info.dest),
    value: info.value.grams,
    messageBody: writeBag(slice.cells, message.body),
    /** Empty unless the message is a comment. */
    comment: message.opcode === 0 ? commentOf(message) : '',
  };
}

function commentOf({ cells, body }: ReturnType<typeof readMessage>): string {
  const slice = sliceOf(cells, body);
  slice.skip(OPCODE_BITS);
  return readText(slice);
}

/** Reads `Maybe ^Cell`. */
function readCustomPayload(body: OpenBody): Buffer | undefined {
  const cell = body.slice.maybeRef();
  return cell < 0 ? undefined : body.writeBag(body.slice.cells, wholeCell(body.slice.cells, cell));
}

/** Reads `Either Cell ^Cell`, which may be missing; undefined where it is empty. */
function readForwardPayload({ slice }: OpenBody): MessagePart | undefined {
  if (slice.bitsLeft === 0) return undefined;
  const inReference = slice.boolean();
  const part = inReference ? wholeCell(slice.cells, slice.ref()) : restOf(slice);
  return part.bitEnd === part.bit && part.refEnd === part.refAt ? undefined : part;
}

function bagOf({ slice, writeBag }: OpenBody, part: MessagePart | undefined): Buffer | undefined {
  return part && writeBag(slice.cells, part);
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
const STONFI_SWAP = 0x25938561;

function readPayloadContent({ slice }: OpenBody, payload: MessagePart | undefined): PayloadContent {
  if (payload === undefined) return { kind: 'none' };
  return undefinedOnCellError(() => readContent(sliceOf(slice.cells, payload))) ?? { kind: 'unknown' };
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

/** The account of an address, or undefined for addr_none. Other kinds of addresses throw. */
export function accountIn(address: MsgAddress): AccountId | undefined {
  if (address.kind === 'none') return undefined;
  if (address.kind !== 'std' || address.anycast !== undefined)
    throw new CellError('an address of another kind');
  return { workchain: address.workchain, hash: address.hash };
}

// More than a snake of the maximum depth holds.
const MAX_TEXT_BYTES = 256 * 1024;

/** Snake text from a slice on. Invalid UTF-8 is replaced. */
function readText(slice: Slice): string {
  const bytes = readSnake(slice, MAX_TEXT_BYTES);
  if (bytes === undefined) throw new CellError('text does not end at a byte boundary');
  return bytes.toString('utf8');
}
