import type { Static } from 'typebox';
import Type from 'typebox';
import { toAccountBytes } from '../chain/address.ts';
import { readBoc } from '../chain/boc/bag.ts';
import { CellError } from '../chain/boc/cells.ts';
import { readWallet, type WalletData, type WalletType, walletCodeOf } from '../chain/contracts/wallets.ts';
import { ShownAs } from '../http/named-schemas.ts';
import { defineOperation, type Operation } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import type { KnownAccount, WantedCells } from '../index/read/accounts.ts';
import { readTopAccounts, TOP_ACCOUNTS_ORDER } from '../index/read/accounts.ts';
import { addressInfoFields, createInterfaceNamer } from './address-book.ts';
import type { V3Call } from './call.ts';
import { recordedExample } from './examples.ts';
import { type ListLimits, noteNextCursor, toWindow, windowParams } from './list-parameters.ts';
import { loadAccounts } from './load-accounts.ts';
import { addressKind, booleanParam, hashesParam, MAX_LIST_VALUES } from './parameter-kinds.ts';
import { listParam } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { AccountStatus, formatAccount, formatHash, MapOf, Nullable } from './values.ts';

/** Account states with code and data. */
export function createAccountStates(): Operation<V3Call> {
  return defineOperation({
    name: 'accountStates',
    methods: ['GET'],
    tag: 'accounts',
    summary: 'Account states',
    description: 'The latest state of each account, ordered by address. Unknown accounts are left out.',
    parameters: {
      ...accountListParams(),
      include_boc: booleanParam({ description: 'Include code and data.', fallback: true }),
    },
    result: Type.Object(
      { accounts: Type.Array(accountStateSchema), ...addressInfoFields },
      { title: 'AccountStatesResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('accountStates'),
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'address of account is required' } },
    ],
    handler: async ({ address, code_hash, include_boc: includeBoc }, call: V3Call) => {
      const { rows, ...addressInfo } = await loadAccounts(call, {
        accounts: address.map(toAccountBytes),
        codeHashes: code_hash,
        wantedCells: { codes: true, dataOf: () => includeBoc },
      });
      const namesOf = createInterfaceNamer();
      return { accounts: rows.map((row) => toAccountState(row, { includeBoc, namesOf })), ...addressInfo };
    },
  });
}

/** The parameters that select accounts. */
function accountListParams() {
  return {
    address: listParam(addressKind, {
      description: 'Account addresses.',
      max: MAX_LIST_VALUES,
      required: true,
      missingText: 'address of account is required',
    }),
    code_hash: hashesParam({ description: 'Only accounts with one of these code hashes.' }),
  };
}

const accountStatusSchema = ShownAs(Type.Enum(['uninit', 'frozen', 'active', 'nonexist']), AccountStatus());

const accountStateSchema = Type.Object(
  {
    address: PlainText(),
    account_state_hash: PlainText(),
    balance: PlainText({ description: 'Nanotons.' }),
    extra_currencies: MapOf(PlainText()),
    status: accountStatusSchema,
    frozen_hash: Type.Optional(PlainText({ description: 'Hash of the state that a frozen account had.' })),
    last_transaction_hash: PlainText(),
    last_transaction_lt: PlainText(),
    data_hash: Type.Optional(PlainText()),
    code_hash: Type.Optional(PlainText()),
    data_boc: Type.Optional(PlainText({ description: 'Also absent if the index does not have it yet.' })),
    code_boc: Type.Optional(PlainText({ description: 'Also absent if the index does not have it yet.' })),
    contract_methods: Nullable(
      Type.Array(Type.Integer(), { description: 'Get-method ids; null if unknown.' }),
    ),
    interfaces: Nullable(
      Type.Array(Type.String(), { description: 'Interfaces of the contract, by its code.' }),
    ),
  },
  { title: 'AccountStateFull' },
);

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
    account_state_hash: formatHash(row.hash),
    balance: row.balance,
    extra_currencies: row.balance_extra ?? {},
    status: row.status,
    ...(frozen_hash && { frozen_hash: formatHash(frozen_hash) }),
    last_transaction_hash: formatHash(row.last_trans_hash),
    last_transaction_lt: row.last_trans_lt,
    ...(data_hash && { data_hash: formatHash(data_hash) }),
    ...(code_hash && { code_hash: formatHash(code_hash) }),
    ...(includeBoc && data && { data_boc: data.toString('base64') }),
    ...(includeBoc && code && { code_boc: code.toString('base64') }),
    contract_methods: methods === null ? null : [...methods],
    interfaces: code_hash === null ? [] : namesOf(row),
  };
}

