import type { Static, TProperties } from 'typebox';
import Type from 'typebox';
import { formatFriendly, fromAccountBytes, toAccountBytes } from '../chain/address.ts';
import { interfaceNames } from '../chain/contracts/interfaces.ts';
import { walletCodeOf } from '../chain/contracts/wallets.ts';
import type { Db } from '../db/tables/tables.ts';
import {
  type AddressBookRow,
  type JettonWalletRow,
  readAddressBook,
  readTokenInfos,
  type TokenInfoRow,
  type TokenRow,
} from '../index/read/address-info.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { eachInSlices, mapInSlices } from '../lib/slices.ts';
import { defineV3Operation, type V3Call } from './operation.ts';
import { addressKind, addressListParam, restorePlus } from './parameter-kinds.ts';
import { readIndex } from './read-index.ts';
import { formatAccount, MapOf, Nullable } from './values.ts';

export const createMetadata = () =>
  defineV3Operation({
    name: 'metadata',
    tag: 'accounts',
    summary: 'Token metadata',
    description:
      'Entries are keyed by raw address. Addresses that are not tokens have no entry; jetton wallets add an entry for their jetton.',
    // Addresses contain no commas, and a popular wallet joins them with commas.
    parameters: { address: addressListParam({ splitCommas: true }) },
    result: metadataSchema,
    handler: async ({ address: texts }, call) => {
      const accounts = texts.flatMap((text) => {
        const parsed = addressKind.convert(text);
        return parsed === undefined ? [] : [toAccountBytes(parsed)];
      });
      if (accounts.length === 0) return {};
      return Object.fromEntries(await readIndex(call, (db) => loadMetadata(call, db, accounts)));
    },
  });

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

export const metadataSchema = MapOf(metadataEntrySchema, { title: 'Metadata' });

export type MetadataEntry = Static<typeof metadataEntrySchema>;

/** Looks up tokens among accounts, and the jettons of jetton wallets among them; entries are keyed by raw address. */
export async function loadMetadata(
  call: Pick<V3Call, 'ports' | 'signal'>,
  db: Db,
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
      token_info: [
        ...before.token_info,
        isWallet ? { valid: true, ...toWalletInfo(row) } : toTokenInfo(row, imgproxyUrl),
      ],
    });
  };
  await eachInSlices(rows, add, signal);
  return entries;
}

export function toWalletInfo({ kind, owner, jetton, balance }: JettonWalletRow): TokenInfo {
  return { type: kind, extra: { balance, jetton: formatAccount(jetton), owner: formatAccount(owner) } };
}

