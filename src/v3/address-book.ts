import type { Kysely } from 'kysely';
import Type, { type Static } from 'typebox';
import { formatFriendly } from '../chain/address/format-address.ts';
import { interfaceNames } from '../chain/contracts/interface-names.ts';
import { walletCodeOf } from '../chain/contracts/wallet-codes.ts';
import { type AddressBookRow, readAddressBook } from '../db/queries/address-book.ts';
import type { Tables } from '../db/tables.ts';
import { formatAccount, fromAccountBytes } from './account-bytes.ts';
import type { V3Call } from './call.ts';
import { Nullable } from './nullable.ts';

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
export async function loadAddressBook(
  { ports }: Pick<V3Call, 'ports'>,
  db: Kysely<Tables>,
  accounts: readonly Buffer[],
): Promise<ReadonlyMap<string, AddressBookEntry>> {
  if (accounts.length === 0) return new Map();
  const rows = await readAddressBook(db, { accounts });
  const entryOf = createBookWriter(ports.testOnly);
  return new Map(rows.map((row) => [formatAccount(row.account), entryOf(row)]));
}

/** Writes entries of one answer. */
export function createBookWriter(testOnly: boolean): (row: AddressBookRow) => AddressBookEntry {
  const namesOf = createNaming();
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
export function createNaming(): (
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
