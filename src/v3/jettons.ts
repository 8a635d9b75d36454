import type { Static } from 'typebox';
import Type from 'typebox';
import type { Db } from '../db/tables/tables.ts';
import { PlainText } from '../http/serializer.ts';
import {
  type JettonWalletFilters,
  jettonMasterKeys,
  jettonWalletKeys,
  readCustomPayloadApis,
  readJettonMasters,
  readJettonWallets,
} from '../index/read/jettons.ts';
import type { ListedContract } from '../index/read/lists.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { loadAddressInfoFields, withAddressInfo } from './address-book.ts';
import { readList, sortParam, windowParams } from './list-parameters.ts';
import { defineV3Operation, type ListLimits } from './operation.ts';
import { accountParam, accountsParam, booleanParam, MAX_ADDRESSES } from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';
import { account, attributes, base64, contractState, defineRow, flag, nullable, text } from './row-json.ts';
import * as event from './token-events.ts';
import { Nullable } from './values.ts';

export const createJettonMasters = (limits: ListLimits) =>
  defineV3Operation({
    name: 'jetton/masters',
    tag: 'jettons',
    summary: 'Jetton masters',
    description: 'Ordered by when they were indexed, or by address if addresses are given.',
    parameters: {
      address: accountsParam('Jetton master addresses.', { max: MAX_ADDRESSES }),
      admin_address: accountsParam('Jettons with one of these admin addresses.', { max: MAX_ADDRESSES }),
      ...windowParams(limits),
    },
    result: withAddressInfo('JettonMastersResponse', { jetton_masters: Type.Array(jettonMaster.schema) }),
    handler: (params, call) => {
      const filters = { accounts: params.address, admins: params.admin_address };
      return readList(call, params, {
        keys: jettonMasterKeys(filters),
        read: (db, page) => readJettonMasters(db, { ...filters, page }),
        show: async (rows, db) => ({
          jetton_masters: rows.map(jettonMaster.write),
          ...(await loadAddressInfoFields(call, db, jettonMaster.accountsOf(rows))),
        }),
      });
    },
  });

const jettonMaster = defineRow('JettonMaster', {
  address: account('account'),
  total_supply: text('total_supply', 'In the smallest unit of the jetton.'),
  mintable: flag('mintable'),
  admin_address: nullable(account('admin')),
  jetton_content: attributes('content'),
  jetton_wallet_code_hash: base64('wallet_code_hash'),
  ...contractState,
});

export const createJettonWallets = (limits: ListLimits) =>
  defineV3Operation({
    name: 'jetton/wallets',
    tag: 'jettons',
    summary: 'Jetton wallets',
    description:
      'With several owners and not exactly one jetton, ordered by owner first; then by when they were indexed, or by balance with `sort`.',
    parameters: {
      address: accountsParam('Jetton wallet addresses.'),
      owner_address: accountsParam('Jetton wallets of these owners.'),
      jetton_address: accountsParam('Wallets of these jettons; several jettons need exactly one owner.'),
      exclude_zero_balance: booleanParam('Leave out wallets that have no jettons and no airdrop to claim.', {
        fallback: false,
      }),
      ...windowParams(limits),
      sort: sortParam('Sort by balance, in this direction.'),
    },
    result: withAddressInfo('JettonWalletsResponse', { jetton_wallets: Type.Array(listedWalletSchema) }),
    handler: (params, call) => {
      const filters: JettonWalletFilters = {
        accounts: params.address,
        owners: params.owner_address,
        jettons: params.jetton_address,
        excludeZeroBalance: params.exclude_zero_balance,
        sort: params.sort,
      };
      if (filters.jettons.length > 1 && filters.owners.length !== 1)
        throw invalidParameter(
          'jetton_address',
          'exact one owner_address required for multiple jetton_address',
        );
      return readList(call, params, {
        keys: jettonWalletKeys(filters),
        read: (db, page) => readJettonWallets(db, { ...filters, page }),
        show: async (rows, db) => {
          const mintlessInfo = await loadMintlessInfo(db, rows);
          return {
            jetton_wallets: rows.map((row) => ({ ...jettonWallet.write(row), ...mintlessInfo(row) })),
            ...(await loadAddressInfoFields(call, db, jettonWallet.accountsOf(rows))),
          };
        },
      });
    },
  });

