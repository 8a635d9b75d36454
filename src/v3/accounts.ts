import type { Static } from 'typebox';
import Type from 'typebox';
import { readTopAccounts, TOP_ACCOUNTS_ORDER } from '../db/queries/accounts.ts';
import { defineOperation, type Operation } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import {
  type AddressBookEntry,
  addressInfoFields,
  createAddressBookWriter,
  createInterfaceNamer,
  loadAddressInfoFields,
} from './address-book.ts';
import type { V3Call } from './call.ts';
import {
  fillCells,
  type KnownAccount,
  keyOf,
  lacksCells,
  readKnownAccounts,
  type WantedCells,
} from './known-accounts.ts';
import { readLiveAccounts } from './live-accounts.ts';
import type { MetadataEntry } from './metadata.ts';
import { noteNextCursor, type PageLimits, pageParams, toPage } from './pages.ts';
import { addressKind, booleanParam, hashKind } from './parameter-kinds.ts';
import { listParam } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { formatAccount, MapOf, Nullable, toAccountBytes } from './values.ts';

const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333';
const HASH = 'kK7Illr6uxbrw8ubQI665xthjXh4i8gNCYQ1k8rJjaQ=';

/** Accounts with their code and data. */
export function createAccountStates(): Operation<V3Call> {
  return defineOperation({
    name: 'accountStates',
    methods: ['GET'],
    tag: 'accounts',
    summary: 'Newest states of accounts',
    description: 'Accounts that nobody knows are left out. The order is that of the addresses.',
    parameters: {
      ...accountListParams(),
      include_boc: booleanParam({ description: 'Whether code and data are shown.', fallback: true }),
    },
    result: Type.Object({ accounts: Type.Array(accountStateSchema), ...addressInfoFields }),
    cache: 'head',
    examples: [
      {
        title: 'A contract',
        params: { address: [ELECTOR], include_boc: false },
        varies: true,
        result: {
          accounts: [
            {
              address: ELECTOR,
              account_state_hash: HASH,
              balance: '10000000000',
              extra_currencies: {},
              status: 'active',
              last_transaction_hash: HASH,
              last_transaction_lt: '1000001',
              data_hash: HASH,
              code_hash: HASH,
              contract_methods: [0, 85143],
              interfaces: [],
            },
          ],
          address_book: {
            [ELECTOR]: {
              user_friendly: 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF',
              domain: null,
              interfaces: [],
            },
          },
          metadata: {},
        },
      },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'address of account is required' } },
    ],
    handler: async ({ address, code_hash, include_boc: includeBoc }, call: V3Call) => {
      const { rows, ...books } = await loadAccounts(call, {
        accounts: address.map(toAccountBytes),
        codeHashes: code_hash,
        wantedCells: { codes: true, dataOf: () => includeBoc },
      });
      const namesOf = createInterfaceNamer();
      return { accounts: rows.map((row) => toAccountState(row, { includeBoc, namesOf })), ...books };
    },
  });
}

const MAX_ACCOUNTS = 1000;

/** The parameters by which accounts are chosen. */
export function accountListParams() {
  return {
    address: listParam(addressKind, {
      description: 'Accounts to look up.',
      max: MAX_ACCOUNTS,
      required: true,
      missingText: 'address of account is required',
    }),
    code_hash: listParam(hashKind, {
      description: 'Only accounts with one of these codes.',
      max: MAX_ACCOUNTS,
    }),
  };
}

/** What an account can be. */
export const accountStatusSchema = Type.Enum(['uninit', 'frozen', 'active', 'nonexist']);

/** The newest state of an account. */
const accountStateSchema = Type.Object({
  address: PlainText(),
  account_state_hash: PlainText(),
  balance: PlainText({ description: 'Nanotons.' }),
  extra_currencies: MapOf(PlainText()),
  status: accountStatusSchema,
  frozen_hash: Type.Optional(PlainText({ description: 'Of the state that a frozen account has given up.' })),
  last_transaction_hash: PlainText(),
  last_transaction_lt: PlainText(),
  data_hash: Type.Optional(PlainText()),
  code_hash: Type.Optional(PlainText()),
  data_boc: Type.Optional(PlainText({ description: 'Absent also when it is not in the index yet.' })),
  code_boc: Type.Optional(PlainText({ description: 'Absent also when it is not in the index yet.' })),
  contract_methods: Nullable(
    Type.Array(Type.Integer(), { description: 'Ids of get-methods; null when they are not known.' }),
  ),
  interfaces: Nullable(Type.Array(Type.String(), { description: 'What the contract is, by its code.' })),
});

