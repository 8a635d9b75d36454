import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { type AddressBookEntry, addressBookEntrySchema, loadAddressBook } from './address-book.ts';
import type { V3Call } from './call.ts';
import { MapOf } from './map-of.ts';
import { loadMetadata, type MetadataEntry, metadataEntrySchema } from './metadata.ts';

/** Addresses of an answer, by raw form. */
export const bookSchema = { address_book: MapOf(addressBookEntrySchema) };

/** Addresses of an answer and the tokens among them. */
export const booksSchema = { ...bookSchema, metadata: MapOf(metadataEntrySchema) };

/** What an answer says of the addresses in it. */
export async function loadBook(
  call: V3Call,
  db: Kysely<Tables>,
  accounts: Accounts,
): Promise<{ address_book: Record<string, AddressBookEntry> }> {
  const asked = call.options.noAddressBook ? [] : distinct(accounts);
  return { address_book: byAddress(await loadAddressBook(call, db, asked)) };
}

/** The same with what is shown of tokens. */
export async function loadBooks(
  call: V3Call,
  db: Kysely<Tables>,
  accounts: Accounts,
): Promise<{
  address_book: Record<string, AddressBookEntry>;
  metadata: Record<string, MetadataEntry>;
}> {
  const asked = call.options.noMetadata ? [] : distinct(accounts);
  const book = await loadBook(call, db, accounts);
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
