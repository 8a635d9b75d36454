import Type, { type Static } from 'typebox';
import type { AccountStateRow } from '../../db/queries/transaction-states.ts';
import { PlainText } from '../../http/serializer.ts';
import { MapOf } from '../map-of.ts';
import { Nullable } from '../nullable.ts';
import { formatHash, formatHashOrNull } from '../value-texts.ts';

/** A state of an account before or after a transaction: all but the hash is null within a block, and where there is no account. */
export const accountStateSchema = Type.Object({
  hash: PlainText(),
  balance: Nullable(PlainText()),
  extra_currencies: Nullable(MapOf(PlainText())),
  account_status: Nullable(PlainText()),
  frozen_hash: Nullable(PlainText()),
  data_hash: Nullable(PlainText()),
  code_hash: Nullable(PlainText()),
});

const UNKNOWN = {
  balance: null,
  extra_currencies: null,
  account_status: null,
  frozen_hash: null,
  data_hash: null,
  code_hash: null,
};

/** Writes the state of an account at a transaction. */
export function toAccountState({ hash, known }: AccountStateRow): Static<typeof accountStateSchema> {
  if (known === undefined) return { hash: formatHash(hash), ...UNKNOWN };
  return {
    hash: formatHash(hash),
    balance: known.balance,
    extra_currencies: known.balance_extra ?? null,
    account_status: known.status,
    frozen_hash: formatHashOrNull(known.frozen_hash),
    data_hash: formatHashOrNull(known.data_hash),
    code_hash: formatHashOrNull(known.code_hash),
  };
}