/** Writes the state of an account. */
function toAccountState(
  row: KnownAccount,
  {
    includeBoc,
    namesOf,
  }: { readonly includeBoc: boolean; readonly namesOf: ReturnType<typeof createInterfaceNamer> },
): Static<typeof accountStateSchema> {
  const { code_hash, data_hash, frozen_hash, code, data, methods } = row;
  return {
    address: formatAccount(row.account),
    account_state_hash: row.hash.toString('base64'),
    balance: row.balance,
    extra_currencies: row.balance_extra ?? {},
    status: row.status,
    ...(frozen_hash && { frozen_hash: frozen_hash.toString('base64') }),
    last_transaction_hash: row.last_trans_hash.toString('base64'),
    last_transaction_lt: row.last_trans_lt,
    ...(data_hash && { data_hash: data_hash.toString('base64') }),
    ...(code_hash && { code_hash: code_hash.toString('base64') }),
    ...(includeBoc && data && { data_boc: data.toString('base64') }),
    ...(includeBoc && code && { code_boc: code.toString('base64') }),
    contract_methods: methods === null ? null : [...methods],
    interfaces: code_hash === null ? [] : namesOf(row),
  };
}

/** Accounts by what they have. */
export function createTopAccountsByBalance(limits: PageLimits): Operation<V3Call> {
  const { maxLimit } = limits;
  return defineOperation({
    name: 'topAccountsByBalance',
    methods: ['GET'],
    tag: 'stats',
    summary: 'Accounts by balance',
    description: 'The richest first; of those with the same balance, by address.',
    parameters: pageParams(limits),
    result: Type.Array(
      Type.Object({ account: PlainText(), balance: PlainText({ description: 'Nanotons.' }) }),
    ),
    cache: 'head',
    examples: [
      {
        title: 'The richest',
        params: { limit: 1 },
        varies: true,
        result: [
          {
            account: '-1:3333333333333333333333333333333333333333333333333333333333333333',
            balance: '1000000000000000',
          },
        ],
      },
      {
        title: 'Too many',
        params: { limit: maxLimit + 1 },
        failure: { code: 422, text: `limit is not allowed: ${maxLimit + 1} > ${maxLimit}` },
      },
    ],
    handler: async (params, call: V3Call) => {
      const page = toPage(params, TOP_ACCOUNTS_ORDER);
      const rows = await readIndex(call, (db) => readTopAccounts(db, { page }));
      noteNextCursor(call, TOP_ACCOUNTS_ORDER, page, rows);
      return rows.map(({ account, balance }) => ({ account: formatAccount(account), balance }));
    },
  });
}

/** Which accounts an answer is about. */
interface AccountsQuery {
  readonly accounts: readonly Buffer[];
  /** Only accounts with one of these codes; none stand for any code. */
  readonly codeHashes: readonly Buffer[];
  readonly wantedCells: WantedCells;
}

/** Accounts of an answer and what is said of their addresses. */
interface LoadedAccounts {
  readonly rows: readonly KnownAccount[];
  readonly address_book: Readonly<Record<string, AddressBookEntry>>;
  readonly metadata: Readonly<Record<string, MetadataEntry>>;
}

/** Reads one account: from the index, or from a lite server if that may be asked and the index does not know it. */
export async function loadAccount(
  call: V3Call,
  account: Buffer,
  wish: WantedCells,
): Promise<KnownAccount | undefined> {
  const known = await readIndex(call, (db) => readKnownAccounts(db, [account], wish));
  const [row] = await addLive(call, { accounts: [account], codeHashes: [], wantedCells: wish }, known);
  return row;
}

/** Reads accounts in the same way, and what is said of their addresses; those that nobody knows are left out. */
export async function loadAccounts(call: V3Call, question: AccountsQuery): Promise<LoadedAccounts> {
  const { known, address_book, metadata } = await readIndex(call, async (db) => {
    const known = await readKnownAccounts(db, question.accounts, question.wantedCells);
    const shown = known.filter((row) => fits(row, question));
    // What is said of an account that a lite server may still tell of belongs to the same moment.
    const unknown = call.ports.liveFallback ? missingOf(question.accounts, known) : [];
    return {
      known,
      ...(await loadAddressInfoFields(call, db, [...shown.map(({ account }) => account), ...unknown])),
    };
  });
  const rows = await addLive(call, question, known);
  return { rows, address_book: bookOf(call, rows, known, address_book), metadata };
}

/** Adds what the index does not have, where lite servers may be asked; the rows are those of the answer. */
async function addLive(
  call: V3Call,
  question: AccountsQuery,
  known: readonly KnownAccount[],
): Promise<KnownAccount[]> {
  const shown = known.filter((row) => fits(row, question));
  if (!call.ports.liveFallback) return shown;
  const lacking = shown.filter((row) => lacksCells(row, question.wantedCells)).map(({ account }) => account);
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

function fits({ code_hash }: KnownAccount, { codeHashes }: AccountsQuery): boolean {
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
  const entryOf = createAddressBookWriter(ports.testOnly);
  return Object.fromEntries(
    rows.map((row) => {
      const address = formatAccount(row.account);
      const entry = book[address];
      if (entry !== undefined && isKnown.has(keyOf(row.account))) return [address, entry];
      return [address, entryOf({ ...row, known: true, domain: entry?.domain ?? null })];
    }),
  );
}
