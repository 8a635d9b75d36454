import Type, { type Static } from 'typebox';
import type { ListedContract } from '../../db/queries/contract-page.ts';
import { Int64, PlainText } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';

/** A vesting wallet. */
export const vestingSchema = Type.Object({
  address: PlainText(),
  start_time: Int64(),
  total_duration: Int64(),
  unlock_period: Int64(),
  cliff_duration: Int64(),
  sender_address: PlainText(),
  owner_address: PlainText(),
  total_amount: PlainText(),
  whitelist: Type.Array(PlainText(), { description: 'Who may be paid at any time.' }),
});

/** Writes a vesting wallet. */
export function toVesting(row: ListedContract<'vestings'>): Static<typeof vestingSchema> {
  return {
    address: formatAccount(row.account),
    start_time: BigInt(row.start_time),
    total_duration: BigInt(row.total_duration),
    unlock_period: BigInt(row.unlock_period),
    cliff_duration: BigInt(row.cliff_duration),
    sender_address: formatAccount(row.sender),
    owner_address: formatAccount(row.owner),
    total_amount: row.total_amount,
    whitelist: row.whitelist.map(formatAccount).sort(),
  };
}
