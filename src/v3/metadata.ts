import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import Type from 'typebox';
import { toAccountBytes } from '../chain/address.ts';
import type { Tables } from '../db/tables/tables.ts';
import { defineOperation, type Operation } from '../http/operation.ts';
import {
  type JettonWalletRow,
  readTokenInfos,
  type TokenInfoRow,
  type TokenRow,
} from '../index/read/address-info.ts';
import { eachInSlices } from '../lib/slices.ts';
import type { V3Call } from './call.ts';
import { recordedExample } from './examples.ts';
import { addressKind, addressListParam } from './parameter-kinds.ts';
import { readIndex } from './read-index.ts';
import { formatAccount, MapOf } from './values.ts';

/** Metadata of tokens. */
export function createMetadata(): Operation<V3Call> {
  return defineOperation({
    name: 'metadata',
    methods: ['GET'],
    tag: 'accounts',
    summary: 'Token metadata',
    description:
      'Entries are keyed by raw address. Addresses that are not tokens have no entry; jetton wallets add an entry for their jetton.',
    // Addresses contain no commas, and a popular wallet joins them with commas.
    parameters: { address: addressListParam({ splitCommas: true }) },
    result: metadataSchema,
    cache: 'head',
    examples: [
      recordedExample('metadata'),
      { title: 'Not a token', params: { address: ['nobody'] }, result: {} },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'at least 1 address required' } },
    ],
    handler: async ({ address: texts }, call: V3Call) => {
      const accounts = texts.flatMap((text) => {
        const parsed = addressKind.convert(text);
        return parsed === undefined ? [] : [toAccountBytes(parsed)];
      });
      if (accounts.length === 0) return {};
      return Object.fromEntries(await readIndex(call, (db) => loadMetadata(call, db, accounts)));
    },
  });
}

const tokenInfoSchema = Type.Object(
  {
    valid: Type.Optional(Type.Boolean({ description: 'Absent until it was fetched.' })),
    type: Type.Enum(['nft_items', 'nft_collections', 'jetton_masters', 'jetton_wallets']),
    name: Type.Optional(Type.String()),
    symbol: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    image: Type.Optional(Type.String()),
    nft_index: Type.Optional(Type.String({ description: 'NFT items only, decimal.' })),
    is_nsfw: Type.Optional(Type.Boolean()),
    is_scam: Type.Optional(Type.Boolean()),
    extra: Type.Optional(MapOf(Type.Unknown())),
  },
  { title: 'TokenInfo' },
);

type TokenInfo = Static<typeof tokenInfoSchema>;

/** The metadata of an address in each of its token roles. */
const metadataEntrySchema = Type.Object(
  {
    is_indexed: Type.Boolean({ description: 'False until everything was fetched.' }),
    token_info: Type.Array(tokenInfoSchema),
  },
  { title: 'AddressMetadata' },
);

/** Metadata by raw address. */
export const metadataSchema = MapOf(metadataEntrySchema, { title: 'Metadata' });

export type MetadataEntry = Static<typeof metadataEntrySchema>;

/** Looks up tokens among accounts, and the jettons of jetton wallets among them; entries are keyed by raw address. */
export async function loadMetadata(
  call: Pick<V3Call, 'ports' | 'signal'>,
  db: Kysely<Tables>,
  accounts: readonly Buffer[],
): Promise<ReadonlyMap<string, MetadataEntry>> {
  return accounts.length === 0 ? new Map() : showMetadata(call, await readTokenInfos(db, { accounts }));
}

/** Writes the metadata of tokens, and has what is missing fetched; entries are keyed by raw address. */
export async function showMetadata(
  { ports, signal }: Pick<V3Call, 'ports' | 'signal'>,
  rows: readonly TokenInfoRow[],
): Promise<ReadonlyMap<string, MetadataEntry>> {
  ports.metadataQueue.add(rows.filter(lacksMetadata));
  return toMetadata(rows, ports.imgproxyUrl, signal);
}

function lacksMetadata(row: TokenInfoRow): row is TokenRow {
  return row.kind !== 'jetton_wallets' && row.valid !== true;
}

/** Groups roles by address; an address is indexed if nothing is left to fetch for any of its roles. */
async function toMetadata(
  rows: readonly TokenInfoRow[],
  imgproxyUrl: string | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, MetadataEntry>> {
  const entries = new Map<string, MetadataEntry>();
  const add = (row: TokenInfoRow) => {
    const key = formatAccount(row.account);
    const before = entries.get(key) ?? { is_indexed: true, token_info: [] };
    const isWallet = row.kind === 'jetton_wallets';
    entries.set(key, {
      is_indexed: before.is_indexed && (isWallet || row.valid !== null),
      token_info: [...before.token_info, isWallet ? toWalletInfo(row) : toTokenInfo(row, imgproxyUrl)],
    });
  };
  await eachInSlices(rows, add, signal);
  return entries;
}

function toWalletInfo({ kind, owner, jetton, balance }: JettonWalletRow): TokenInfo {
  const extra = { balance, jetton: formatAccount(jetton), owner: formatAccount(owner) };
  return { valid: true, type: kind, extra };
}

function toTokenInfo(row: TokenRow, imgproxyUrl: string | undefined): TokenInfo {
  const { kind: type, valid, image } = row;
  const index = row.nft_index === null ? {} : { nft_index: row.nft_index };
  if (valid === null) return { type, ...index };
  if (!valid) return { valid, type, ...index };
  const isNsfw = row.is_nsfw ?? false;
  const baseUrl = image === null ? undefined : imgproxyUrl;
  const extra = resolveImageUrls(row.extra ?? {}, { isNsfw, baseUrl });
  return {
    valid,
    type,
    ...(row.name !== null && { name: row.name }),
    ...(row.symbol !== null && { symbol: row.symbol }),
    ...(row.description !== null && { description: row.description }),
    ...(image !== null && { image }),
    ...index,
    is_nsfw: isNsfw,
    is_scam: row.is_scam ?? false,
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

type Extra = Readonly<Record<string, unknown>>;

const IMAGE_FIELDS = ['_image_small', '_image_medium', '_image_big'] as const;

/**
 * Resolves the images of a token in three sizes, which are stored as imgproxy paths: prepends the base URL, and takes the
 * blurred variants for NSFW tokens. Blurred variants are not shown by their own names.
 */
export function resolveImageUrls(
  extra: Extra,
  { isNsfw, baseUrl }: { readonly isNsfw: boolean; readonly baseUrl: string | undefined },
): Extra {
  const shown: Record<string, unknown> = { ...extra };
  for (const field of IMAGE_FIELDS) {
    if (isNsfw && field in shown) shown[field] = shown[`${field}_blur`] ?? '';
    delete shown[`${field}_blur`];
    const path = shown[field];
    // A URL that a token has in place of a path stays as it is.
    if (baseUrl !== undefined && typeof path === 'string' && path.startsWith('/'))
      shown[field] = joinUrl(baseUrl, path);
  }
  return shown;
}

function joinUrl(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}
