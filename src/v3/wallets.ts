import type { Static } from 'typebox';
import Type from 'typebox';
import { readBoc } from '../chain/boc/bag.ts';
import { CellError } from '../chain/boc/cells.ts';
import { readWallet, type WalletData, type WalletType, walletCodeOf } from '../chain/contracts/wallets.ts';
import { defineOperation, type Operation } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import { accountListParams, accountStatusSchema, loadAccounts } from './accounts.ts';
import { addressInfoFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import type { KnownAccount, WantedCells } from './known-accounts.ts';
import { formatAccount, MapOf, toAccountBytes } from './values.ts';

const WALLET = '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE';
const V4R2 = '/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=';
const HASH = 'kK7Illr6uxbrw8ubQI665xthjXh4i8gNCYQ1k8rJjaQ=';

/** Accounts as wallets. */
export function createWalletStates(): Operation<V3Call> {
  return defineOperation({
    name: 'walletStates',
    methods: ['GET'],
    tag: 'accounts',
    summary: 'Newest states of wallets',
    description:
      'Wallets v1 to v5 are known by their code; other accounts have `is_wallet` false. Accounts that nobody knows are left out.',
    parameters: accountListParams(),
    result: Type.Object({ wallets: Type.Array(walletStateSchema), ...addressInfoFields }),
    cache: 'head',
    examples: [
      {
        title: 'A wallet',
        params: { address: [WALLET] },
        varies: true,
        result: {
          wallets: [
            {
              address: WALLET,
              is_wallet: true,
              wallet_type: 'wallet v4 r2',
              seqno: 7,
              wallet_id: 698983191,
              balance: '1000000000',
              status: 'active',
              code_hash: V4R2,
              last_transaction_hash: HASH,
              last_transaction_lt: '1000001',
            },
          ],
          address_book: {
            [WALLET]: {
              user_friendly: 'UQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_ktM',
              domain: null,
              interfaces: ['wallet_v4r2'],
            },
          },
          metadata: {},
        },
      },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'address of account is required' } },
    ],
    handler: async ({ address, code_hash: codeHashes }, call: V3Call) => {
      const accounts = address.map(toAccountBytes);
      const { rows, ...books } = await loadAccounts(call, {
        accounts,
        codeHashes,
        wantedCells: WALLET_CELLS,
      });
      return { wallets: rows.map(toWalletState), ...books };
    },
  });
}

/** What a wallet says of itself. */
export const walletFields = {
  wallet_type: Type.Optional(Type.String()),
  seqno: Type.Optional(Type.Integer()),
  wallet_id: Type.Optional(Type.Integer()),
};

/** An account as a wallet; of other accounts only what all have. */
const walletStateSchema = Type.Object({
  address: PlainText(),
  is_wallet: Type.Boolean(),
  ...walletFields,
  balance: PlainText({ description: 'Nanotons.' }),
  extra_currencies: Type.Optional(MapOf(PlainText())),
  is_signature_allowed: Type.Optional(Type.Boolean({ description: 'Of wallets v5.' })),
  status: accountStatusSchema,
  code_hash: Type.Optional(PlainText()),
  last_transaction_hash: PlainText(),
  last_transaction_lt: PlainText(),
});

/** Only the data of wallets is worth reading. */
export const WALLET_CELLS: WantedCells = {
  codes: false,
  dataOf: ({ code_hash }) => code_hash !== null && walletCodeOf(code_hash)?.type !== undefined,
};

/** A wallet and what its data says. */
interface WalletInfo extends WalletData {
  readonly type: WalletType;
}

/** Reads an account as a wallet; undefined when it is none, or its data is not there. */
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

/** Writes an account as a wallet. */
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
    ...(row.code_hash && { code_hash: row.code_hash.toString('base64') }),
    last_transaction_hash: row.last_trans_hash.toString('base64'),
    last_transaction_lt: row.last_trans_lt,
  };
}

/** Writes what a wallet says of itself. */
export function toWalletFields({ type, seqno, walletId }: WalletInfo) {
  return {
    wallet_type: type,
    ...(seqno !== undefined && { seqno }),
    ...(walletId !== undefined && { wallet_id: walletId }),
  };
}