/** Account states seen as wallets. */
export function createWalletStates(): Operation<V3Call> {
  return defineOperation({
    name: 'walletStates',
    methods: ['GET'],
    tag: 'accounts',
    summary: 'Wallet states',
    description:
      'Wallets v1 to v5 are recognised by their code; other accounts have `is_wallet` false. Unknown accounts are left out.',
    parameters: accountListParams(),
    result: Type.Object(
      { wallets: Type.Array(walletStateSchema), ...addressInfoFields },
      { title: 'WalletStatesResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('walletStates'),
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'address of account is required' } },
    ],
    handler: async ({ address, code_hash: codeHashes }, call: V3Call) => {
      const accounts = address.map(toAccountBytes);
      const { rows, ...addressInfo } = await loadAccounts(call, {
        accounts,
        codeHashes,
        wantedCells: WALLET_CELLS,
      });
      return { wallets: rows.map(toWalletState), ...addressInfo };
    },
  });
}

/** Response fields that only wallets have. */
export const walletFields = {
  wallet_type: Type.Optional(Type.String()),
  seqno: Type.Optional(Type.Integer()),
  wallet_id: Type.Optional(Type.Integer()),
};

const walletStateSchema = Type.Object(
  {
    address: PlainText(),
    is_wallet: Type.Boolean(),
    ...walletFields,
    balance: PlainText({ description: 'Nanotons.' }),
    extra_currencies: Type.Optional(MapOf(PlainText())),
    is_signature_allowed: Type.Optional(Type.Boolean({ description: 'Wallets v5 only.' })),
    status: accountStatusSchema,
    code_hash: Type.Optional(PlainText()),
    last_transaction_hash: PlainText(),
    last_transaction_lt: PlainText(),
  },
  { title: 'WalletState' },
);

/** Reads the data of wallets only; other data is not shown. */
export const WALLET_CELLS: WantedCells = {
  codes: false,
  dataOf: ({ code_hash }) => code_hash !== null && walletCodeOf(code_hash)?.type !== undefined,
};

/** A wallet type and the fields of its data. */
interface WalletInfo extends WalletData {
  readonly type: WalletType;
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

function toWalletState(row: KnownAccount): Static<typeof walletStateSchema> {
  const wallet = walletOf(row);
  const { signatureAllowed } = wallet ?? {};
  return {
    address: formatAccount(row.account),
    is_wallet: wallet !== undefined,
    ...(wallet && toWalletFields(wallet)),
    balance: row.balance,
    ...(row.balance_extra && { extra_currencies: row.balance_extra }),
    ...(signatureAllowed !== undefined && { is_signature_allowed: signatureAllowed }),
    status: row.status,
    ...(row.code_hash && { code_hash: formatHash(row.code_hash) }),
    last_transaction_hash: formatHash(row.last_trans_hash),
    last_transaction_lt: row.last_trans_lt,
  };
}

/** Writes the fields that only wallets have. */
export function toWalletFields({ type, seqno, walletId }: WalletInfo) {
  return {
    wallet_type: type,
    ...(seqno !== undefined && { seqno }),
    ...(walletId !== undefined && { wallet_id: walletId }),
  };
}

/** Accounts by balance. */
export function createTopAccountsByBalance(limits: ListLimits): Operation<V3Call> {
  const { maxLimit } = limits;
  return defineOperation({
    name: 'topAccountsByBalance',
    methods: ['GET'],
    tag: 'stats',
    summary: 'Top accounts by balance',
    description: 'Highest balance first; accounts with the same balance by address.',
    parameters: windowParams(limits),
    result: Type.Array(
      Type.Object(
        { account: PlainText(), balance: PlainText({ description: 'Nanotons.' }) },
        { title: 'AccountBalance' },
      ),
    ),
    cache: 'head',
    examples: [
      recordedExample('topAccountsByBalance'),
      {
        title: 'Limit above the maximum',
        params: { limit: maxLimit + 1 },
        failure: { code: 422, text: `limit is not allowed: ${maxLimit + 1} > ${maxLimit}` },
      },
    ],
    handler: async (params, call: V3Call) => {
      const page = toWindow(params, TOP_ACCOUNTS_ORDER);
      const rows = await readIndex(call, (db) => readTopAccounts(db, { page }));
      noteNextCursor(call, TOP_ACCOUNTS_ORDER, page, rows);
      return rows.map(({ account, balance }) => ({ account: formatAccount(account), balance }));
    },
  });
}
