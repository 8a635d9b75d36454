import Type, { type Static } from 'typebox';
import type { ListedContract } from '../../db/queries/contract-page.ts';
import { PlainText } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';
import { contractStateSchema, toContractState } from '../state-json.ts';

/** A wallet of a jetton. */
export const jettonWalletSchema = Type.Object({
  address: PlainText(),
  balance: PlainText({ description: 'In the smallest units.' }),
  owner: PlainText(),
  jetton: PlainText(),
  ...contractStateSchema,
});

/** Writes a wallet of a jetton. What a mintless jetton holds ready for it is not known. */
export function toJettonWallet(row: ListedContract<'jetton_wallets'>): Static<typeof jettonWalletSchema> {
  return {
    address: formatAccount(row.account),
    balance: row.balance,
    owner: formatAccount(row.owner),
    jetton: formatAccount(row.jetton),
    ...toContractState(row),
  };
}

/** A wallet as the docs page shows it. */
export const JETTON_WALLET_EXAMPLE: Static<typeof jettonWalletSchema> = {
  address: '0:9E5A6F6A2F4B8A3F3E1A5C0D7B2E4F6081A3C5E7092B4D6F8193A5C7E90B2D4F',
  balance: '250000',
  owner: '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
  jetton: '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE',
  last_transaction_lt: '46000000005',
  code_hash: 'iUaPAseQ20w9UF47aGtkPy9tnVgzc6hC3ZOwKdx0sBA=',
  data_hash: 'Tq9fm3yQbQ2pDMnVVqvY8nBRqwYRNUWzQDXWO3T2cmg=',
};
