import Type from 'typebox';
import { PlainText } from '../http/serializer.ts';
import { formatAccount } from './account-bytes.ts';
import { Nullable } from './nullable.ts';
import { formatHash } from './value-texts.ts';

/** What answers show of the transaction of a transfer or a burn. */
export const eventTransactionSchema = {
  transaction_hash: PlainText(),
  transaction_lt: PlainText(),
  transaction_now: Type.Integer(),
  transaction_aborted: Type.Boolean(),
};

/** A payload. */
export const payloadSchema = Nullable(PlainText({ description: 'A bag of cells; null when there is none.' }));

interface TransactionOfEvent {
  readonly hash: Buffer;
  readonly lt: string;
  readonly now: string;
  readonly aborted: boolean;
}

/** Writes the transaction of an event. */
export function toEventTransaction({ hash, lt, now, aborted }: TransactionOfEvent) {
  return {
    transaction_hash: formatHash(hash),
    transaction_lt: lt,
    transaction_now: Number(now),
    transaction_aborted: aborted,
  };
}

/** An address that stands in the body of a message, where there may be none. */
export function formatNamed(account: Buffer | null): string {
  return account === null ? 'addr_none' : formatAccount(account);
}

/** A payload as base64. */
export function formatPayload(boc: Buffer | null): string | null {
  return boc === null ? null : boc.toString('base64');
}
