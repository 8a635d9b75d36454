import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import Type from 'typebox';
import type { Tables } from '../db/tables/tables.ts';
import { defineOperation, type Operation } from '../http/operation.ts';
import { asItem, PlainText } from '../http/serializer.ts';
import {
  type JettonWalletFilters,
  type JettonWalletRow,
  jettonMasterKeys,
  jettonWalletKeys,
  readCustomPayloadApis,
  readJettonMasters,
  readJettonWallets,
} from '../index/read/jettons.ts';
import type { ListedContract } from '../index/read/lists.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { addressInfoFields, loadAddressInfoFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { type DecodedBodies, decodedBodySchema } from './decoded-bodies.ts';
import { compileReadyText } from './envelope.ts';
import { recordedExample } from './examples.ts';
import { type ListLimits, noteNextCursor, sortParam, toWindow, windowParams } from './list-parameters.ts';
import { accountParam, accountsParam, booleanParam, MAX_ADDRESSES } from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';
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

/** Jetton masters. */
export function createJettonMasters(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'jetton/masters',
    methods: ['GET'],
    tag: 'jettons',
    summary: 'Jetton masters',
    description: 'Ordered by when they were indexed, or by address if addresses are given.',
    parameters: {
      address: accountsParam({ description: 'Jetton master addresses.', max: MAX_ADDRESSES }),
      admin_address: accountsParam({
        description: 'Jettons with one of these admin addresses.',
        max: MAX_ADDRESSES,
      }),
      ...windowParams(limits),
    },
    result: Type.Object(
      { jetton_masters: Type.Array(jettonMasterSchema), ...addressInfoFields },
      { title: 'JettonMastersResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('jetton/masters'),
      {
        title: 'Limit above the maximum',
        params: { limit: 1001 },
        failure: { code: 422, text: 'limit is not allowed: 1001 > 1000' },
      },
    ],
    handler: (params, call: V3Call) => {
      const filters = { accounts: params.address, admins: params.admin_address };
      const keys = jettonMasterKeys(filters);
      const page = toWindow(params, keys);
      return readIndex(call, async (db) => {
        const rows = await readJettonMasters(db, { ...filters, page });
        noteNextCursor(call, keys, page, rows);
        const accounts = rows.flatMap(({ account, admin }) => [account, admin]);
        return {
          jetton_masters: rows.map(toJettonMaster),
          ...(await loadAddressInfoFields(call, db, accounts)),
        };
      });
    },
  });
}

const jettonMasterSchema = Type.Object(
  {
    address: PlainText(),
    total_supply: PlainText({ description: 'In the smallest unit of the jetton.' }),
    mintable: Type.Boolean(),
    admin_address: Nullable(PlainText()),
    jetton_content: MapOf(Type.String()),
    jetton_wallet_code_hash: PlainText(),
    ...contractStateSchema,
  },
  { title: 'JettonMaster' },
);

function toJettonMaster(row: ListedContract<'jetton_masters'>): Static<typeof jettonMasterSchema> {
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

const SEVERAL_JETTONS = 'exact one owner_address required for multiple jetton_address';

/** Jetton wallets. */
export function createJettonWallets(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'jetton/wallets',
    methods: ['GET'],
    tag: 'jettons',
    summary: 'Jetton wallets',
    description:
      'With several owners and not exactly one jetton, ordered by owner first; then by when they were indexed, or by balance with `sort`.',
    parameters: {
      address: accountsParam({ description: 'Jetton wallet addresses.' }),
      owner_address: accountsParam({ description: 'Jetton wallets of these owners.' }),
      jetton_address: accountsParam({
        description: 'Wallets of these jettons; several jettons need exactly one owner.',
      }),
      exclude_zero_balance: booleanParam({
        description: 'Leave out wallets that have no jettons and no airdrop to claim.',
        fallback: false,
      }),
      ...windowParams(limits),
      sort: sortParam({ description: 'Sort by balance, in this direction.' }),
    },
    result: Type.Object(
      { jetton_wallets: Type.Array(listedWalletSchema), ...addressInfoFields },
      { title: 'JettonWalletsResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('jetton/wallets'),
      {
        title: 'Several jettons without an owner',
        params: { jetton_address: ['{jetton minter}', '{probe}'] },
        failure: { code: 422, text: SEVERAL_JETTONS },
      },
    ],
    handler: (params, call: V3Call) => {
      const filters: JettonWalletFilters = {
        accounts: params.address,
        owners: params.owner_address,
        jettons: params.jetton_address,
        excludeZeroBalance: params.exclude_zero_balance,
        sort: params.sort,
      };
      if (filters.jettons.length > 1 && filters.owners.length !== 1)
        throw invalidParameter('jetton_address', SEVERAL_JETTONS);
      const keys = jettonWalletKeys(filters);
      const page = toWindow(params, keys);
      return readIndex(call, async (db) => {
        const rows = await readJettonWallets(db, { ...filters, page });
        noteNextCursor(call, keys, page, rows);
        const accounts = rows.flatMap(({ account, owner, jetton }) => [account, owner, jetton]);
        const mintlessInfo = await loadMintlessInfo(db, rows);
        return {
          jetton_wallets: rows.map((row) => ({ ...toJettonWallet(row), ...mintlessInfo(row) })),
          ...(await loadAddressInfoFields(call, db, accounts)),
        };
      });
    },
  });
}

