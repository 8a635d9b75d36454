import Type, { type Static } from 'typebox';
import { PlainText } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';
import type { createNaming } from '../address-book.ts';
import { MapOf } from '../map-of.ts';
import { Nullable } from '../nullable.ts';
import type { KnownAccount } from './known-account.ts';

/** What an account can be. */
export const accountStatusSchema = Type.Enum(['uninit', 'frozen', 'active', 'nonexist']);

/** The newest state of an account. */
export const accountStateSchema = Type.Object({
  address: PlainText(),
  account_state_hash: PlainText(),
  balance: PlainText({ description: 'Nanotons.' }),
  extra_currencies: MapOf(PlainText()),
  status: accountStatusSchema,
  frozen_hash: Type.Optional(PlainText({ description: 'Of the state that a frozen account has given up.' })),
  last_transaction_hash: PlainText(),
  last_transaction_lt: PlainText(),
  data_hash: Type.Optional(PlainText()),
  code_hash: Type.Optional(PlainText()),
  data_boc: Type.Optional(PlainText({ description: 'Absent also when it is not in the index yet.' })),
  code_boc: Type.Optional(PlainText({ description: 'Absent also when it is not in the index yet.' })),
  contract_methods: Nullable(
    Type.Array(Type.Integer(), { description: 'Ids of get-methods; null when they are not known.' }),
  ),
  interfaces: Nullable(Type.Array(Type.String(), { description: 'What the contract is, by its code.' })),
});

/** Writes the state of an account. */
export function accountState(
  row: KnownAccount,
  {
    includeBoc,
    namesOf,
  }: { readonly includeBoc: boolean; readonly namesOf: ReturnType<typeof createNaming> },
): Static<typeof accountStateSchema> {
  const { code_hash, data_hash, frozen_hash, code, data, methods } = row;
  return {
    address: formatAccount(row.account),
    account_state_hash: row.hash.toString('base64'),
    balance: row.balance,
    extra_currencies: row.balance_extra ?? {},
    status: row.status,
    ...(frozen_hash && { frozen_hash: frozen_hash.toString('base64') }),
    last_transaction_hash: row.last_trans_hash.toString('base64'),
    last_transaction_lt: row.last_trans_lt,
    ...(data_hash && { data_hash: data_hash.toString('base64') }),
    ...(code_hash && { code_hash: code_hash.toString('base64') }),
    ...(includeBoc && data && { data_boc: data.toString('base64') }),
    ...(includeBoc && code && { code_boc: code.toString('base64') }),
    contract_methods: methods === null ? null : [...methods],
    interfaces: code_hash === null ? [] : namesOf(row),
  };
}
