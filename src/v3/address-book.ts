import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import Type from 'typebox';
import { formatFriendly, fromAccountBytes, toAccountBytes } from '../chain/address.ts';
import { interfaceNames } from '../chain/contracts/interfaces.ts';
import { walletCodeOf } from '../chain/contracts/wallets.ts';
import type { Tables } from '../db/tables/tables.ts';
import { defineOperation, type Operation } from '../http/operation.ts';
import {
  type AddressBookRow,
  readAddressBook,
  readTokenInfos,
  type TokenInfoRow,
} from '../index/read/address-info.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { eachInSlices, mapInSlices } from '../lib/slices.ts';
import type { V3Call } from './call.ts';
import { recordedExample } from './examples.ts';
import { loadMetadata, type MetadataEntry, metadataSchema, showMetadata } from './metadata.ts';
import { addressKind, addressListParam, restorePlus } from './parameter-kinds.ts';
import { readIndex } from './read-index.ts';
import { formatAccount, MapOf, Nullable } from './values.ts';

const NO_ADDRESS: AddressBookEntry = { user_friendly: null, domain: null, interfaces: [] };

/** Friendly forms, domains and interfaces of addresses. */
export function createAddressBook(): Operation<V3Call> {
  return defineOperation({
    name: 'addressBook',
    methods: ['GET'],
    tag: 'accounts',
    summary: 'Address book',
    description: 'Entries are keyed by the address as given; a malformed address has an entry of nulls.',
    parameters: { address: addressListParam() },
    result: addressBookSchema,
    cache: 'head',
    examples: [
      recordedExample('addressBook'),
      { title: 'A malformed address', params: { address: ['nobody'] }, result: { nobody: NO_ADDRESS } },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'at least 1 address required' } },
    ],
    handler: async ({ address: texts }, call: V3Call) => {
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
}

/** An address book entry. */
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

/** An address book. */
export const addressBookSchema = MapOf(addressBookEntrySchema, { title: 'AddressBook' });

export type AddressBookEntry = Static<typeof addressBookEntrySchema>;

/** Looks up accounts; entries are keyed by raw address. */
async function loadAddressBook(
  call: Pick<V3Call, 'ports' | 'signal'>,
  db: Kysely<Tables>,
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

/** Creates a writer for the entries of one response. */
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

/** The address book field of a response, keyed by raw address. */
export const addressBookFields = { address_book: addressBookSchema };

/** The address book and metadata fields of a response. */
export const addressInfoFields = { ...addressBookFields, metadata: metadataSchema };

/** Loads the address book of a response. */
export async function loadAddressBookFields(
  call: V3Call,
  db: Kysely<Tables>,
  accounts: Accounts,
): Promise<{ address_book: Record<string, AddressBookEntry> }> {
  const wanted = call.options.noAddressBook ? [] : await distinctAccounts(call, accounts);
  return { address_book: sortByAddress(await loadAddressBook(call, db, wanted)) };
}

/** Loads the metadata of a response. */
export async function loadMetadataFields(
  call: V3Call,
  db: Kysely<Tables>,
  accounts: Accounts,
): Promise<{ metadata: Record<string, MetadataEntry> }> {
  const wanted = call.options.noMetadata ? [] : await distinctAccounts(call, accounts);
  return { metadata: sortByAddress(await loadMetadata(call, db, wanted)) };
}

interface AddressInfoFields {
  readonly address_book: Record<string, AddressBookEntry>;
  readonly metadata: Record<string, MetadataEntry>;
}

/** Loads the address book and the metadata of a response. */
export async function loadAddressInfoFields(
  call: V3Call,
  db: Kysely<Tables>,
  accounts: Accounts,
): Promise<AddressInfoFields> {
  return showAddressInfo(call, await readAddressInfo(call, db, accounts));
}

/** The address book and the tokens of accounts. */
interface AddressInfo {
  readonly book: readonly AddressBookRow[];
  readonly tokens: readonly TokenInfoRow[];
  /** Accounts that may be tokens. */
  readonly others: readonly Buffer[];
}

/** Reads the address book and the tokens of accounts. */
export async function readAddressInfo(
  call: Pick<V3Call, 'options' | 'signal'>,
  db: Kysely<Tables>,
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
  db: Kysely<Tables>,
  { accounts, others }: { readonly accounts: readonly Buffer[]; readonly others: readonly Buffer[] },
): Promise<unknown>[] {
  const { noAddressBook, noMetadata } = options;
  return [
    ...(noAddressBook || accounts.length === 0 ? [] : [readAddressBook(db, { accounts })]),
    ...(noMetadata || others.length === 0 ? [] : [readTokenInfos(db, { accounts: others })]),
  ];
}

/** Writes the address book and the metadata of a response. */
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
  const found = new Map<string, Buffer>();
  const add = (account: Buffer | null | undefined) => {
    if (account == null) return;
    const key = bytesKey(account);
    if (!found.has(key)) found.set(key, account);
  };
  await eachInSlices(accounts, add, signal);
  return [...found.values()];
}
