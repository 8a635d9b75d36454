import type { Selectable } from 'kysely';
import Type, { type Static } from 'typebox';
import type { TelemintItemsTable } from '../../db/contract-tables.ts';
import type { NftSaleRows } from '../../db/queries/nft-sales.ts';
import { Int64, PlainText } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';
import { contractStateSchema, toContractState } from '../state-json.ts';
import { type NftItemJson, nftItemSchema } from './item.ts';
import { saleDetailsSchema, toAuctionDetails, toFixPriceDetails, toTelemintDetails } from './sale-details.ts';

/** A contract that sells an NFT. */
export const nftSaleSchema = Type.Object({
  type: Type.Enum(['getgems_sale', 'getgems_auction', 'telemint']),
  address: PlainText(),
  nft_address: Type.Optional(PlainText()),
  nft_owner_address: Type.Optional(PlainText()),
  marketplace_address: Type.Optional(PlainText()),
  created_at: Type.Optional(Int64()),
  ...contractStateSchema,
  details: saleDetailsSchema,
  nft_item: Type.Optional(nftItemSchema),
});

type NftSaleJson = Static<typeof nftSaleSchema>;

/** Writes sales: those for a fixed price, then auctions, then items of Telegram. The NFTs are by raw address. */
export function toNftSales(rows: NftSaleRows, items: ReadonlyMap<string, NftItemJson>): NftSaleJson[] {
  const show = (type: NftSaleJson['type'], row: GetGemsRow) => toSale(type, row, items);
  return [
    ...rows.sales.map((row) => ({ ...show('getgems_sale', row), details: toFixPriceDetails(row) })),
    ...rows.auctions.map((row) => ({ ...show('getgems_auction', row), details: toAuctionDetails(row) })),
    ...rows.telemintItems.map(toTelemintSale),
  ];
}

type GetGemsRow = NftSaleRows['sales'][number] | NftSaleRows['auctions'][number];

function toSale(
  type: NftSaleJson['type'],
  row: GetGemsRow,
  items: ReadonlyMap<string, NftItemJson>,
): Omit<NftSaleJson, 'details'> {
  const item = items.get(formatAccount(row.nft));
  return {
    type,
    address: formatAccount(row.account),
    nft_address: formatAccount(row.nft),
    ...(row.nft_owner && { nft_owner_address: formatAccount(row.nft_owner) }),
    marketplace_address: formatAccount(row.marketplace),
    created_at: BigInt(row.created_at),
    ...toContractState(row),
    ...(item && { nft_item: item }),
  };
}

/** Such an item sells itself. */
function toTelemintSale(row: Selectable<TelemintItemsTable>): NftSaleJson {
  const address = formatAccount(row.account);
  return {
    type: 'telemint',
    address,
    nft_address: address,
    ...toContractState(row),
    details: toTelemintDetails(row),
    nft_item: {
      address,
      init: true,
      index: row.token_name,
      collection_address: null,
      owner_address: null,
      content: null,
      ...toContractState(row),
      collection: null,
      on_sale: false,
    },
  };
}

/** The accounts that sales name. */
export function accountsOfSales({ sales, auctions, telemintItems }: NftSaleRows): (Buffer | null)[] {
  return [
    ...sales.flatMap((row) => [row.marketplace_fee_address, row.royalty_address]),
    ...auctions.flatMap((row) => [row.last_member, row.marketplace_fee_address, row.royalty_address]),
    ...[...sales, ...auctions].flatMap((row) => [row.account, row.nft, row.nft_owner, row.marketplace]),
    ...telemintItems.flatMap((row) => [row.account, row.bidder, row.beneficiary, row.royalty_destination]),
  ];
}
