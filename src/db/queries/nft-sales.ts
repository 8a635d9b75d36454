import type { Kysely, Selectable } from 'kysely';
import type { NftAuctionsTable, NftSalesTable, TelemintItemsTable } from '../contract-tables.ts';
import type { Tables } from '../tables.ts';

/** Contracts that sell NFTs, each kind by address. */
export interface NftSaleRows {
  readonly sales: readonly Selectable<NftSalesTable>[];
  readonly auctions: readonly Selectable<NftAuctionsTable>[];
  readonly telemintItems: readonly Selectable<TelemintItemsTable>[];
}

/** The contracts that sell NFTs among these accounts. */
export async function readNftSales(
  db: Kysely<Tables>,
  { accounts }: { readonly accounts: readonly Buffer[] },
): Promise<NftSaleRows> {
  const sales = db.selectFrom('nft_sales').selectAll().where('account', 'in', accounts);
  const auctions = db.selectFrom('nft_auctions').selectAll().where('account', 'in', accounts);
  const telemintItems = db.selectFrom('telemint_items').selectAll().where('account', 'in', accounts);
  return {
    sales: await sales.orderBy('account').execute(),
    auctions: await auctions.orderBy('account').execute(),
    telemintItems: await telemintItems.orderBy('account').execute(),
  };
}
