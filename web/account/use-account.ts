import { get } from '../api/client.ts';
import { type CallState, useCall } from '../api/use-call.ts';
import type { AccountStateFull, WalletState } from '../api/v3.d.ts';

type Content = Pick<AccountStateFull, 'code_boc' | 'code_hash' | 'data_boc' | 'data_hash' | 'frozen_hash'>;

/** An account as its page shows it. */
export interface AccountView
  extends Pick<AccountStateFull, 'address' | 'balance' | 'extra_currencies' | 'status'>,
    Content {
  readonly interfaces: readonly string[];
  readonly methods: readonly number[] | null;
  readonly lastTransaction: string | undefined;
  /** Whether the index has its state; else it is that of a lite server. */
  readonly isIndexed: boolean;
  readonly wallet?: WalletState | undefined;
}

const NO_TRANSACTION = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';

async function load(address: string, abort: AbortSignal): Promise<AccountView> {
  const { accounts } = await get('/api/v3/accountStates', { address: [address], include_boc: true }, abort);
  const [state] = accounts;
  if (state === undefined) return loadLive(address, abort);
  const interfaces = state.interfaces ?? [];
  const isWallet = interfaces.some((name) => name.startsWith('wallet_'));
  const wallets = isWallet ? (await get('/api/v3/walletStates', { address: [address] }, abort)).wallets : [];
  return {
    ...state,
    interfaces,
    methods: state.contract_methods,
    lastTransaction: transactionOf(state.last_transaction_hash),
    isIndexed: true,
    wallet: wallets[0],
  };
}

/** An account that the index has not seen, as the lite servers have it. */
async function loadLive(address: string, abort: AbortSignal): Promise<AccountView> {
  const {
    code,
    data,
    frozen_hash: frozenHash,
    ...state
  } = await get('/api/v3/addressInformation', { address }, abort);
  return {
    address,
    balance: state.balance,
    extra_currencies: {},
    status: statusOf(state.status, state.balance, state.last_transaction_lt),
    interfaces: [],
    methods: null,
    lastTransaction: transactionOf(state.last_transaction_hash),
    ...(code && { code_boc: code }),
    ...(data && { data_boc: data }),
    ...(frozenHash && { frozen_hash: frozenHash }),
    isIndexed: false,
  };
}

/** v2 calls accounts that never were `uninitialized`. */
function statusOf(status: string, balance: string, lt: string): AccountStateFull['status'] {
  if (status === 'active' || status === 'frozen') return status;
  return BigInt(balance) <= 0n && lt === '0' ? 'nonexist' : 'uninit';
}

function transactionOf(hash: string): string | undefined {
  return hash === '' || hash === NO_TRANSACTION ? undefined : hash;
}

/** Loads an account by its raw address. */
export function useAccount(address: string): CallState<AccountView> {
  return useCall((abort) => load(address, abort), address);
}
