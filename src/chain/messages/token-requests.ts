import { CellError } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { writeBoc } from '../boc/writer.ts';
import { readBehindOpcode } from '../tlb/message.ts';
import { accountKeyOf, type MsgAddress, readMsgAddress } from '../tlb/msg-address.ts';
import type { Transaction } from '../tlb/transaction.ts';

export type TokenRequestKind = 'jetton_transfer' | 'jetton_burn' | 'nft_transfer';

/** The body of a request. Accounts have 33 bytes; cells are given by index, -1 where there is none. */
type RequestBody = Readonly<ReturnType<typeof readBody>>;

/** A request to transfer or burn tokens that a transaction received; whether its account is a token is not known here. */
export interface TokenRequest extends RequestBody {
  readonly kind: TokenRequestKind;
  readonly aborted: boolean;
  readonly source: Buffer;
}

const KINDS: ReadonlyMap<number, TokenRequestKind> = new Map([
  [0x0f8a7ea5, 'jetton_transfer'],
  [0x595f07bc, 'jetton_burn'],
  [0x5fcc3d14, 'nft_transfer'],
]);

/**
 * Reads a token request from the in message of a transaction; undefined for other or malformed messages. An account that
 * is not active afterwards is not a token.
 */
export function readTokenRequest({
  inMessage,
  description,
  endStatus,
}: Pick<Transaction, 'inMessage' | 'description' | 'endStatus'>): TokenRequest | undefined {
  if (inMessage?.opcode === undefined) return undefined;
  const kind = KINDS.get(inMessage.opcode);
  if (kind === undefined || inMessage.info.kind !== 'internal' || endStatus !== 'active') return undefined;
  if (kind !== 'nft_transfer' && description.kind !== 'ord') return undefined;
  const source = accountKeyOf(inMessage.info.src);
  const body = readBehindOpcode(inMessage, (slice) => readBody(kind, slice));
  if (source === undefined || body === undefined) return undefined;
  return { kind, aborted: description.kind === 'ord' && description.aborted, source, ...body };
}

/** Reads the known fields: anything may follow. */
function readBody(kind: TokenRequestKind, slice: Slice) {
  const isBurn = kind === 'jetton_burn';
  const queryId = slice.uint64();
  const amount = kind === 'nft_transfer' ? undefined : slice.coins();
  const destination = isBurn ? undefined : readAddress(slice);
  const response = readAddress(slice);
  // Fields are in read order: an object literal evaluates them from top to bottom.
  return {
    queryId,
    /** Undefined for NFTs. */
    amount,
    /** The new owner; undefined for addr_none, and for burns. */
    destination: destination && accountKeyOf(destination),
    responseDestination: accountKeyOf(response),
    /** The addresses of both that are outside the chain, by field. */
    outside: {
      ...(destination?.kind === 'extern' && { destination }),
      ...(response.kind === 'extern' && { responseDestination: response }),
    },
    customPayload: slice.maybeRef(),
    /** Undefined for burns. */
    forwardAmount: isBurn ? undefined : slice.coins(),
    // An inline payload is not extracted.

    /** Only if it is in its own cell. */
    forwardPayload: isBurn ? -1 : slice.maybeRef(),
  };
}

/** Throws for address forms that no token accepts. */
function readAddress(slice: Slice): MsgAddress {
  const address = readMsgAddress(slice);
  if (address.kind === 'var' || (address.kind === 'std' && address.anycast !== undefined))
    throw new CellError('unexpected address form');
  return address;
}

/** A payload of a request as a bag of cells in tonlib order with a checksum; undefined if there is none. */
export function payloadBag(
  { inMessage }: Pick<Transaction, 'inMessage'>,
  payload: number,
): Buffer | undefined {
  if (payload < 0) return undefined;
  return writeBoc({ cells: inMessage!.cells, roots: [payload] }, { order: 'tonlib' });
}
