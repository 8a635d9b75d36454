import { formatFriendly, fromAccountBytes } from '../chain/address.ts';
import type { Db } from '../db/tables/tables.ts';
import type { Log } from '../lib/log.ts';
import {
  type AddressBookEntry,
  addressInfoFields,
  loadAddressInfoFields,
  type MetadataEntry,
} from '../v3/address-book.ts';
import { compileReadyText } from '../v3/envelope.ts';
import type { V3Ports } from '../v3/operation.ts';
import type { V3RequestOptions } from '../v3/parameters.ts';
import { formatAccount } from '../v3/values.ts';

/** The address book and the metadata of accounts, as JSON. What was not loaded has an entry without knowledge. */
export interface AddressInfo {
  bookOf(accounts: readonly Buffer[]): string;
  metadataOf(accounts: readonly Buffer[]): string;
}

/** How the address book and the metadata of events are written. */
export interface AddressInfoOptions {
  readonly ports: V3Ports;
  readonly log: Log;
  /** Decimals that an off-chain document has as a number are texts, as some wallets need them. */
  readonly textDecimals: boolean;
}

interface LoadOptions extends AddressInfoOptions {
  readonly addressBook: boolean;
  readonly metadata: boolean;
}

const NEVER = new AbortController().signal;
const OPTIONS: V3RequestOptions = {
  timeoutMs: 3000,
  noAddressBook: false,
  noMetadata: false,
  debug: false,
  isStrict: false,
  minSeqno: undefined,
  actionsVersion: undefined,
};

const writeBook = compileReadyText(addressInfoFields.address_book);
const writeMetadata = compileReadyText(addressInfoFields.metadata);

/** Loads the address book and the metadata of accounts. Never rejects: an event is worth more than its address book. */
export async function loadAddressInfo(
  db: Db,
  accounts: readonly Buffer[],
  { ports, log, textDecimals, addressBook, metadata }: LoadOptions,
): Promise<AddressInfo> {
  const options = { ...OPTIONS, noAddressBook: !addressBook, noMetadata: !metadata };
  const isWanted = (addressBook || metadata) && accounts.length > 0;
  // Only these parts of a call are used.
  const call = { ports, signal: NEVER, options } as Parameters<typeof loadAddressInfoFields>[0];
  const loaded = isWanted
    ? await loadAddressInfoFields(call, db, accounts).catch((error: unknown) => {
        log.warn({ err: error }, 'Failed to load the address book of events');
        return undefined;
      })
    : undefined;
  return {
    bookOf(wanted) {
      const entries = byName(wanted).map(([name, account]) => [
        name,
        loaded?.address_book[name] ?? unknownEntry(account, ports.testOnly),
      ]);
      return writeBook(Object.fromEntries(entries)).json;
    },
    metadataOf(wanted) {
      const entries = byName(wanted).flatMap(([name]) => {
        const entry = loaded?.metadata[name];
        return entry === undefined ? [] : [[name, textDecimals ? withTextDecimals(entry) : entry]];
      });
      return writeMetadata(Object.fromEntries(entries)).json;
    },
  };
}

function withTextDecimals(entry: MetadataEntry): MetadataEntry {
  const tokens = entry.token_info.map((info) => {
    const decimals = info.extra?.decimals;
    return typeof decimals === 'number'
      ? { ...info, extra: { ...info.extra, decimals: String(decimals) } }
      : info;
  });
  return { ...entry, token_info: tokens };
}

/** Each account once, in the order of the names. */
function byName(accounts: readonly Buffer[]): (readonly [string, Buffer])[] {
  const named = new Map(accounts.map((account) => [formatAccount(account), account]));
  return [...named].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** An account of which nothing is known: coins sent to it should not bounce. */
function unknownEntry(account: Buffer, testOnly: boolean): AddressBookEntry {
  const form = { bounceable: false, testOnly };
  return { user_friendly: formatFriendly(fromAccountBytes(account), form), domain: null, interfaces: [] };
}
