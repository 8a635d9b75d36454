import { MASTERCHAIN } from '../../chain/block-id.ts';
import { CellBuilder } from '../../chain/boc/cell-builder.ts';
import type { CurrencyCollection } from '../../chain/tlb/currency.ts';
import { writeCurrencyCollection } from '../../chain/tlb-write/currency.ts';
import { buildInMsg } from '../../chain/tlb-write/in-msg.ts';
import { buildMessageEnvelope } from '../../chain/tlb-write/message-envelope.ts';
import { writeMsgAddress } from '../../chain/tlb-write/msg-address.ts';
import { bocOf } from '../run-surroundings.ts';
import type { BlockDraft } from './block-draft.ts';
import { isNothing } from './currency-math.ts';

const NOBODY = Buffer.alloc(32);
const DELIVERED = { kind: 'regular', destBits: 96 } as const;

/**
 * Pays an amount out of nowhere to a masterchain account: the fees of blocks to their collector, new currencies to
 * their minter. Gives the cell of the InMsg, -1 if the amount is nothing.
 */
export async function paySpecial(
  draft: BlockDraft,
  amount: CurrencyCollection,
  account: Buffer,
): Promise<number> {
  if (isNothing(amount)) return -1;
  const { arena, startLt } = draft.input;
  const message = buildMessage(draft, amount, account);
  const hash = Buffer.from(arena.hash(message));
  const cause = { message: bocOf(arena, message) };
  const made = await draft.maker.make({ account: draft.book.get(account), cause, lt: startLt + 1n });
  if (!('cell' in made)) throw new Error(`a special transaction was not made: ${made.text}`);
  const initiator = masterchainAccount(account);
  draft.note(made, { depth: 0, initiator, initiatorLt: made.lt }, false);
  const envelope = buildMessageEnvelope(arena, {
    current: DELIVERED,
    next: DELIVERED,
    fwdFeeRemaining: 0n,
    message,
    emittedLt: undefined,
    metadata: undefined,
  });
  const inMessage = { kind: 'imm', envelope, transaction: made.cell, fwdFee: 0n } as const;
  draft.addIn(hash, inMessage);
  return buildInMsg(arena, inMessage);
}

function buildMessage(draft: BlockDraft, amount: CurrencyCollection, account: Buffer): number {
  const { arena, startLt, now } = draft.input;
  // An internal message that bounces, without fees.
  const builder = new CellBuilder().uint(0b0110, 4);
  writeMsgAddress(builder, masterchainAccount(NOBODY));
  writeMsgAddress(builder, masterchainAccount(account));
  writeCurrencyCollection(builder, amount);
  builder.coins(0n).coins(0n).uint64(startLt).uint(now, 32);
  return arena.build(builder.boolean(false).boolean(false));
}

function masterchainAccount(hash: Buffer) {
  return { kind: 'std', workchain: MASTERCHAIN, hash, anycast: undefined } as const;
}
