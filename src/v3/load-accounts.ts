import {
  fillCells,
  type KnownAccount,
  lacksCells,
  readKnownAccounts,
  type WantedCells,
} from '../index/read/accounts.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { type AddressBookEntry, createAddressBookWriter, loadAddressInfoFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { readLiveAccounts } from './live-accounts.ts';
import type { MetadataEntry } from './metadata.ts';
import { readIndex } from './read-index.ts';
import { formatAccount } from './values.ts';

/** Which accounts to load. */
interface AccountsQuery {
  readonly accounts: readonly Buffer[];
  /** Only accounts with one of these codes; empty for any code. */
  readonly codeHashes: readonly Buffer[];
  readonly wantedCells: WantedCells;
}

/** Accounts with the address book and metadata of a response. */
interface LoadedAccounts {
  readonly rows: readonly KnownAccount[];
  readonly address_book: Readonly<Record<string, AddressBookEntry>>;
  readonly metadata: Readonly<Record<string, MetadataEntry>>;
}

/** Loads one account from the index, or from a lite server if the fallback is on and the index does not have it. */
export async function loadAccount(
  call: V3Call,
  account: Buffer,
  wantedCells: WantedCells,
): Promise<KnownAccount | undefined> {
  const query = { accounts: [account], codeHashes: [], wantedCells };
  const known = await readIndex(call, (db) => readKnownAccounts(db, query));
  const [row] = await addLive(call, query, known);
  return row;
}

/** Loads accounts in the same way, with their address book and metadata. Unknown accounts are left out. */
export async function loadAccounts(call: V3Call, query: AccountsQuery): Promise<LoadedAccounts> {
  const { known, address_book, metadata } = await readIndex(call, async (db) => {
    const known = await readKnownAccounts(db, query);
    const shown = known.filter((row) => hasWantedCode(row, query));
    // Accounts that a lite server may still return are looked up in the same snapshot.
    const unknown = call.ports.liveFallback ? findMissing(query.accounts, known) : [];
    return {
      known,
      ...(await loadAddressInfoFields(call, db, [...shown.map(({ account }) => account), ...unknown])),
    };
  });
  const rows = await addLive(call, query, known);
  return { rows, address_book: completeAddressBook(call, rows, known, address_book), metadata };
}

/** Fills in from lite servers what the index does not have, if the fallback is on; returns the rows to show. */
async function addLive(
  call: V3Call,
  query: AccountsQuery,
  known: readonly KnownAccount[],
): Promise<KnownAccount[]> {
  const shown = known.filter((row) => hasWantedCode(row, query));
  if (!call.ports.liveFallback) return shown;
  const lacking = shown.filter((row) => lacksCells(row, query.wantedCells)).map(({ account }) => account);
  const unknown = findMissing(query.accounts, known);
  const live = await readLiveAccounts(call, [...lacking, ...unknown]);
  const byAccount = new Map(live.map((row) => [bytesKey(row.account), row]));
  const filled = shown.map((row) => {
    const other = byAccount.get(bytesKey(row.account));
    byAccount.delete(bytesKey(row.account));
    return other === undefined ? row : fillCells(row, other);
  });
  const added = [...byAccount.values()].filter((row) => hasWantedCode(row, query));
  if (added.length > 0 || filled.some((row, at) => row !== shown[at])) call.notes.isLive = true;
  return [...filled, ...added].sort((a, b) => a.account.compare(b.account));
}

function hasWantedCode({ code_hash }: KnownAccount, { codeHashes }: AccountsQuery): boolean {
  return codeHashes.length === 0 || (code_hash !== null && codeHashes.some((hash) => hash.equals(code_hash)));
}

/** The accounts without a row, each once. */
function findMissing(accounts: readonly Buffer[], rows: readonly KnownAccount[]): Buffer[] {
  const missing = new Map(accounts.map((account) => [bytesKey(account), account]));
  for (const { account } of rows) missing.delete(bytesKey(account));
  return [...missing.values()];
}

/** Adds entries for accounts from lite servers: the index cannot know their code. */
function completeAddressBook(
  { ports, options }: V3Call,
  rows: readonly KnownAccount[],
  known: readonly KnownAccount[],
  book: LoadedAccounts['address_book'],
): LoadedAccounts['address_book'] {
  if (options.noAddressBook) return {};
  const isKnown = new Set(known.map(({ account }) => bytesKey(account)));
  const entryOf = createAddressBookWriter(ports.testOnly);
  return Object.fromEntries(
    rows.map((row) => {
      const address = formatAccount(row.account);
      const entry = book[address];
      if (entry !== undefined && isKnown.has(bytesKey(row.account))) return [address, entry];
      return [address, entryOf({ ...row, known: true, domain: entry?.domain ?? null })];
    }),
  );
}
