import type { AccountId } from '../chain/address.ts';
import { type CellBag, readBoc } from '../chain/boc/bag.ts';
import { CellError, type Cells } from '../chain/boc/cells.ts';
import { writeCellBoc } from '../chain/boc/writer.ts';
import { type Message, normalizedHash, readMessage } from '../chain/tlb/message.ts';
import { accountOf } from '../chain/tlb/msg-address.ts';

/** A message that an emulation starts with. */
export type StartMessage = UndeliveredMessage & { readonly normalizedHash: Buffer };

/** What nodes accept of external messages unless the config says otherwise, as on all public networks. */
const MAX_BYTES = 65_535;
const MAX_DEPTH = 512;

/** Reads an external message; returns the reason if no node would accept it. */
export function readExternalStart(boc: Uint8Array): StartMessage | string {
  if (boc.length > MAX_BYTES) return 'the message is too large';
  try {
    const bag = readBoc(boc);
    if (bag.levelMask(bag.root) !== 0) return 'the message is a part of a proof';
    if (bag.depth(bag.root) >= MAX_DEPTH) return 'the message is too deep';
    const message = readMessage(bag, bag.root);
    if (message.info.kind !== 'external-in') return 'the message is not one from outside';
    return startOf(boc, bag, message);
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    return `the message cannot be read: ${error.message}`;
  }
}

/** Reads an internal message; throws a CellError for any other. */
export function readInternalStart(boc: Uint8Array): StartMessage {
  const bag = readBoc(boc);
  const message = readMessage(bag, bag.root);
  if (message.info.kind !== 'internal') throw new CellError('the message is not one between accounts');
  return startOf(boc, bag, message);
}

/** The destination of a message; undefined for an external one, or an address of another kind. */
export function receiverOf({ info }: Pick<Message, 'info'>): AccountId | undefined {
  if (info.kind === 'external-out' || info.dest.kind !== 'std') return undefined;
  return { workchain: info.dest.workchain, hash: Buffer.from(accountOf(info.dest)) };
}

function startOf(boc: Uint8Array, bag: CellBag, message: Message): StartMessage {
  const to = receiverOf(message);
  if (to === undefined) throw new CellError('its receiver is not an account');
  const { info } = message;
  return {
    boc,
    hash: Buffer.from(bag.hash(bag.root)),
    to,
    isExternal: info.kind === 'external-in',
    normalizedHash: Buffer.from(normalizedHash(message)),
    lt: info.kind === 'internal' ? info.createdLt : 0n,
    parent: undefined,
    depth: 0,
  };
}

/** A message to deliver; one that an emulated transaction sent lies in the cells of that transaction. */
export type UndeliveredMessage = {
  readonly hash: Buffer;
  readonly to: AccountId;
  /** Logical time at which it was sent; 0 for an external message. */
  readonly lt: bigint;
  readonly isExternal: boolean;
  /** Index of the transaction that sent it; undefined for a start message. */
  readonly parent: number | undefined;
  /** Number of messages before it in its chain. */
  readonly depth: number;
} & ({ readonly boc: Uint8Array } | { readonly cells: Cells; readonly cell: number });

/** A message as a bag of cells. */
export function bocOf(message: UndeliveredMessage): Uint8Array {
  if ('boc' in message) return message.boc;
  return writeCellBoc(message.cells, message.cell);
}
