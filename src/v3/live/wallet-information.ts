import Type, { type Static } from 'typebox';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { PlainText } from '../../http/serializer.ts';
import { Failure } from '../../lib/failure.ts';
import { toAccountBytes } from '../account-bytes.ts';
import { type KnownAccount, lacksCells } from '../accounts/known-account.ts';
import { loadAccount } from '../accounts/load-accounts.ts';
import { WALLET_CELLS, walletMembers, walletOf, writeWallet } from '../accounts/wallet-state.ts';
import type { V3Call } from '../call.ts';
import { accountParams } from './account-params.ts';
import { asServerFault } from './as-server-fault.ts';
import { knownFromLive } from './live-accounts.ts';
import type { LiveAccount } from './live-chain.ts';
import { liveMembers } from './live-members.ts';

const schema = Type.Object({
  balance: PlainText({ description: 'Nanotons.' }),
  ...walletMembers,
  last_transaction_lt: PlainText(),
  last_transaction_hash: PlainText(),
  status: Type.String(),
});

type WalletInformation = Static<typeof schema>;

const NOBODY: WalletInformation = { ...liveMembers(undefined), status: 'uninit' };
const WALLET = '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE';

/** An account as a wallet. */
export function createWalletInformation(): Operation<V3Call> {
  return defineOperation({
    name: 'walletInformation',
    aliases: ['wallet'],
    methods: ['GET'],
    tag: 'api/v2',
    summary: 'Kind, seqno and id of a wallet',
    description:
      'For wallets v1 to v5. An account that nobody knows is answered like one without balance, without the members of a wallet.',
    parameters: accountParams(),
    result: schema,
    errors: [
      { code: 409, when: 'The account is there and no wallet' },
      { code: 500, when: 'With `use_v2`: a lite server failed' },
      { code: 503, when: 'It is a wallet whose data is not in the index yet' },
    ],
    cache: 'head',
    examples: [
      { title: 'A wallet', params: { address: WALLET }, varies: true, result: NOBODY },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'address of account is required' } },
    ],
    handler: async ({ address, use_v2 }, call: V3Call) => {
      const account = toAccountBytes(address);
      if (use_v2) {
        const live = await asServerFault(call.ports.live.accountState(address, call));
        call.answer.isLive = true;
        return fromLive(account, live);
      }
      const row = await loadAccount(call, account, WALLET_CELLS);
      return row === undefined ? NOBODY : fromIndex(row);
    },
  });
}

function fromIndex(row: KnownAccount): WalletInformation {
  const wallet = walletOf(row);
  // It may well be a wallet, and to say that it is none would be worse than to say nothing.
  if (lacksCells(row, WALLET_CELLS))
    throw new Failure('unavailable', 'the data of the account is not in the index yet');
  if (wallet === undefined && row.status !== 'uninit' && row.status !== 'nonexist') throw notWallet();
  return {
    balance: row.balance,
    ...(wallet && writeWallet(wallet)),
    last_transaction_lt: row.last_trans_lt,
    last_transaction_hash: row.last_trans_hash.toString('base64'),
    status: row.status,
  };
}

function fromLive(account: Buffer, live: LiveAccount | undefined): WalletInformation {
  const wallet = live && walletOf(knownFromLive(account, live));
  const members = liveMembers(live);
  if (wallet === undefined && members.status !== 'uninitialized') throw notWallet();
  // Ids are signed numbers in v2 only.
  const walletId = wallet?.walletId === undefined ? undefined : wallet.walletId | 0;
  return { ...members, ...(wallet && writeWallet({ ...wallet, walletId })) };
}

function notWallet(): Failure {
  return new Failure('conflict', 'not a wallet');
}
