import Type from 'typebox';
import { fromAccountBytes, toAccountBytes } from '../chain/address.ts';
import { readBoc } from '../chain/boc/bag.ts';
import { CellError, type CellRef } from '../chain/boc/cells.ts';
import { writeBoc } from '../chain/boc/writer.ts';
import { readMethodIds } from '../chain/contracts/method-ids.ts';
import { readWallet, type WalletData, type WalletType, walletCodeOf } from '../chain/contracts/wallets.ts';
import { ShownAs } from '../http/named-schemas.ts';
import { PlainText } from '../http/serializer.ts';
import {
  fillCells,
  type KnownAccount,
  lacksCells,
  readKnownAccounts,
  readTopAccounts,
  TOP_ACCOUNTS_ORDER,
  topAccountKeys,
  type WantedCells,
} from '../index/read/accounts.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { mapInOrder } from '../lib/concurrency.ts';
import { Failure } from '../lib/errors.ts';
import type { AccountState } from '../live/accounts.ts';
import {
  type AddressBookEntry,
  createAddressBookWriter,
  createInterfaceNamer,
  loadAddressInfoFields,
  withAddressInfo,
} from './address-book.ts';
import { readKeyedList, windowParams } from './list-parameters.ts';
import { defineV3Operation, type ListLimits, type V3Call } from './operation.ts';
import { addressKind, booleanParam, hashesParam, MAX_LIST_VALUES } from './parameter-kinds.ts';
import { listParam } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { account, base64, column, defineRow, member, optional, text } from './row-json.ts';
import { AccountStatus, formatAccount, MapOf, Nullable } from './values.ts';

export const createAccountStates = () =>
  defineV3Operation({
    name: 'accountStates',
    tag: 'accounts',
    summary: 'Account states',
    description: 'The latest state of each account, ordered by address. Unknown accounts are left out.',
    parameters: {
      ...accountListParams(),
      include_boc: booleanParam('Include code and data.', { fallback: true }),
    },
    result: withAddressInfo('AccountStatesResponse', { accounts: Type.Array(accountState.schema) }),
    handler: async ({ address, code_hash, include_boc: includeBoc }, call) => {
      const { rows, ...addressInfo } = await loadAccounts(call, {
        accounts: address.map(toAccountBytes),
        codeHashes: code_hash,
        wantedCells: { codes: true, dataOf: () => includeBoc },
      });
      const namesOf = createInterfaceNamer();
      const isSuspended = await loadSuspensions(call);
      const bags = includeBoc ? {} : { code: undefined, data: undefined };
      const shown = rows.map((row) =>
        accountState.write({
          ...row,
          ...bags,
          interfaces: namesOf(row),
          suspended: isSuspended(row.account),
        }),
      );
      return { accounts: shown, ...addressInfo };
    },
  });

function accountListParams() {
  return {
    address: listParam(addressKind, 'Account addresses.', {
      max: MAX_LIST_VALUES,
      required: true,
      missingText: 'address of account is required',
    }),
    code_hash: hashesParam('Only accounts with one of these code hashes.'),
  };
}

const status = column(
  () => ShownAs(Type.Enum(['uninit', 'frozen', 'active', 'nonexist']), AccountStatus()),
  (value: KnownAccount['status']) => value,
)('status');

const suspendedSchema = Type.Optional(
  Type.Boolean({
    description:
      'Whether the newest config keeps the account from being deployed; absent while no lite server has told it.',
  }),
);

/** A member of rows, and of results with one account. */
export const suspendedFields = { suspended: suspendedSchema };

interface ShownSuspension {
  readonly suspended: boolean | undefined;
}

const suspended = member(suspendedSchema, ({ suspended: isSuspended }: ShownSuspension) => isSuspended);

/** Tells which accounts are suspended; nothing where that is not known. */
export async function loadSuspensions(call: V3Call): Promise<(account: Buffer) => boolean | undefined> {
  const isSuspended = await call.ports.suspensions?.(call);
  return (account) => isSuspended?.(fromAccountBytes(account));
}

const bag = (name: 'code' | 'data') =>
  member(
    Type.Optional(PlainText({ description: 'Also absent if the index does not have it yet.' })),
    ({ [name]: boc }: KnownAccount) => boc?.toString('base64'),
  );

interface ShownAccount extends KnownAccount {
  readonly interfaces: AddressBookEntry['interfaces'];
}

