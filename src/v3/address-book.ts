import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import Type from 'typebox';
import { formatFriendly } from '../chain/address.ts';
import { interfaceNames } from '../chain/contracts/interfaces.ts';
import { walletCodeOf } from '../chain/contracts/wallets.ts';
import { type AddressBookRow, readAddressBook } from '../db/queries/address-book.ts';
import type { Tables } from '../db/tables.ts';
import { defineOperation, type Operation } from '../http/operation.ts';
import type { V3Call } from './call.ts';
import { loadMetadata, type MetadataEntry, metadataEntrySchema } from './metadata.ts';
import { addressKind, addressListParam, restorePlus } from './parameter-kinds.ts';
import { readIndex } from './read-index.ts';
import { formatAccount, fromAccountBytes, MapOf, Nullable, toAccountBytes } from './values.ts';

const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333';
const NO_ADDRESS: AddressBookEntry = { user_friendly: null, domain: null, interfaces: [] };

/** Friendly forms, names and kinds of addresses. */
export function createAddressBook(): Operation<V3Call> {
  return defineOperation({
    name: 'addressBook',
    methods: ['GET'],
    tag: 'accounts',
    summary: 'Address book',
    description: 'Entries are by address as it was asked; what is no address has an entry of nulls.',
    parameters: { address: addressListParam() },
    result: MapOf(addressBookEntrySchema),
    cache: 'head',
    examples: [
      {
        title: 'A contract',
        params: { address: [ELECTOR] },
        varies: true,
        result: {
          [ELECTOR]: {
            user_friendly: 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF',
            domain: null,
            interfaces: null,
          },
        },
      },
      { title: 'No address', params: { address: ['nobody'] }, result: { nobody: NO_ADDRESS } },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'at least 1 address required' } },
    ],
    handler: async ({ address: texts }, call: V3Call) => {
      const asked = texts.map((text) => {
        const parsed = addressKind.convert(text);
        if (parsed === undefined) return { text, account: undefined };
        return { text: restorePlus(text, text.length), account: toAccountBytes(parsed) };
      });
      const accounts = asked.flatMap(({ account }) => account ?? []);
      const load = () => readIndex(call, (db) => loadAddressBook(call, db, accounts));
      const book = accounts.length === 0 ? new Map() : await load();
      return Object.fromEntries(
        asked.map(({ text, account }) => [text, account ? book.get(formatAccount(account))! : NO_ADDRESS]),
      );
    },
  });
}

/** What an address book says of an address. */
export const addressBookEntrySchema = Type.Object({
  user_friendly: Nullable(
    Type.String({ description: 'Base64url; non-bounceable for wallets and without code.' }),
  ),
  domain: Nullable(
    Type.String({ description: 'The shortest name that the account owns and that leads to it.' }),
  ),
  interfaces: Nullable(Type.Array(Type.String(), { description: 'What the contract is, by its code.' })),
});

export type AddressBookEntry = Static<typeof addressBookEntrySchema>;

/** Looks accounts up; the entries are by raw address. */
async function loadAddressBook(
  { ports }: Pick<V3Call, 'ports'>,
  db: Kysely<Tables>,
  accounts: readonly Buffer[],
): Promise<ReadonlyMap<string, AddressBookEntry>> {
  if (accounts.length === 0) return new Map();
  const rows = await readAddressBook(db, { accounts });
  const entryOf = createAddressBookWriter(ports.testOnly);
  return new Map(rows.map((row) => [formatAccount(row.account), entryOf(row)]));
}

/** Writes entries of one answer. */
export function createAddressBookWriter(testOnly: boolean): (row: AddressBookRow) => AddressBookEntry {
  const namesOf = createInterfaceNamer();
  return (row) => ({
    user_friendly: friendlyForm(row, testOnly),
    domain: row.domain,
    interfaces: row.known ? namesOf(row) : [],
  });
}

/** Money sent to a wallet, or to an account that is not there yet, should not come back. */
function friendlyForm({ account, code_hash }: AddressBookRow, testOnly: boolean): string {
  const bounceable = code_hash !== null && walletCodeOf(code_hash)?.type === undefined;
  return formatFriendly(fromAccountBytes(account), { bounceable, testOnly });
}

/** Names interfaces once a code: most accounts of an answer share a few. */
export function createInterfaceNamer(): (
  row: Pick<AddressBookRow, 'code_hash' | 'methods'>,
) => AddressBookEntry['interfaces'] {
  const named = new Map<string, AddressBookEntry['interfaces']>();
  return ({ code_hash, methods }) => {
    if (code_hash === null) return null;
    const key = code_hash.toString('latin1');
    let names = named.get(key);
    if (names === undefined) {
      names = interfaceNames(code_hash, methods ?? undefined);
      named.set(key, names);
    }
    return names;
  };
}

/** Addresses of an answer, by raw form. */
export const addressBookFields = { address_book: MapOf(addressBookEntrySchema) };

/** Addresses of an answer and the tokens among them. */
export const addressInfoFields = { ...addressBookFields, metadata: MapOf(metadataEntrySchema) };

/** What an answer says of the addresses in it. */
export async function loadAddressBookFields(
  call: V3Call,
  db: Kysely<Tables>,
  accounts: Accounts,
): Promise<{ address_book: Record<string, AddressBookEntry> }> {
  const asked = call.options.noAddressBook ? [] : distinct(accounts);
  return { address_book: byAddress(await loadAddressBook(call, db, asked)) };
}

/** The same with what is shown of tokens. */
export async function loadAddressInfoFields(
  call: V3Call,
  db: Kysely<Tables>,
  accounts: Accounts,
): Promise<{
  address_book: Record<string, AddressBookEntry>;
  metadata: Record<string, MetadataEntry>;
}> {
  const asked = call.options.noMetadata ? [] : distinct(accounts);
  const book = await loadAddressBookFields(call, db, accounts);
  return { ...book, metadata: byAddress(await loadMetadata(call, db, asked)) };
}

/** Accounts of 33 bytes in any number; null and undefined do not count. */
type Accounts = Iterable<Buffer | null | undefined>;

/** Entries in the order of their keys: answers that say the same are the same. */
function byAddress<T>(entries: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function distinct(accounts: Accounts): Buffer[] {
  const found = new Map<string, Buffer>();
  for (const account of accounts) if (account) found.set(account.toString('latin1'), account);
  return [...found.values()];
}
