import { CellFault } from '../../chain/boc/cell-fault.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import type { TransactionMetadata } from '../../chain/tl/transaction-ids.ts';
import type { BlockExtra } from '../../chain/tlb/block-extra.ts';
import { skipCurrencyCollection } from '../../chain/tlb/currency.ts';
import { lookUp } from '../../chain/tlb/dictionary.ts';
import { readInMsg } from '../../chain/tlb/in-msg.ts';
import { readMessageEnvelope } from '../../chain/tlb/message-envelope.ts';

const HASH_BITS = 256;
/** The reference of a transaction that leads to its messages. */
const MESSAGES = 0;

/** Who started the chain of messages that led to a transaction, where its block says so. */
export function messageMetadata(
  cells: Cells,
  extra: BlockExtra,
  transaction: number,
): TransactionMetadata | undefined {
  const envelope = envelopeOf(cells, extra, transaction);
  const metadata = envelope < 0 ? undefined : readMessageEnvelope(cells, envelope).metadata;
  if (metadata === undefined) return undefined;
  const { depth, initiator, initiatorLt } = metadata;
  if (initiator.kind !== 'std') throw new CellFault('message metadata without an account');
  const { workchain, hash } = initiator;
  return { mode: 0, depth, initiator: { workchain, hash }, initiatorLt: BigInt.asIntN(64, initiatorLt) };
}

/** Opens the envelope of the message that led to a transaction, so that a proof shows it. */
export function showMessageEnvelope(cells: Cells, extra: BlockExtra, transaction: number): void {
  const envelope = envelopeOf(cells, extra, transaction);
  if (envelope >= 0) cells.assertReadable(envelope);
}

/** The envelope in which the inbound message of a transaction came, or -1 for one that came without. */
function envelopeOf(cells: Cells, extra: BlockExtra, transaction: number): number {
  cells.assertReadable(transaction);
  const message = new Slice(cells, cells.ref(transaction, MESSAGES)).maybeRef();
  if (message < 0) return -1;
  const messages = new Slice(cells, extra.inMsgDescr).maybeRef();
  const entry = messages < 0 ? undefined : lookUp(cells, messages, HASH_BITS, cells.hash(message));
  if (entry === undefined) throw new CellFault('a block without one of its inbound messages');
  // What the message paid.
  entry.coins();
  skipCurrencyCollection(entry);
  const inMsg = readInMsg(entry);
  return inMsg.kind === 'imm' || inMsg.kind === 'fin' || inMsg.kind === 'deferred_fin' ? inMsg.envelope : -1;
}
