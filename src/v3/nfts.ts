import type { Kysely, Selectable } from 'kysely';
import type { Static } from 'typebox';
import Type from 'typebox';
import type { NftCollectionsTable } from '../db/tables/contract-tables.ts';
import type { Tables } from '../db/tables/tables.ts';
import { defineOperation, type Operation, type Parameter, type ParameterValues } from '../http/operation.ts';
import { asItem, PlainText } from '../http/serializer.ts';
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
import { addressInfoFields, loadAddressInfoFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { type DecodedBodies, decodedBodySchema } from './decoded-bodies.ts';
import { compileReadyText } from './envelope.ts';
import { recordedExample } from './examples.ts';
import { type ListLimits, noteNextCursor, toWindow, windowParams } from './list-parameters.ts';
import { accountParam, accountsParam, booleanParam, MAX_ADDRESSES, stringKind } from './parameter-kinds.ts';
import { invalidParameter, listParam } from './parameters.ts';
import { readIndex } from './read-index.ts';
import {
  directionParam,
  type EventWithPayloads,
  eventParams,
  eventTransactionSchema,
  formatPayload,
  formatRequestAddress,
  payloadSchema,
  readEventPage,
  toEventTransaction,
} from './token-events.ts';
import {
  contractStateSchema,
  formatAccount,
  formatHash,
  MapOf,
  Nullable,
  toContractState,
} from './values.ts';

/** NFT collections. */
export function createNftCollections(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'nft/collections',
    methods: ['GET'],
    tag: 'nfts',
    summary: 'NFT collections',
    description: 'Ordered by when they were indexed, or by address if they are filtered.',
    parameters: {
      collection_address: accountsParam({
        description: 'Collection addresses.',
        max: MAX_ADDRESSES,
      }),
      owner_address: accountsParam({ description: 'Collections of these owners.', max: MAX_ADDRESSES }),
      ...windowParams(limits),
    },
    result: Type.Object(
      { nft_collections: Type.Array(nftCollectionSchema), ...addressInfoFields },
      { title: 'NFTCollectionsResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('nft/collections'),
      {
        title: 'A malformed address',
        params: { owner_address: ['nobody'] },
        failure: {
          code: 422,
          text: 'failed to decode: schema: error converting value for index 0 of "owner_address"',
        },
      },
    ],
    handler: (params, call: V3Call) => {
      const filters = { accounts: params.collection_address, owners: params.owner_address };
      const keys = nftCollectionKeys(filters);
      const page = toWindow(params, keys);
      return readIndex(call, async (db) => {
        const rows = await readNftCollections(db, { ...filters, page });
        noteNextCursor(call, keys, page, rows);
        const accounts = rows.flatMap(({ account, owner }) => [account, owner]);
        return {
          nft_collections: rows.map(toNftCollection),
          ...(await loadAddressInfoFields(call, db, accounts)),
        };
      });
    },
  });
}

const nftCollectionSchema = Type.Object(
  {
    address: PlainText(),
    owner_address: Nullable(PlainText()),
    next_item_index: PlainText({ description: '-1 if items are not numbered.' }),
    collection_content: MapOf(Type.String()),
    ...contractStateSchema,
  },
  { title: 'NFTCollection' },
);

function toNftCollection(row: Selectable<NftCollectionsTable>): Static<typeof nftCollectionSchema> {
  return {
    address: formatAccount(row.account),
    owner_address: row.owner && formatAccount(row.owner),
    next_item_index: row.next_item_index,
    collection_content: row.content,
    ...toContractState(row),
  };
}

