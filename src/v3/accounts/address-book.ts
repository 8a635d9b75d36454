import { defineOperation, type Operation } from '../../http/operation.ts';
import { formatAccount, toAccountBytes } from '../account-bytes.ts';
import { type AddressBookEntry, addressBookEntrySchema, loadAddressBook } from '../address-book.ts';
import type { V3Call } from '../call.ts';
import { MapOf } from '../map-of.ts';
import { addressKind } from '../params/address.ts';
import { restorePlus } from '../params/restore-plus.ts';
import { readIndex } from '../read-index.ts';
import { addressListParam } from './address-list.ts';

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
