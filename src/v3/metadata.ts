import type { Kysely } from 'kysely';
import Type, { type Static } from 'typebox';
import {
  type JettonWalletRow,
  readTokenInfos,
  type TokenInfoRow,
  type TokenRow,
} from '../db/queries/token-infos.ts';
import type { Tables } from '../db/tables.ts';
import { formatAccount } from './account-bytes.ts';
import type { V3Call } from './call.ts';
import { MapOf } from './map-of.ts';
import { showImages } from './token-images.ts';

const tokenInfoSchema = Type.Object({
  valid: Type.Optional(Type.Boolean({ description: 'Absent as long as nothing was fetched.' })),
  type: Type.Enum(['nft_items', 'nft_collections', 'jetton_masters', 'jetton_wallets']),
  name: Type.Optional(Type.String()),
  symbol: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  image: Type.Optional(Type.String()),
  nft_index: Type.Optional(Type.String({ description: 'Decimal; of NFTs.' })),
  is_nsfw: Type.Optional(Type.Boolean()),
  is_scam: Type.Optional(Type.Boolean()),
  extra: Type.Optional(MapOf(Type.Unknown())),
});

type TokenInfo = Static<typeof tokenInfoSchema>;

/** What is shown of an address that belongs to a token, in each of its roles. */
export const metadataEntrySchema = Type.Object({
  is_indexed: Type.Boolean({ description: 'False as long as something is still to be fetched.' }),
  token_info: Type.Array(tokenInfoSchema),
});

export type MetadataEntry = Static<typeof metadataEntrySchema>;

/** Looks accounts up, and the jettons of wallets among them; the entries are by raw address, none where there is no token. */
export async function loadMetadata(
  { ports }: Pick<V3Call, 'ports'>,
  db: Kysely<Tables>,
  accounts: readonly Buffer[],
): Promise<ReadonlyMap<string, MetadataEntry>> {
  if (accounts.length === 0) return new Map();
  const rows = await readTokenInfos(db, { accounts });
  ports.wishes.add(rows.filter(hasNothingToShow));
  return toMetadata(rows, ports.imgproxyUrl);
}

function hasNothingToShow(row: TokenInfoRow): row is TokenRow {
  return row.kind !== 'jetton_wallets' && row.valid !== true;
}

/** Roles to entries: an address is indexed when nothing is to be fetched for any of its roles. */
function toMetadata(
  rows: readonly TokenInfoRow[],
  imgproxyUrl: string | undefined,
): ReadonlyMap<string, MetadataEntry> {
  const entries = new Map<string, MetadataEntry>();
  for (const row of rows) {
    const key = formatAccount(row.account);
    const before = entries.get(key) ?? { is_indexed: true, token_info: [] };
    const isWallet = row.kind === 'jetton_wallets';
    entries.set(key, {
      is_indexed: before.is_indexed && (isWallet || row.valid !== null),
      token_info: [...before.token_info, isWallet ? walletInfo(row) : tokenInfo(row, imgproxyUrl)],
    });
  }
  return entries;
}

function walletInfo({ kind, owner, jetton, balance }: JettonWalletRow): TokenInfo {
  const extra = { balance, jetton: formatAccount(jetton), owner: formatAccount(owner) };
  return { valid: true, type: kind, extra };
}

function tokenInfo(row: TokenRow, imgproxyUrl: string | undefined): TokenInfo {
  const { kind: type, valid, image } = row;
  const index = row.nft_index === null ? {} : { nft_index: row.nft_index };
  if (valid === null) return { type, ...index };
  if (!valid) return { valid, type, ...index };
  const isNsfw = row.is_nsfw ?? false;
  const baseUrl = image === null ? undefined : imgproxyUrl;
  const extra = showImages(row.extra ?? {}, { isNsfw, baseUrl });
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
