import type { Static } from 'typebox';
import Type from 'typebox';
import type { Db } from '../db/tables/tables.ts';
import type { Parameter, ParameterValues } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import {
  type NftItemFilters,
  type NftItemRow,
  nftCollectionKeys,
  nftItemKeys,
  readCollectionsOf,
  readNftCollections,
  readNftItems,
} from '../index/read/nfts.ts';
import { bytesKey, distinctBytes } from '../lib/bytes-key.ts';
import { loadAddressInfoFields, withAddressInfo } from './address-book.ts';
import { readList, windowParams } from './list-parameters.ts';
import { defineV3Operation, type ListLimits } from './operation.ts';
import { accountParam, accountsParam, booleanParam, MAX_ADDRESSES, stringKind } from './parameter-kinds.ts';
import { invalidParameter, listParam } from './parameters.ts';
import {
  account,
  attributes,
  contractState,
  defineRow,
  flag,
  member,
  nullable,
  optional,
  text,
  words,
} from './row-json.ts';
import * as event from './token-events.ts';
import { formatAccount, Nullable } from './values.ts';

export const createNftCollections = (limits: ListLimits) =>
  defineV3Operation({
    name: 'nft/collections',
    tag: 'nfts',
    summary: 'NFT collections',
    description: 'Ordered by when they were indexed, or by address if they are filtered.',
    parameters: {
      collection_address: accountsParam('Collection addresses.', { max: MAX_ADDRESSES }),
      owner_address: accountsParam('Collections of these owners.', { max: MAX_ADDRESSES }),
      ...windowParams(limits),
    },
    result: withAddressInfo('NFTCollectionsResponse', { nft_collections: Type.Array(nftCollection.schema) }),
    handler: (params, call) => {
      const filters = { accounts: params.collection_address, owners: params.owner_address };
      return readList(call, params, {
        keys: nftCollectionKeys(filters),
        read: (db, page) => readNftCollections(db, { ...filters, page }),
        show: async (rows, db) => ({
          nft_collections: rows.map(nftCollection.write),
          ...(await loadAddressInfoFields(call, db, nftCollection.accountsOf(rows))),
        }),
      });
    },
  });

const nftCollection = defineRow('NFTCollection', {
  address: account('account'),
  owner_address: nullable(account('owner')),
  next_item_index: text('next_item_index', '-1 if items are not numbered.'),
  collection_content: attributes('content'),
  ...contractState,
});

export const createNftItems = (limits: ListLimits) =>
  defineV3Operation({
    name: 'nft/items',
    tag: 'nfts',
    summary: 'NFT items',
    description:
      'Ordered by index for one collection; else by owner, collection and index if owners are given; else by address if addresses are given; else by when they were indexed.',
    parameters: nftItemParams(limits),
    result: withAddressInfo('NFTItemsResponse', { nft_items: Type.Array(nftItem.schema) }),
    handler: (params, call) => {
      const filters = nftItemFilters(params);
      return readList(call, params, {
        keys: nftItemKeys(filters),
        read: (db, page) => readNftItems(db, { ...filters, page }),
        show: async (rows, db) => ({
          nft_items: await toNftItems(db, rows),
          ...(await loadAddressInfoFields(call, db, rows.flatMap(accountsOfItem))),
        }),
      });
    },
  });

const MAX_INDEXES = 1000;
/** Digits of the largest number that a contract can return. */
const MAX_DIGITS = 78;
/** Replaces any index that no item can have. */
const TOO_LARGE = `1${'0'.repeat(MAX_DIGITS)}`;

function nftItemParams(limits: ListLimits) {
  return {
    address: accountsParam('NFT item addresses.'),
    owner_address: accountsParam('Items of these owners.'),
    collection_address: accountsParam(
      'Items of these collections; several collections need exactly one owner.',
    ),
    index: indexParam(),
    include_on_sale: booleanParam("Count items on sale as the seller's. Only with `owner_address`.", {
      fallback: false,
    }),
    sort_by_last_transaction_lt: booleanParam('Order by last transaction, the newest first.', {
      fallback: false,
    }),
    ...windowParams(limits),
  };
}