const jettonWalletFields = {
  address: PlainText(),
  balance: PlainText({ description: 'In the smallest unit of the jetton.' }),
  owner: PlainText(),
  jetton: PlainText(),
  ...contractStateSchema,
};

/** A jetton wallet in an event of a stream. */
export const jettonWalletSchema = Type.Object(jettonWalletFields, { title: 'JettonWalletState' });

const mintlessInfoSchema = Type.Object(
  {
    amount: PlainText({ description: 'In the smallest unit of the jetton.' }),
    start_from: Nullable(Type.Integer({ description: 'When it can be claimed, in unix seconds.' })),
    expire_at: Nullable(Type.Integer({ description: 'Until when it can be claimed, in unix seconds.' })),
    custom_payload_api_uri: Nullable(
      Type.Array(Type.String(), {
        description: 'Where wallets get the custom payload of a claim (TEP-176).',
      }),
    ),
  },
  {
    title: 'MintlessInfo',
    description:
      'The airdrop of a mintless jetton (TEP-177) that was not claimed yet. Needs `MINTLESS_DISK_MB`, see the settings of the server.',
  },
);

const listedWalletSchema = Type.Object(
  { ...jettonWalletFields, mintless_info: Type.Optional(mintlessInfoSchema) },
  { title: 'JettonWallet' },
);

/** A jetton wallet without its airdrop. */
export function toJettonWallet(row: JettonWalletRow): Static<typeof jettonWalletSchema> {
  return {
    address: formatAccount(row.account),
    balance: row.balance,
    owner: formatAccount(row.owner),
    jetton: formatAccount(row.jetton),
    ...toContractState(row),
  };
}

type ListedWallet = ListedContract<'jetton_wallets'>;

/** Loads what is needed to show the airdrops of wallets; wallets without one get nothing. */
async function loadMintlessInfo(
  db: Kysely<Tables>,
  rows: readonly ListedWallet[],
): Promise<(row: ListedWallet) => Pick<Static<typeof listedWalletSchema>, 'mintless_info'>> {
  const jettons = rows.filter(isUnclaimed).map(({ jetton }) => jetton);
  const apis = await readCustomPayloadApis(db, { jettons });
  const uris = new Map(apis.map(({ account, uri }) => [bytesKey(account), toTexts(uri)]));
  return (row) =>
    isUnclaimed(row)
      ? {
          mintless_info: {
            amount: row.mintless_amount!,
            start_from: toNumber(row.mintless_start_from),
            expire_at: toNumber(row.mintless_expire_at),
            custom_payload_api_uri: uris.get(bytesKey(row.jetton)) ?? null,
          },
        }
      : {};
}

function isUnclaimed({ mintless_is_claimed, mintless_amount }: ListedWallet): boolean {
  return mintless_is_claimed === false && mintless_amount !== null;
}

function toNumber(text: string | null): number | null {
  return text === null ? null : Number(text);
}

/** Metadata is untrusted: one text, a list of texts, or nothing. */
function toTexts(value: unknown): string[] | null {
  const texts = [value].flat().filter((one) => typeof one === 'string');
  return texts.length === 0 ? null : texts;
}

/** Jetton transfers. */
export function createJettonTransfers(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'jetton/transfers',
    methods: ['GET'],
    tag: 'jettons',
    summary: 'Jetton transfers',
    description:
      'Transfer requests to jetton wallets, newest first. Aborted requests are left out; whether the receiving wallet accepted the jettons is not checked.',
    parameters: {
      owner_address: accountsParam({ description: 'Transfers from or to these owners.' }),
      jetton_wallet: accountsParam({ description: 'Transfers requested from these jetton wallets.' }),
      jetton_master: accountParam({ description: 'Transfers of this jetton.' }),
      direction: directionParam(),
      ...eventParams(limits),
    },
    result: Type.Object(
      { jetton_transfers: Type.Array(jettonTransferSchema), ...addressInfoFields },
      { title: 'JettonTransfersResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('jetton/transfers'),
      {
        title: 'An unknown direction',
        params: { direction: 'up' },
        failure: { code: 422, text: 'direction should be one of: in, out, both' },
      },
    ],
    handler: async (params, call: V3Call) => {
      const { events, addressInfo } = await readEventPage(call, params, {
        table: 'jetton_transfers',
        accounts: params.jetton_wallet,
        token: params.jetton_master,
        write: (event, bodies) => writeJettonTransfer(toJettonTransfer(event, bodies)),
      });
      return { jetton_transfers: events.map((text) => asItem<JettonTransferJson>(text)), ...addressInfo };
    },
  });
}