const accountState = defineRow('AccountStateFull', {
  address: account('account'),
  account_state_hash: base64('hash'),
  balance: text('balance', 'Nanotons.'),
  extra_currencies: member(MapOf(PlainText()), ({ balance_extra }: KnownAccount) => balance_extra ?? {}),
  status,
  frozen_hash: optional(base64('frozen_hash', 'Hash of the state that a frozen account had.')),
  last_transaction_hash: base64('last_trans_hash'),
  last_transaction_lt: text('last_trans_lt'),
  data_hash: optional(base64('data_hash')),
  code_hash: optional(base64('code_hash')),
  data_boc: bag('data'),
  code_boc: bag('code'),
  contract_methods: member(
    Nullable(Type.Array(Type.Integer(), { description: 'Get-method ids; null if unknown.' })),
    ({ methods }: KnownAccount) => methods && [...methods],
  ),
  interfaces: member(
    Nullable(Type.Array(Type.String(), { description: 'Interfaces of the contract, by its code.' })),
    ({ code_hash, interfaces }: ShownAccount) => (code_hash === null ? [] : interfaces),
  ),
  suspended,
});

export const createWalletStates = () =>
  defineV3Operation({
    name: 'walletStates',
    tag: 'accounts',
    summary: 'Wallet states',
    description:
      'Wallets v1 to v5 are recognised by their code; other accounts have `is_wallet` false. Unknown accounts are left out.',
    parameters: accountListParams(),
    result: withAddressInfo('WalletStatesResponse', { wallets: Type.Array(walletState.schema) }),
    handler: async ({ address, code_hash: codeHashes }, call) => {
      const accounts = address.map(toAccountBytes);
      const { rows, ...addressInfo } = await loadAccounts(call, {
        accounts,
        codeHashes,
        wantedCells: WALLET_CELLS,
      });
      const isSuspended = await loadSuspensions(call);
      return {
        wallets: rows.map((row) =>
          walletState.write({ ...row, wallet: walletOf(row), suspended: isSuspended(row.account) }),
        ),
        ...addressInfo,
      };
    },
  });

export const walletFields = {
  wallet_type: Type.Optional(Type.String()),
  seqno: Type.Optional(Type.Integer()),
  wallet_id: Type.Optional(Type.Integer()),
};

const walletState = defineRow('WalletState', {
  address: account('account'),
  is_wallet: member(Type.Boolean(), ({ wallet }: ShownWallet) => wallet !== undefined),
  wallet_type: member(walletFields.wallet_type, ({ wallet }: ShownWallet) => wallet?.type),
  seqno: member(walletFields.seqno, ({ wallet }: ShownWallet) => wallet?.seqno),
  wallet_id: member(walletFields.wallet_id, ({ wallet }: ShownWallet) => wallet?.walletId),
  balance: text('balance', 'Nanotons.'),
  extra_currencies: member(
    Type.Optional(MapOf(PlainText())),
    ({ balance_extra }: KnownAccount) => balance_extra ?? undefined,
  ),
  is_signature_allowed: member(
    Type.Optional(Type.Boolean({ description: 'Wallets v5 only.' })),
    ({ wallet }: ShownWallet) => wallet?.signatureAllowed,
  ),
  status,
  code_hash: optional(base64('code_hash')),
  last_transaction_hash: base64('last_trans_hash'),
  last_transaction_lt: text('last_trans_lt'),
  suspended,
});

/** Reads the data of wallets only; other data is not shown. */
export const WALLET_CELLS: WantedCells = {
  codes: false,
  dataOf: ({ code_hash }) => code_hash !== null && walletCodeOf(code_hash)?.type !== undefined,
};

interface WalletInfo extends WalletData {
  readonly type: WalletType;
}

interface ShownWallet {
  readonly wallet: WalletInfo | undefined;
}