/** NFT items. */
export function createNftItems(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'nft/items',
    methods: ['GET'],
    tag: 'nfts',
    summary: 'NFT items',
    description:
      'Ordered by index for one collection; else by owner, collection and index if owners are given; else by address if addresses are given; else by when they were indexed.',
    parameters: nftItemParams(limits),
    result: Type.Object(
      { nft_items: Type.Array(nftItemSchema), ...addressInfoFields },
      { title: 'NFTItemsResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('nft/items'),
      {
        title: 'Several collections without an owner',
        params: { collection_address: ['{NFT collection}', '{probe}'] },
        failure: { code: 422, text: REFUSALS.severalCollections },
      },
      {
        title: 'An index without a collection',
        params: { address: ['{NFT that was given away}'], index: ['1'] },
        failure: { code: 422, text: REFUSALS.indexAlone },
      },
      {
        title: 'A malformed index',
        params: { collection_address: ['{NFT collection}'], index: ['one'] },
        failure: { code: 422, text: REFUSALS.noDigits },
      },
    ],
    handler: (params, call: V3Call) => {
      const filters = nftItemFilters(params);
      const keys = nftItemKeys(filters);
      const page = toWindow(params, keys);
      return readIndex(call, async (db) => {
        const rows = await readNftItems(db, { ...filters, page });
        noteNextCursor(call, keys, page, rows);
        const accounts = rows.flatMap(accountsOfItem);
        return {
          nft_items: await toNftItems(db, rows),
          ...(await loadAddressInfoFields(call, db, accounts)),
        };
      });
    },
  });
}

const MAX_INDEXES = 1000;
/** Digits of the largest number that a contract can return. */
const MAX_DIGITS = 78;
/** Replaces any index that no item can have. */
const TOO_LARGE = `1${'0'.repeat(MAX_DIGITS)}`;

/** Error texts for combinations of filters that have no sort order, and for malformed indexes. */
const REFUSALS = {
  severalCollections: 'exact one owner_address required for multiple collection_address',
  indexAlone: 'index parameter is not allowed without the collection_address',
  indexOfSeveral: 'index parameter is not allowed with more than one collection_address',
  noDigits: 'index should contain digits only',
};

