import { accountKeyOf } from '../../chain/address.ts';
import { CellError } from '../../chain/boc/cells.ts';
import type { Slice } from '../../chain/boc/slice.ts';
import { writeBoc } from '../../chain/boc/writer.ts';
import { type Message, sliceOf } from '../../chain/tlb/message.ts';
import { readMsgAddress } from '../../chain/tlb/msg-address.ts';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import type { EventKind } from '../../db/tables.ts';

/** A token transfer or burn request, read from the in message; whether the account is a token is not known here. */
export interface EventFacts {
  readonly kind: EventKind;
  /** 33 bytes: the account of the transaction. */
  readonly account: Buffer;
  readonly lt: bigint;
  readonly mcSeqno: number;
  readonly now: number;
  readonly aborted: boolean;
  readonly queryId: bigint;
  /** Undefined for NFTs. */
  readonly amount: bigint | undefined;
  /** Sender of the message: 33 bytes, like those below. */
  readonly source: Buffer;
  /** The new owner; undefined for addr_none, and for burns. */
  readonly destination: Buffer | undefined;
  readonly responseDestination: Buffer | undefined;
  /** A bag of cells in tonlib order with a checksum. */
  readonly customPayload: Buffer | undefined;
  /** Undefined for burns. */
  readonly forwardAmount: bigint | undefined;
  /** Only if it is in its own cell. */
  readonly forwardPayload: Buffer | undefined;
}

const KINDS: ReadonlyMap<number, EventKind> = new Map([
  [0x0f8a7ea5, 'jetton_transfer'],
  [0x595f07bc, 'jetton_burn'],
  [0x5fcc3d14, 'nft_transfer'],
]);
const OPCODE_BITS = 32;

/** The body of a request; cells by index, -1 where there is none. */
interface Request
  extends Pick<EventFacts, 'queryId' | 'amount' | 'destination' | 'responseDestination' | 'forwardAmount'> {
  readonly customPayload: number;
  readonly forwardPayload: number;
}

/**
 * Reads a token request from the in message of a transaction; undefined for other or malformed messages. An account that
 * is not active afterwards is not a token.
 */
export function readEvent(
  account: Buffer,
  mcSeqno: number,
  { inMessage, description, endStatus, lt, now }: Transaction,
): EventFacts | undefined {
  if (inMessage?.opcode === undefined) return undefined;
  const kind = KINDS.get(inMessage.opcode);
  if (kind === undefined || inMessage.info.kind !== 'internal' || endStatus !== 'active') return undefined;
  if (kind !== 'nft_transfer' && description.kind !== 'ord') return undefined;
  const source = accountKeyOf(inMessage.info.src);
  const request = tryRequest(kind, inMessage);
  if (source === undefined || request === undefined) return undefined;
  const aborted = description.kind === 'ord' && description.aborted;
  return {
    kind,
    account,
    lt,
    mcSeqno,
    now,
    aborted,
    source,
    ...request,
    customPayload: bagOf(inMessage, request.customPayload),
    forwardPayload: bagOf(inMessage, request.forwardPayload),
  };
}

function tryRequest(kind: EventKind, { cells, body }: Message): Request | undefined {
  try {
    const slice = sliceOf(cells, body);
    slice.skip(OPCODE_BITS);
    return readRequest(kind, slice);
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
}

/** Reads the known fields: anything may follow. */
function readRequest(kind: EventKind, slice: Slice): Request {
  const isBurn = kind === 'jetton_burn';
  // Fields are in read order: an object literal evaluates them from top to bottom.
  return {
    queryId: slice.uint64(),
    amount: kind === 'nft_transfer' ? undefined : slice.coins(),
    destination: isBurn ? undefined : readAddress(slice),
    responseDestination: readAddress(slice),
    customPayload: slice.maybeRef(),
    forwardAmount: isBurn ? undefined : slice.coins(),
    // An inline payload is not extracted.
    forwardPayload: isBurn ? -1 : slice.maybeRef(),
  };
}

/** The account of an address, if any; throws for address forms that no token accepts. */
function readAddress(slice: Slice): Buffer | undefined {
  const address = readMsgAddress(slice);
  if (address.kind === 'var' || (address.kind === 'std' && address.anycast !== undefined))
    throw new CellError('unexpected address form');
  return accountKeyOf(address);
}

function bagOf({ cells }: Message, cell: number): Buffer | undefined {
  return cell < 0 ? undefined : writeBoc({ cells, roots: [cell] }, { order: 'tonlib' });
}
