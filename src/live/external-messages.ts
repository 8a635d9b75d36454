import type { CellBag } from '../chain/boc/bag.ts';
import { CellError } from '../chain/boc/cells.ts';
import { writeBoc } from '../chain/boc/writer.ts';
import { type ExternalParts, writeExternalMessage } from '../chain/tlb/external-message.ts';
import { type ExternalInInfo, type Message, normalizedHash, readMessage } from '../chain/tlb/message.ts';
import { Failure } from '../lib/errors.ts';
import type { Payer } from '../lib/payer.ts';

/** An external message that at least one lite server has taken. */
export interface ExternalMessage {
  /** The bag of cells as it was sent. */
  readonly boc: Buffer;
  /** Hash of the message as it was sent. */
  readonly hash: Buffer;
  /** Hash of the message in its normal form, by which it can be found in a block. */
  readonly normalizedHash: Buffer;
}

/** Told of every message that was sent; what it does with it is its own affair, so it must not throw. */
export interface MessageListener {
  accepted(message: ExternalMessage, payer?: Payer | undefined): void;
}

/** Sends messages again that no lite server takes yet. */
export interface Resender {
  /**
   * Sends a message now and then again, until it is taken or a minute is over; one that is under way already is left
   * to it. Throws when there are too many.
   */
  start(message: ExternalMessage, send: () => Promise<void>): void;
  /** Ends all of it. */
  close(): void;
}

/** Twice as many as nodes take of a message by default; to hash and write a hundred thousand would hold up everybody. */
const MAX_CELLS = 16_384;
const TOO_LARGE =
  'LITE_SERVER_UNKNOWN: cannot apply external message to current state : external message too large, rejecting';

/** Checks that a cell is a message from outside and makes it ready to be sent; refusals are in the words of tonlib. */
export function readExternalMessage(bag: CellBag): ExternalMessage {
  if (bag.count > MAX_CELLS) throw new Failure('lite_server', TOO_LARGE);
  try {
    return prepareMessage(bag, readMessage(bag, bag.root));
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    throw new Failure('lite_server', 'Failed to unpack Message', { cause: error });
  }
}

function prepareMessage(bag: CellBag, message: Message): ExternalMessage {
  const { info } = message;
  if (info.kind !== 'external-in')
    throw new Failure('lite_server', 'CommonMsgInfo tag is not ext_in_msg_info');
  checkAddresses(info);
  return {
    // Written anew, so that nodes get neither an index nor cells that belong to nothing.
    boc: writeBoc({ cells: bag, roots: [bag.root] }, { order: 'tonlib', crc: false }),
    hash: Buffer.from(message.hash),
    normalizedHash: normalizedHash(message),
  };
}

/** Accounts do not write from outside, and only they are written to. */
function checkAddresses({ src, dest }: ExternalInInfo): void {
  if (src.kind === 'std' || src.kind === 'var') throw new CellError('a message from an account');
  if (dest.kind === 'none' || dest.kind === 'extern') throw new CellError('a message to no account');
}

/** The message that a body and an init make, as tonlib puts it together. */
export function buildExternalMessage(parts: ExternalParts): CellBag {
  try {
    return writeExternalMessage(parts);
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    throw new Failure('lite_server', 'Failed to create external message', { cause: error });
  }
}