/** The parameters of `nft/items`. */
function nftItemParams(limits: ListLimits) {
  return {
    address: accountsParam({ description: 'NFT item addresses.' }),
    owner_address: accountsParam({ description: 'Items of these owners.' }),
    collection_address: accountsParam({
      description: 'Items of these collections; several collections need exactly one owner.',
    }),
    index: indexParam(),
    include_on_sale: booleanParam({
      description: "Count items on sale as the seller's. Only with `owner_address`.",
      fallback: false,
    }),
    sort_by_last_transaction_lt: booleanParam({
      description: 'Order by last transaction, the newest first.',
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
  if (index.length > 0 && collections.length === 0) throw invalidParameter('index', REFUSALS.indexAlone);
  if (index.length > 0 && collections.length > 1) throw invalidParameter('index', REFUSALS.indexOfSeveral);
  if (collections.length > 1 && owners.length !== 1)
    throw invalidParameter('collection_address', REFUSALS.severalCollections);
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
  const list = listParam(stringKind, {
    description: 'Indexes of items in the collection; repeat the name for several.',
    max: MAX_INDEXES,
  });
  return {
    ...list,
    read: (input) =>
      list.read(input).map((text) => {
        if (!/^[0-9]+$/.test(text)) throw invalidParameter(input.name, REFUSALS.noDigits);
        const digits = text.replace(/^0+(?=.)/, '');
        return digits.length > MAX_DIGITS ? TOO_LARGE : digits;
      }),
  };
}

/** An NFT item. */
export const nftItemSchema = Type.Object(
  {
    address: PlainText(),
    init: Type.Boolean(),
    index: Type.String({ description: 'Decimal; the name for a Telegram item on sale.' }),
    collection_address: Nullable(PlainText()),
    owner_address: Nullable(PlainText()),
    content: Nullable(MapOf(Type.String()) as ReturnType<typeof MapOf> & { type: 'object' }),
    ...contractStateSchema,
    collection: Nullable(nftCollectionSchema),
    on_sale: Type.Boolean({ description: 'The owner is a sale or auction contract.' }),
    sale_contract_address: Type.Optional(PlainText()),
    auction_contract_address: Type.Optional(PlainText()),
    real_owner: Type.Optional(PlainText({ description: 'The seller.' })),
  },
  { title: 'NFTItem' },
);

export type NftItemJson = Static<typeof nftItemSchema>;

type CollectionJson = Static<typeof nftCollectionSchema>;

/** The accounts that an item mentions. */
export function accountsOfItem(row: NftItemRow): (Buffer | null)[] {
  const { account, collection, owner, seller, sale, auction } = row;
  return [account, collection, owner, seller, sale, auction];
}

/** Writes NFT items with their collections, in the order of the rows. */
export async function toNftItems(db: Kysely<Tables>, rows: readonly NftItemRow[]): Promise<NftItemJson[]> {
  const accounts = distinctBytes(rows.flatMap(({ collection }) => collection ?? []));
  const collections = await readCollectionsOf(db, { accounts });
  const known = new Map(collections.map((row) => [bytesKey(row.account), toNftCollection(row)]));
  return rows.map((row) => toNftItem(row, row.collection && known.get(bytesKey(row.collection))));
}

function toNftItem(row: NftItemRow, collection: CollectionJson | null | undefined): NftItemJson {
  return {
    address: formatAccount(row.account),
    init: row.init,
    index: row.index,
    collection_address: row.collection && formatAccount(row.collection),
    owner_address: row.owner && formatAccount(row.owner),
    content: row.content,
    ...toContractState(row),
    collection: collection ?? null,
    on_sale: row.sale !== null || row.auction !== null,
    ...(row.sale && { sale_contract_address: formatAccount(row.sale) }),
    ...(row.auction && { auction_contract_address: formatAccount(row.auction) }),
    ...(row.seller && { real_owner: formatAccount(row.seller) }),
  };
}

/** NFT transfers. */
export function createNftTransfers(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'nft/transfers',
    methods: ['GET'],
    tag: 'nfts',
    summary: 'NFT transfers',
    description: 'Transfer requests to NFT items, newest first, including aborted ones.',
    parameters: {
      owner_address: accountsParam({ description: 'Transfers from or to these owners.' }),
      item_address: accountsParam({ description: 'Transfers of these items.' }),
      collection_address: accountParam({ description: 'Transfers of items of this collection.' }),
      direction: directionParam(),
      ...eventParams(limits),
    },
    result: Type.Object(
      { nft_transfers: Type.Array(nftTransferSchema), ...addressInfoFields },
      { title: 'NFTTransfersResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('nft/transfers'),
      {
        title: 'An unknown direction',
        params: { direction: 'up' },
        failure: { code: 422, text: 'direction should be one of: in, out, both' },
      },
    ],
    handler: async (params, call: V3Call) => {
      const { events, addressInfo } = await readEventPage(call, params, {
        table: 'nft_transfers',
        accounts: params.item_address,
        token: params.collection_address,
        write: (event, bodies) => writeNftTransfer(toNftTransfer(event, bodies)),
      });
      return { nft_transfers: events.map((text) => asItem<NftTransferJson>(text)), ...addressInfo };
    },
  });
}

const nftTransferSchema = Type.Object(
  {
    query_id: PlainText(),
    nft_address: PlainText(),
    nft_collection: PlainText({ description: 'Empty for an item without a collection.' }),
    ...eventTransactionSchema,
    old_owner: PlainText({ description: 'Who requested the transfer.' }),
    new_owner: PlainText({ description: 'An address, `addr_none` or `ext$…`.' }),
    response_destination: PlainText({ description: 'An address, `addr_none` or `ext$…`.' }),
    custom_payload: payloadSchema,
    decoded_custom_payload: decodedBodySchema,
    forward_amount: PlainText(),
    forward_payload: payloadSchema,
    decoded_forward_payload: decodedBodySchema,
    trace_id: PlainText(),
  },
  { title: 'NFTTransfer' },
);

type NftTransferJson = Static<typeof nftTransferSchema>;

const writeNftTransfer = compileReadyText(nftTransferSchema);

function toNftTransfer(event: EventWithPayloads, bodies: DecodedBodies): NftTransferJson {
  const { placed, request, token, customPayload, forwardPayload } = event;
  return {
    query_id: String(request.queryId),
    nft_address: formatAccount(placed.account),
    nft_collection: token === null ? '' : formatAccount(token),
    ...toEventTransaction(event),
    old_owner: formatAccount(request.source),
    new_owner: formatRequestAddress(request, 'destination'),
    response_destination: formatRequestAddress(request, 'responseDestination'),
    custom_payload: formatPayload(customPayload),
    decoded_custom_payload: bodies.decodedJson(customPayload),
    forward_amount: String(request.forwardAmount),
    forward_payload: formatPayload(forwardPayload),
    decoded_forward_payload: bodies.decodedJson(forwardPayload),
    trace_id: formatHash(placed.traceId),
  };
}