const jettonTransferSchema = Type.Object(
  {
    query_id: PlainText(),
    source: PlainText({ description: 'Who requested the transfer.' }),
    destination: PlainText({ description: 'The new owner, `addr_none` or `ext$…`.' }),
    amount: PlainText({ description: 'In the smallest unit of the jetton.' }),
    source_wallet: PlainText(),
    jetton_master: PlainText(),
    ...eventTransactionSchema,
    response_destination: PlainText({ description: 'An address, `addr_none` or `ext$…`.' }),
    custom_payload: payloadSchema,
    decoded_custom_payload: decodedBodySchema,
    forward_ton_amount: PlainText(),
    forward_payload: payloadSchema,
    decoded_forward_payload: decodedBodySchema,
    trace_id: PlainText(),
  },
  { title: 'JettonTransfer' },
);

type JettonTransferJson = Static<typeof jettonTransferSchema>;

const writeJettonTransfer = compileReadyText(jettonTransferSchema);

function toJettonTransfer(event: EventWithPayloads, bodies: DecodedBodies): JettonTransferJson {
  const { placed, request, token, customPayload, forwardPayload } = event;
  return {
    query_id: String(request.queryId),
    source: formatAccount(request.source),
    destination: formatRequestAddress(request, 'destination'),
    amount: String(request.amount),
    source_wallet: formatAccount(placed.account),
    jetton_master: formatAccount(token!),
    ...toEventTransaction(event),
    response_destination: formatRequestAddress(request, 'responseDestination'),
    custom_payload: formatPayload(customPayload),
    decoded_custom_payload: bodies.decodedJson(customPayload),
    forward_ton_amount: String(request.forwardAmount),
    forward_payload: formatPayload(forwardPayload),
    decoded_forward_payload: bodies.decodedJson(forwardPayload),
    trace_id: formatHash(placed.traceId),
  };
}

/** Jetton burns. */
export function createJettonBurns(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'jetton/burns',
    methods: ['GET'],
    tag: 'jettons',
    summary: 'Jetton burns',
    description: 'Burn requests to jetton wallets, newest first, including aborted ones.',
    parameters: {
      owner_address: accountsParam({ description: 'Burns by these owners.' }),
      jetton_wallet: accountsParam({ description: 'Burns requested from these jetton wallets.' }),
      jetton_master: accountParam({ description: 'Burns of this jetton.' }),
      ...eventParams(limits),
    },
    result: Type.Object(
      { jetton_burns: Type.Array(jettonBurnSchema), ...addressInfoFields },
      { title: 'JettonBurnsResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('jetton/burns'),
      {
        title: 'An unknown sort direction',
        params: { sort: 'up' },
        failure: { code: 422, text: 'wrong value for sort parameter' },
      },
    ],
    handler: async (params, call: V3Call) => {
      const { events, addressInfo } = await readEventPage(call, params, {
        table: 'jetton_burns',
        accounts: params.jetton_wallet,
        token: params.jetton_master,
        write: (event, bodies) => writeJettonBurn(toJettonBurn(event, bodies)),
      });
      return { jetton_burns: events.map((text) => asItem<JettonBurnJson>(text)), ...addressInfo };
    },
  });
}

const jettonBurnSchema = Type.Object(
  {
    query_id: PlainText(),
    owner: PlainText({ description: 'Who requested the burn.' }),
    jetton_wallet: PlainText(),
    jetton_master: PlainText(),
    ...eventTransactionSchema,
    amount: PlainText({ description: 'In the smallest unit of the jetton.' }),
    response_destination: PlainText({ description: 'An address, `addr_none` or `ext$…`.' }),
    custom_payload: payloadSchema,
    decoded_custom_payload: decodedBodySchema,
    trace_id: PlainText(),
  },
  { title: 'JettonBurn' },
);

type JettonBurnJson = Static<typeof jettonBurnSchema>;

const writeJettonBurn = compileReadyText(jettonBurnSchema);

function toJettonBurn(event: EventWithPayloads, bodies: DecodedBodies): JettonBurnJson {
  const { placed, request, token, customPayload } = event;
  return {
    query_id: String(request.queryId),
    owner: formatAccount(request.source),
    jetton_wallet: formatAccount(placed.account),
    jetton_master: formatAccount(token!),
    ...toEventTransaction(event),
    amount: String(request.amount),
    response_destination: formatRequestAddress(request, 'responseDestination'),
    custom_payload: formatPayload(customPayload),
    decoded_custom_payload: bodies.decodedJson(customPayload),
    trace_id: formatHash(placed.traceId),
  };
}
