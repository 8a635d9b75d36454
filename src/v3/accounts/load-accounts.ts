import { formatAccount } from '../account-bytes.ts';
import { type AddressBookEntry, createBookWriter } from '../address-book.ts';
import { loadBooks } from '../books.ts';
import type { V3Call } from '../call.ts';
import { readLiveAccounts } from '../live/live-accounts.ts';
import type { MetadataEntry } from '../metadata.ts';
import { readIndex } from '../read-index.ts';
import {
  type CellsWish,
  fillCells,
  type KnownAccount,
  keyOf,
  lacksCells,
  readKnownAccounts,
} from './known-account.ts';

/** Which accounts an answer is about. */
export interface AccountsQuestion {
  readonly accounts: readonly Buffer[];
  /** Only accounts with one of these codes; none stand for any code. */
  readonly codeHashes: readonly Buffer[];
  readonly wish: CellsWish;
}

/** Accounts of an answer and what is said of their addresses. */
export interface LoadedAccounts {
  readonly rows: readonly KnownAccount[];
  readonly address_book: Readonly<Record<string, AddressBookEntry>>;
  readonly metadata: Readonly<Record<string, MetadataEntry>>;
}

/** Reads one account: from the index, or from a lite server if that may be asked and the index does not know it. */
export async function loadAccount(
  call: V3Call,
  account: Buffer,
  wish: CellsWish,
): Promise<KnownAccount | undefined> {
  const known = await readIndex(call, (db) => readKnownAccounts(db, [account], wish));
  const [row] = await addLive(call, { accounts: [account], codeHashes: [], wish }, known);
  return row;
}

/** Reads accounts in the same way, and what is said of their addresses; those that nobody knows are left out. */
export async function loadAccounts(call: V3Call, question: AccountsQuestion): Promise<LoadedAccounts> {
  const { known, address_book, metadata } = await readIndex(call, async (db) => {
    const known = await readKnownAccounts(db, question.accounts, question.wish);
    const shown = known.filter((row) => fits(row, question));
    // What is said of an account that a lite server may still tell of belongs to the same moment.
    const unknown = call.ports.liveFallback ? missingOf(question.accounts, known) : [];
    return { known, ...(await loadBooks(call, db, [...shown.map(({ account }) => account), ...unknown])) };
  });
  const rows = await addLive(call, question, known);
  return { rows, address_book: bookOf(call, rows, known, address_book), metadata };
}

/** Adds what the index does not have, where lite servers may be asked; the rows are those of the answer. */
async function addLive(
  call: V3Call,
  question: AccountsQuestion,
  known: readonly KnownAccount[],
): Promise<KnownAccount[]> {
  const shown = known.filter((row) => fits(row, question));
  if (!call.ports.liveFallback) return shown;
  const lacking = shown.filter((row) => lacksCells(row, question.wish)).map(({ account }) => account);
  const unknown = missingOf(question.accounts, known);
  const live = await readLiveAccounts(call, [...lacking, ...unknown]);
  const byAccount = new Map(live.map((row) => [keyOf(row.account), row]));
  const filled = shown.map((row) => {
    const other = byAccount.get(keyOf(row.account));
    byAccount.delete(keyOf(row.account));
    return other === undefined ? row : fillCells(row, other);
  });
  const added = [...byAccount.values()].filter((row) => fits(row, question));
  if (added.length > 0 || filled.some((row, at) => row !== shown[at])) call.answer.isLive = true;
  return [...filled, ...added].sort((a, b) => a.account.compare(b.account));
}

function fits({ code_hash }: KnownAccount, { codeHashes }: AccountsQuestion): boolean {
  return codeHashes.length === 0 || (code_hash !== null && codeHashes.some((hash) => hash.equals(code_hash)));
}

/** The accounts of which there is no row, each once. */
function missingOf(accounts: readonly Buffer[], rows: readonly KnownAccount[]): Buffer[] {
  const missing = new Map(accounts.map((account) => [keyOf(account), account]));
  for (const { account } of rows) missing.delete(keyOf(account));
  return [...missing.values()];
}

/** What is said of the accounts of an answer, those of lite servers included, whose code the index cannot have told. */
function bookOf(
  { ports, options }: V3Call,
  rows: readonly KnownAccount[],
  known: readonly KnownAccount[],
  book: LoadedAccounts['address_book'],
): LoadedAccounts['address_book'] {
  if (options.noAddressBook) return {};
  const isKnown = new Set(known.map(({ account }) => keyOf(account)));
  const entryOf = createBookWriter(ports.testOnly);
  return Object.fromEntries(
    rows.map((row) => {
      const address = formatAccount(row.account);
      const entry = book[address];
      if (entry !== undefined && isKnown.has(keyOf(row.account))) return [address, entry];
      return [address, entryOf({ ...row, known: true, domain: entry?.domain ?? null })];
    }),
  );
}