/** A jetton wallet without its airdrop. */
export const jettonWallet = defineRow('JettonWalletState', {
  address: account('account'),
  balance: text('balance', 'In the smallest unit of the jetton.'),
  owner: account('owner'),
  jetton: account('jetton'),
  ...contractState,
});

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
  { ...jettonWallet.schema.properties, mintless_info: Type.Optional(mintlessInfoSchema) },
  { title: 'JettonWallet' },
);

type ListedWallet = ListedContract<'jetton_wallets'>;

/** Loads what is needed to show the airdrops of wallets; wallets without one get nothing. */
async function loadMintlessInfo(
  db: Db,
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

export const createJettonTransfers = (limits: ListLimits) =>
  defineV3Operation({
    name: 'jetton/transfers',
    tag: 'jettons',
    summary: 'Jetton transfers',
    description:
      'Transfer requests to jetton wallets, newest first. Aborted requests are left out; whether the receiving wallet accepted the jettons is not checked.',
    parameters: {
      owner_address: accountsParam('Transfers from or to these owners.'),
      jetton_wallet: accountsParam('Transfers requested from these jetton wallets.'),
      jetton_master: accountParam('Transfers of this jetton.'),
      direction: event.directionParam(),
      ...event.listParams(limits),
    },
    result: withAddressInfo('JettonTransfersResponse', {
      jetton_transfers: Type.Array(jettonTransfer.schema),
    }),
    handler: (params, call) =>
      event.readPage(call, params, {
        table: 'jetton_transfers',
        accounts: params.jetton_wallet,
        token: params.jetton_master,
        row: jettonTransfer,
      }),
  });

const jettonTransfer = defineRow('JettonTransfer', {
  query_id: event.queryId,
  source: event.requester('Who requested the transfer.'),
  destination: event.address('destination', 'The new owner, `addr_none` or `ext$…`.'),
  amount: event.amount,
  source_wallet: event.account,
  jetton_master: event.token,
  ...event.transaction,
  response_destination: event.address('responseDestination', 'An address, `addr_none` or `ext$…`.'),
  ...event.customPayload,
  forward_ton_amount: event.forwardAmount,
  ...event.forwardPayload,
  trace_id: event.traceId,
});

export const createJettonBurns = (limits: ListLimits) =>
  defineV3Operation({
    name: 'jetton/burns',
    tag: 'jettons',
    summary: 'Jetton burns',
    description: 'Burn requests to jetton wallets, newest first, including aborted ones.',
    parameters: {
      owner_address: accountsParam('Burns by these owners.'),
      jetton_wallet: accountsParam('Burns requested from these jetton wallets.'),
      jetton_master: accountParam('Burns of this jetton.'),
      ...event.listParams(limits),
    },
    result: withAddressInfo('JettonBurnsResponse', { jetton_burns: Type.Array(jettonBurn.schema) }),
    handler: (params, call) =>
      event.readPage(call, params, {
        table: 'jetton_burns',
        accounts: params.jetton_wallet,
        token: params.jetton_master,
        row: jettonBurn,
      }),
  });

const jettonBurn = defineRow('JettonBurn', {
  query_id: event.queryId,
  owner: event.requester('Who requested the burn.'),
  jetton_wallet: event.account,
  jetton_master: event.token,
  ...event.transaction,
  amount: event.amount,
  response_destination: event.address('responseDestination', 'An address, `addr_none` or `ext$…`.'),
  ...event.customPayload,
  trace_id: event.traceId,
});