/** Converts the parameters to filters; refuses combinations that have no sort order. */
function nftItemFilters(
  params: Omit<ParameterValues<ReturnType<typeof nftItemParams>>, 'limit' | 'offset' | 'cursor'>,
): NftItemFilters {
  const { address: accounts, owner_address: owners, collection_address: collections, index } = params;
  if (index.length > 0 && collections.length === 0)
    throw invalidParameter('index', 'index parameter is not allowed without the collection_address');
  if (index.length > 0 && collections.length > 1)
    throw invalidParameter('index', 'index parameter is not allowed with more than one collection_address');
  if (collections.length > 1 && owners.length !== 1)
    throw invalidParameter(
      'collection_address',
      'exact one owner_address required for multiple collection_address',
    );
  return {
    accounts,
    owners,
    collections,
    indexes: index,
    bySeller: params.include_on_sale && owners.length > 0,
    isByLastChange: params.sort_by_last_transaction_lt,
  };
}

function indexParam(): Parameter<readonly string[]> {
  const list = listParam(stringKind, 'Indexes of items in the collection; repeat the name for several.', {
    max: MAX_INDEXES,
  });
  return {
    ...list,
    read: (input) =>
      list.read(input).map((text) => {
        if (!/^[0-9]+$/.test(text)) throw invalidParameter(input.name, 'index should contain digits only');
        const digits = text.replace(/^0+(?=.)/, '');
        return digits.length > MAX_DIGITS ? TOO_LARGE : digits;
      }),
  };
}

export const nftItem = defineRow('NFTItem', {
  address: account('account'),
  init: flag('init'),
  index: words('index', 'Decimal; the name for a Telegram item on sale.'),
  collection_address: nullable(account('collection')),
  owner_address: nullable(account('owner')),
  content: nullable(attributes('content')),
  ...contractState,
  collection: member(Nullable(nftCollection.schema), ({ ownCollection }: ShownItem) => ownCollection ?? null),
  on_sale: member(
    Type.Boolean({ description: 'The owner is a sale or auction contract.' }),
    ({ sale, auction }: Pick<NftItemRow, 'sale' | 'auction'>) => sale !== null || auction !== null,
  ),
  sale_contract_address: optional(account('sale')),
  auction_contract_address: optional(account('auction')),
  real_owner: optional(account('seller', 'The seller.')),
});

export type NftItemJson = Static<typeof nftItem.schema>;

interface ShownItem {
  readonly ownCollection: Static<typeof nftCollection.schema> | null | undefined;
}

export function accountsOfItem(row: NftItemRow): (Buffer | null)[] {
  const { account, collection, owner, seller, sale, auction } = row;
  return [account, collection, owner, seller, sale, auction];
}

/** Writes NFT items with their collections, in the order of the rows. */
export async function toNftItems(db: Db, rows: readonly NftItemRow[]): Promise<NftItemJson[]> {
  const accounts = distinctBytes(rows.flatMap(({ collection }) => collection ?? []));
  const collections = await readCollectionsOf(db, { accounts });
  const byAccount = new Map(collections.map((row) => [bytesKey(row.account), nftCollection.write(row)]));
  return rows.map((row) =>
    nftItem.write({ ...row, ownCollection: row.collection && byAccount.get(bytesKey(row.collection)) }),
  );
}

export const createNftTransfers = (limits: ListLimits) =>
  defineV3Operation({
    name: 'nft/transfers',
    tag: 'nfts',
    summary: 'NFT transfers',
    description: 'Transfer requests to NFT items, newest first, including aborted ones.',
    parameters: {
      owner_address: accountsParam('Transfers from or to these owners.'),
      item_address: accountsParam('Transfers of these items.'),
      collection_address: accountParam('Transfers of items of this collection.'),
      direction: event.directionParam(),
      ...event.listParams(limits),
    },
    result: withAddressInfo('NFTTransfersResponse', { nft_transfers: Type.Array(nftTransfer.schema) }),
    handler: (params, call) =>
      event.readPage(call, params, {
        table: 'nft_transfers',
        accounts: params.item_address,
        token: params.collection_address,
        row: nftTransfer,
      }),
  });

const nftTransfer = defineRow('NFTTransfer', {
  query_id: event.queryId,
  nft_address: event.account,
  nft_collection: member(
    PlainText({ description: 'Empty for an item without a collection.' }),
    ({ token }: event.ShownEvent) => (token === null ? '' : formatAccount(token)),
  ),
  ...event.transaction,
  old_owner: event.requester('Who requested the transfer.'),
  new_owner: event.address('destination', 'An address, `addr_none` or `ext$…`.'),
  response_destination: event.address('responseDestination', 'An address, `addr_none` or `ext$…`.'),
  ...event.customPayload,
  forward_amount: event.forwardAmount,
  ...event.forwardPayload,
  trace_id: event.traceId,
});