/** The texts that a token has. */
export function tokenTexts({ name, symbol, description, image }: TokenRow) {
  return {
    ...(name !== null && { name }),
    ...(symbol !== null && { symbol }),
    ...(description !== null && { description }),
    ...(image !== null && { image }),
  };
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
    ...tokenTexts(row),
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

const NO_ADDRESS: AddressBookEntry = { user_friendly: null, domain: null, interfaces: [] };

export const createAddressBook = () =>
  defineV3Operation({
    name: 'addressBook',
    tag: 'accounts',
    summary: 'Address book',
    description: 'Entries are keyed by the address as given; a malformed address has an entry of nulls.',
    parameters: { address: addressListParam() },
    result: addressBookSchema,
    handler: async ({ address: texts }, call) => {
      const requested = texts.map((text) => {
        const parsed = addressKind.convert(text);
        if (parsed === undefined) return { text, account: undefined };
        return { text: restorePlus(text, text.length), account: toAccountBytes(parsed) };
      });
      const accounts = requested.flatMap(({ account }) => account ?? []);
      const load = () => readIndex(call, (db) => loadAddressBook(call, db, accounts));
      const book = accounts.length === 0 ? new Map() : await load();
      return Object.fromEntries(
        requested.map(({ text, account }) => [
          text,
          account ? book.get(formatAccount(account))! : NO_ADDRESS,
        ]),
      );
    },
  });

const addressBookEntrySchema = Type.Object(
  {
    user_friendly: Nullable(
      Type.String({ description: 'Base64url; non-bounceable for wallets and accounts without code.' }),
    ),
    domain: Nullable(
      Type.String({ description: 'The shortest domain that the account owns and that resolves to it.' }),
    ),
    interfaces: Nullable(
      Type.Array(Type.String(), { description: 'Interfaces of the contract, by its code.' }),
    ),
  },
  { title: 'AddressBookRow' },
);

export const addressBookSchema = MapOf(addressBookEntrySchema, { title: 'AddressBook' });

export type AddressBookEntry = Static<typeof addressBookEntrySchema>;

/** Looks up accounts; entries are keyed by raw address. */
async function loadAddressBook(
  call: Pick<V3Call, 'ports' | 'signal'>,
  db: Db,
  accounts: readonly Buffer[],
): Promise<ReadonlyMap<string, AddressBookEntry>> {
  return accounts.length === 0 ? new Map() : showAddressBook(call, await readAddressBook(db, { accounts }));
}

async function showAddressBook(
  { ports, signal }: Pick<V3Call, 'ports' | 'signal'>,
  rows: readonly AddressBookRow[],
): Promise<ReadonlyMap<string, AddressBookEntry>> {
  const entryOf = createAddressBookWriter(ports.testOnly);
  const toEntry = (row: AddressBookRow) => [formatAccount(row.account), entryOf(row)] as const;
  return new Map(await mapInSlices(rows, toEntry, signal));
}

export function createAddressBookWriter(testOnly: boolean): (row: AddressBookRow) => AddressBookEntry {
  const namesOf = createInterfaceNamer();
  return (row) => ({
    user_friendly: friendlyForm(row, testOnly),
    domain: row.domain,
    interfaces: row.known ? namesOf(row) : [],
  });
}

/** Coins sent to a wallet, or to an account that does not exist yet, should not bounce. */
function friendlyForm(row: AddressBookRow, testOnly: boolean): string {
  const bounceable = row.code_hash !== null && !isWallet(row);
  return formatFriendly(fromAccountBytes(row.account), { bounceable, testOnly });
}

function isWallet({ code_hash }: AddressBookRow): boolean {
  return code_hash !== null && walletCodeOf(code_hash)?.type !== undefined;
}

/** Finds interface names once per code: most accounts of a response share a few codes. */
export function createInterfaceNamer(): (
  row: Pick<AddressBookRow, 'code_hash' | 'methods'>,
) => AddressBookEntry['interfaces'] {
  const named = new Map<string, AddressBookEntry['interfaces']>();
  return ({ code_hash, methods }) => {
    if (code_hash === null) return null;
    const key = bytesKey(code_hash);
    let names = named.get(key);
    if (names === undefined) {
      names = interfaceNames(code_hash, methods ?? undefined);
      named.set(key, names);
    }
    return names;
  };
}

export const addressBookFields = { address_book: addressBookSchema };

export const addressInfoFields = { ...addressBookFields, metadata: metadataSchema };

export function withAddressBook<T extends TProperties>(title: string, fields: T) {
  return Type.Object({ ...fields, ...addressBookFields }, { title });
}

export function withAddressInfo<T extends TProperties>(title: string, fields: T) {
  return Type.Object({ ...fields, ...addressInfoFields }, { title });
}

export async function loadAddressBookFields(
  call: V3Call,
  db: Db,
  accounts: Accounts,
): Promise<{ address_book: Record<string, AddressBookEntry> }> {
  const wanted = call.options.noAddressBook ? [] : await distinctAccounts(call, accounts);
  return { address_book: sortByAddress(await loadAddressBook(call, db, wanted)) };
}

export async function loadMetadataFields(
  call: V3Call,
  db: Db,
  accounts: Accounts,
): Promise<{ metadata: Record<string, MetadataEntry> }> {
  const wanted = call.options.noMetadata ? [] : await distinctAccounts(call, accounts);
  return { metadata: sortByAddress(await loadMetadata(call, db, wanted)) };
}

interface AddressInfoFields {
  readonly address_book: Record<string, AddressBookEntry>;
  readonly metadata: Record<string, MetadataEntry>;
}

export async function loadAddressInfoFields(
  call: V3Call,
  db: Db,
  accounts: Accounts,
): Promise<AddressInfoFields> {
  return showAddressInfo(call, await readAddressInfo(call, db, accounts));
}

interface AddressInfo {
  readonly book: readonly AddressBookRow[];
  readonly tokens: readonly TokenInfoRow[];
  /** Accounts that may be tokens. */
  readonly others: readonly Buffer[];
}

export async function readAddressInfo(
  call: Pick<V3Call, 'options' | 'signal'>,
  db: Db,
  given: Accounts,
): Promise<AddressInfo> {
  const { noAddressBook, noMetadata } = call.options;
  const accounts = noAddressBook && noMetadata ? [] : await distinctAccounts(call, given);
  const book = noAddressBook || accounts.length === 0 ? [] : await readAddressBook(db, { accounts });
  if (noMetadata) return { book, tokens: [], others: [] };
  // Most accounts are wallets, and the code of a wallet is that of no token.
  const others = noAddressBook
    ? accounts
    : book.flatMap((row) => (isWallet(row) ? [] : [row.account])).sort(Buffer.compare);
  const tokens = others.length === 0 ? [] : await readTokenInfos(db, { accounts: others });
  return { book, tokens, others };
}

/** Starts the statements that read the address book of accounts, and the tokens of those that may be some. */
export function startAddressInfo(
  { options }: Pick<V3Call, 'options'>,
  db: Db,
  { accounts, others }: { readonly accounts: readonly Buffer[]; readonly others: readonly Buffer[] },
): Promise<unknown>[] {
  const { noAddressBook, noMetadata } = options;
  return [
    ...(noAddressBook || accounts.length === 0 ? [] : [readAddressBook(db, { accounts })]),
    ...(noMetadata || others.length === 0 ? [] : [readTokenInfos(db, { accounts: others })]),
  ];
}

export async function showAddressInfo(
  call: V3Call,
  { book, tokens }: AddressInfo,
): Promise<AddressInfoFields> {
  return {
    address_book: sortByAddress(await showAddressBook(call, book)),
    metadata: sortByAddress(await showMetadata(call, tokens)),
  };
}

/** Accounts of 33 bytes; null and undefined are skipped. */
type Accounts = Iterable<Buffer | null | undefined>;

/** Sorts entries by key, so that equal responses have equal bytes and entity tags. */
function sortByAddress<T>(entries: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function distinctAccounts({ signal }: Pick<V3Call, 'signal'>, accounts: Accounts): Promise<Buffer[]> {
  const distinct = new Map<string, Buffer>();
  const add = (account: Buffer | null | undefined) => {
    if (account == null) return;
    const key = bytesKey(account);
    if (!distinct.has(key)) distinct.set(key, account);
  };
  await eachInSlices(accounts, add, signal);
  return [...distinct.values()];
}
