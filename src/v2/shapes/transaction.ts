import Type from 'typebox';
import { formatRaw } from '../../chain/address/format-address.ts';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import { PlainText } from '../../http/serializer.ts';
import { AccountAddress, accountAddress, friendlyAddress } from './account-address.ts';
import { BocText, bocText } from './cell-bytes.ts';
import { Amount, ExtMessage, extMessage, RawMessage, rawMessage } from './message.ts';
import { TransactionId, transactionId } from './transaction-id.ts';

const Fields = {
  address: AccountAddress,
  utime: Type.Integer(),
  data: BocText(),
  transaction_id: TransactionId,
  fee: Amount(),
  storage_fee: Amount(),
  other_fee: PlainText({ pattern: '^-?[0-9]+$' }),
};

const Account = PlainText({ pattern: '^-?[0-9]+:[0-9A-F]{64}$' });
const RawMessages = { in_msg: Type.Optional(RawMessage), out_msgs: Type.Array(RawMessage) };

/** `raw.transaction`. */
export const RawTransaction = Type.Object({
  '@type': Type.Literal('raw.transaction'),
  ...Fields,
  ...RawMessages,
});

/** `raw.transactionExt`: with the account in its raw form. */
export const RawTransactionExt = Type.Object({
  '@type': Type.Literal('raw.transactionExt'),
  account: Account,
  ...Fields,
  ...RawMessages,
});

/** `ext.transaction`: with the account in its raw form, and messages in theirs for people. */
export const ExtTransaction = Type.Object({
  '@type': Type.Literal('ext.transaction'),
  account: Account,
  ...Fields,
  in_msg: Type.Optional(ExtMessage),
  out_msgs: Type.Array(ExtMessage),
});

/** Writes `raw.transaction`. */
export function rawTransaction(transaction: Transaction) {
  return {
    '@type': 'raw.transaction' as const,
    ...fieldsOf(transaction),
    ...messagesOf(transaction, rawMessage),
  };
}

/** Writes `raw.transactionExt`. */
export function rawTransactionExt(transaction: Transaction) {
  return {
    '@type': 'raw.transactionExt' as const,
    account: formatRaw(transaction.account, 'upper'),
    ...fieldsOf(transaction),
    ...messagesOf(transaction, rawMessage),
  };
}

/** Writes `ext.transaction`. */
export function extTransaction(transaction: Transaction) {
  return {
    '@type': 'ext.transaction' as const,
    account: formatRaw(transaction.account, 'upper'),
    ...fieldsOf(transaction),
    ...messagesOf(transaction, extMessage),
  };
}

function fieldsOf(transaction: Transaction) {
  const { cells, cell, account, now, lt, hash } = transaction;
  const fee = feeOf(transaction);
  const storageFee = storageFeeOf(transaction);
  return {
    address: accountAddress(friendlyAddress(account)),
    utime: now,
    data: bocText(cells, cell),
    transaction_id: transactionId(lt, hash),
    fee: String(fee),
    storage_fee: String(storageFee),
    other_fee: String(fee - storageFee),
  };
}

/** Ticks, tocks and halves of a split or merge have no inbound message: the key is left out then. */
function messagesOf<M>(
  { inMessage, outMessages }: Transaction,
  write: (message: NonNullable<typeof inMessage>) => M,
) {
  return {
    ...(inMessage !== undefined && { in_msg: write(inMessage) }),
    out_msgs: outMessages.map(write),
  };
}

/** All that the account paid: what the block's validators got, and what its messages carry along. */
function feeOf({ totalFees, outMessages }: Transaction): bigint {
  let fee = totalFees.grams;
  for (const { info } of outMessages) if (info.kind === 'internal') fee += info.fwdFee;
  return fee;
}

function storageFeeOf({ description }: Transaction): bigint {
  return ('storage' in description ? description.storage?.storageFeesCollected : undefined) ?? 0n;
}
