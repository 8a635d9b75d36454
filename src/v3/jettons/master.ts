import Type, { type Static } from 'typebox';
import type { ListedContract } from '../../db/queries/contract-page.ts';
import { PlainText } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';
import { MapOf } from '../map-of.ts';
import { Nullable } from '../nullable.ts';
import { contractStateSchema, toContractState } from '../state-json.ts';
import { formatHash } from '../value-texts.ts';

/** A jetton. */
export const jettonMasterSchema = Type.Object({
  address: PlainText(),
  total_supply: PlainText({ description: 'In the smallest units.' }),
  mintable: Type.Boolean(),
  admin_address: Nullable(PlainText()),
  jetton_content: MapOf(Type.String()),
  jetton_wallet_code_hash: PlainText(),
  ...contractStateSchema,
});

/** Writes a jetton. */
export function toJettonMaster(row: ListedContract<'jetton_masters'>): Static<typeof jettonMasterSchema> {
  return {
    address: formatAccount(row.account),
    total_supply: row.total_supply,
    mintable: row.mintable,
    admin_address: row.admin && formatAccount(row.admin),
    jetton_content: row.content,
    jetton_wallet_code_hash: formatHash(row.wallet_code_hash),
    ...toContractState(row),
  };
}

/** A jetton as the docs page shows it. */
export const JETTON_MASTER_EXAMPLE: Static<typeof jettonMasterSchema> = {
  address: '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE',
  total_supply: '1000000000',
  mintable: true,
  admin_address: null,
  jetton_content: { uri: 'https://example.org/jetton.json', decimals: '6' },
  jetton_wallet_code_hash: 'iUaPAseQ20w9UF47aGtkPy9tnVgzc6hC3ZOwKdx0sBA=',
  last_transaction_lt: '46000000001',
  code_hash: 'G8ZBk3TCN1gQ5Uk/mCmVkP3aF19ZzF5nY6dPDVU1yxs=',
  data_hash: 'DbvGSdWtsZ6JGxKvkCbhBG3oKw3PqmCH3uVTO4L3C/U=',
};