/** Reads an account as a wallet; undefined if it is not a wallet or its data is missing. */
export function walletOf({ code_hash, data }: KnownAccount): WalletInfo | undefined {
  const { type, layout } = (code_hash && walletCodeOf(code_hash)) ?? {};
  if (type === undefined || layout === undefined || data === undefined) return undefined;
  try {
    const bag = readBoc(data);
    const wallet = readWallet(layout, bag, bag.root);
    return wallet && { type, ...wallet };
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
}

export function toWalletFields({ type, seqno, walletId }: WalletInfo) {
  return {
    wallet_type: type,
    ...(seqno !== undefined && { seqno }),
    ...(walletId !== undefined && { wallet_id: walletId }),
  };
}

export const createTopAccountsByBalance = (limits: ListLimits) =>
  defineV3Operation({
    name: 'topAccountsByBalance',
    tag: 'stats',
    summary: 'Top accounts by balance',
    description: 'Highest balance first; accounts with the same balance by address.',
    parameters: windowParams(limits),
    result: Type.Array(accountBalance.schema),
    handler: (params, call) =>
      readKeyedList(call, params, {
        keys: TOP_ACCOUNTS_ORDER,
        cursorOf: topAccountKeys,
        read: (db, page) => readTopAccounts(db, { page }),
        show: (rows) => rows.map(accountBalance.write),
      }),
  });

const accountBalance = defineRow('AccountBalance', {
  account: account('account'),
  balance: text('balance', 'Nanotons.'),
});

interface AccountsQuery {
  readonly accounts: readonly Buffer[];
  /** Only accounts with one of these codes; empty for any code. */
  readonly codeHashes: readonly Buffer[];
  readonly wantedCells: WantedCells;
}

/** Loads one account from the index, or from a lite server if the fallback is on and the index does not have it. */
export async function loadAccount(
  call: V3Call,
  account: Buffer,
  wantedCells: WantedCells,
): Promise<KnownAccount | undefined> {
  const query = { accounts: [account], codeHashes: [], wantedCells };
  const indexed = await readIndex(call, (db) => readKnownAccounts(db, query));
  const [row] = await addLive(call, query, indexed);
  return row;
}

/** Loads accounts in the same way, with their address book and metadata. Unknown accounts are left out. */
export async function loadAccounts(call: V3Call, query: AccountsQuery) {
  const { indexed, address_book, metadata } = await readIndex(call, async (db) => {
    const indexed = await readKnownAccounts(db, query);
    const shown = indexed.filter((row) => hasWantedCode(row, query));
    // Accounts that a lite server may still return are looked up in the same snapshot.
    const unknown = call.ports.liveFallback ? findMissing(query.accounts, indexed) : [];
    return {
      indexed,
      ...(await loadAddressInfoFields(call, db, [...shown.map(({ account }) => account), ...unknown])),
    };
  });
  const rows = await addLive(call, query, indexed);
  return { rows, address_book: completeAddressBook(call, rows, indexed, address_book), metadata };
}

/** Fills in from lite servers what the index does not have, if the fallback is on; returns the rows to show. */
async function addLive(
  call: V3Call,
  query: AccountsQuery,
  indexed: readonly KnownAccount[],
): Promise<KnownAccount[]> {
  const shown = indexed.filter((row) => hasWantedCode(row, query));
  if (!call.ports.liveFallback) return shown;
  const lacking = shown.filter((row) => lacksCells(row, query.wantedCells)).map(({ account }) => account);
  const unknown = findMissing(query.accounts, indexed);
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

function findMissing(accounts: readonly Buffer[], rows: readonly KnownAccount[]): Buffer[] {
  const missing = new Map(accounts.map((account) => [bytesKey(account), account]));
  for (const { account } of rows) missing.delete(bytesKey(account));
  return [...missing.values()];
}

/** Adds entries for accounts from lite servers: the index cannot know their code. */
function completeAddressBook(
  { ports, options }: V3Call,
  rows: readonly KnownAccount[],
  indexed: readonly KnownAccount[],
  book: Readonly<Record<string, AddressBookEntry>>,
): Record<string, AddressBookEntry> {
  if (options.noAddressBook) return {};
  const isIndexed = new Set(indexed.map(({ account }) => bytesKey(account)));
  const entryOf = createAddressBookWriter(ports.testOnly);
  return Object.fromEntries(
    rows.map((row) => {
      const address = formatAccount(row.account);
      const entry = book[address];
      if (entry !== undefined && isIndexed.has(bytesKey(row.account))) return [address, entry];
      return [address, entryOf({ ...row, known: true, domain: entry?.domain ?? null })];
    }),
  );
}

/** Accounts of one response that are read at the same time. */
const MAX_CONCURRENT_READS = 16;

/**
 * Reads accounts from lite servers in the rest of the caller's time. Accounts that do not exist, and those that could
 * not be read, are left out.
 */
export async function readLiveAccounts(call: V3Call, accounts: readonly Buffer[]): Promise<KnownAccount[]> {
  const { ports, log, caller, options } = call;
  const request = { log, caller, untilMs: caller.startedAtMs + options.timeoutMs };
  const results = await mapInOrder(accounts, MAX_CONCURRENT_READS, async (account) => {
    try {
      const live = await ports.live.accountState(fromAccountBytes(account), request);
      return live === undefined ? [] : [knownFromLive(account, live)];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      log.debug({ err: error }, 'Account not read from lite servers');
      return [];
    }
  });
  return results.flat();
}

export function knownFromLive(account: Buffer, live: AccountState): KnownAccount {
  const code = live.code && liveBoc(live.code, false);
  const currencies = live.extraCurrencies.map(({ id, amount }) => [String(id), String(amount)] as const);
  return {
    account,
    hash: hashOf(live.cell),
    status: live.status,
    balance: String(live.balance),
    balance_extra: currencies.length === 0 ? null : Object.fromEntries(currencies),
    code_hash: live.code ? hashOf(live.code) : null,
    data_hash: live.data ? hashOf(live.data) : null,
    frozen_hash: live.frozenHash ?? null,
    last_trans_lt: String(live.lastTransLt),
    last_trans_hash: live.lastTransHash,
    code,
    methods: (code && readMethodIds(code)) ?? null,
    data: live.data && liveBoc(live.data, false),
  };
}

/** A cell as a bag of cells. In the index bags have no checksum, in v2 they have one. */
export function liveBoc({ cells, cell }: CellRef, crc: boolean): Buffer {
  return writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc });
}

function hashOf({ cells, cell }: CellRef): Buffer {
  return Buffer.from(cells.hash(cell, 0));
}
