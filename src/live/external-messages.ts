import type { CellBag } from '../chain/boc/bag.ts';
import { CellError } from '../chain/boc/cells.ts';
import { writeBoc } from '../chain/boc/writer.ts';
import {
  beginsAsExternalIn,
  type ExternalInInfo,
  type ExternalParts,
  type Message,
  normalizedHash,
  readMessage,
  writeExternalMessage,
} from '../chain/tlb/message.ts';
import { Failure } from '../lib/errors.ts';
import type { Payer } from '../lib/payer.ts';

export interface ExternalMessage {
  /** The bag of cells that lite servers get. */
  readonly boc: Buffer;
  readonly hash: Buffer;
  /** Hash of the message in its normal form (TEP-467), by which it can be found in a block. */
  readonly normalizedHash: Buffer;
}

/** Told of every message that a lite server accepted; must not throw. */
export interface MessageListener {
  accepted(message: ExternalMessage, payer?: Payer | undefined): void;
}

/** Retries messages that no lite server accepts yet. */
export interface Resender {
  /**
   * Sends a message now and repeats that until it is accepted or a minute has passed. A message that is being retried
   * already is left alone. Throws when too many messages are waiting.
   */
  start(message: ExternalMessage, send: () => Promise<void>): void;
  /** Drops all waiting messages: the chain that they were for went back. */
  clear(): void;
  close(): void;
}

/** Twice what nodes accept by default; hashing and writing 100 000 cells would block the event loop. */
const MAX_CELLS = 16_384;
const NODE_ERROR = 'LITE_SERVER_UNKNOWN: cannot apply external message to current state : external message';
const TOO_LARGE = `${NODE_ERROR} too large, rejecting`;

/**
 * A cell is not an external message. The text is that of tonlib where it reads the message itself, to return hashes; clients
 * know it as a server failure.
 */
export class InvalidExternalMessage extends Failure {
  /** The text of a node, which clients get where tonlib sends the cell unread. */
  readonly nodeText: string;

  constructor(text: string, nodeText: string, cause?: unknown) {
    super('lite_server', text, { cause });
    this.nodeText = nodeText;
  }
}

export function readExternalMessage(bag: CellBag): ExternalMessage {
  if (bag.count > MAX_CELLS) throw new InvalidExternalMessage(TOO_LARGE, TOO_LARGE);
  try {
    return prepareMessage(bag, readMessage(bag, bag.root));
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    throw new InvalidExternalMessage('Failed to unpack Message', nodeTextOf(bag), error);
  }
}

function nodeTextOf(bag: CellBag): string {
  return beginsAsExternalIn(bag, bag.root)
    ? `${NODE_ERROR} is not a (Message Any) according to automated checks`
    : `${NODE_ERROR} must begin with ext_in_msg_info$10`;
}

function prepareMessage(bag: CellBag, message: Message): ExternalMessage {
  const { info } = message;
  if (info.kind !== 'external-in')
    throw new InvalidExternalMessage('CommonMsgInfo tag is not ext_in_msg_info', nodeTextOf(bag));
  checkAddresses(info);
  return {
    // Serialised again, so that nodes get neither an index nor unreferenced cells.
    boc: writeBoc({ cells: bag, roots: [bag.root] }, { order: 'tonlib', crc: false }),
    hash: Buffer.from(message.hash),
    normalizedHash: normalizedHash(message),
  };
}

/** An external message comes from no account and goes to one. */
function checkAddresses({ src, dest }: ExternalInInfo): void {
  if (src.kind === 'std' || src.kind === 'var') throw new CellError('external message from an account');
  if (dest.kind === 'none' || dest.kind === 'extern')
    throw new CellError('external message without a destination account');
}

/** Builds an external message of a body and an optional init, in the layout of tonlib. */
export function buildExternalMessage(parts: ExternalParts): CellBag {
  try {
    return writeExternalMessage(parts);
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    throw new Failure('lite_server', 'Failed to create external message', { cause: error });
  }
}
