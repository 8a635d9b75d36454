import { CallError, get } from '../api/client.ts';
import { type CallState, useCall } from '../api/use-call.ts';
import type { components } from '../api/v3.d.ts';

type State = components['schemas']['AccountStateFull'];

/** An account as its page shows it. */
export interface AccountView {
  readonly address: string;
  readonly balance: string;
  readonly extraCurrencies: Readonly<Record<string, string>>;
  readonly status: State['status'];
  readonly interfaces: readonly string[];
  readonly methods: readonly number[] | null;
  readonly lastTransaction: string | undefined;
  readonly codeHash: string | undefined;
  readonly dataHash: string | undefined;
  readonly codeBoc: string | undefined;
  readonly dataBoc: string | undefined;
  readonly frozenHash: string | undefined;
  /** Whether the index has its state; else it is that of a lite server. */
  readonly isIndexed: boolean;
  readonly wallet: components['schemas']['WalletState'] | undefined;
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
    address: state.address,
    balance: state.balance,
    extraCurrencies: state.extra_currencies,
    status: state.status,
    interfaces,
    methods: state.contract_methods,
    lastTransaction: knownTransaction(state.last_transaction_hash),
    codeHash: state.code_hash,
    dataHash: state.data_hash,
    codeBoc: state.code_boc,
    dataBoc: state.data_boc,
    frozenHash: state.frozen_hash,
    isIndexed: true,
    wallet: wallets[0],
  };
}

/** An account that the index has not seen, as the lite servers have it. */
async function loadLive(address: string, abort: AbortSignal): Promise<AccountView> {
  const state = await get('/api/v3/addressInformation', { address }, abort);
  return {
    address,
    balance: state.balance,
    extraCurrencies: {},
    status: statusOf(state.status, state.balance, state.last_transaction_lt),
    interfaces: [],
    methods: null,
    lastTransaction: knownTransaction(state.last_transaction_hash),
    codeHash: undefined,
    dataHash: undefined,
    codeBoc: state.code ?? undefined,
    dataBoc: state.data ?? undefined,
    frozenHash: state.frozen_hash ?? undefined,
    isIndexed: false,
    wallet: undefined,
  };
}

/** v2 calls accounts that never were `uninitialized`. */
function statusOf(status: string, balance: string, lt: string): State['status'] {
  if (status === 'active' || status === 'frozen') return status;
  return BigInt(balance) <= 0n && lt === '0' ? 'nonexist' : 'uninit';
}

function knownTransaction(hash: string): string | undefined {
  return hash === '' || hash === NO_TRANSACTION ? undefined : hash;
}

/** Loads an account; `address` in the raw form, or null for none. */
export function useAccount(address: string | null): CallState<AccountView> {
  return useCall(
    (abort) =>
      address === null ? Promise.reject(new CallError(404, 'not an address')) : load(address, abort),
    address,
  );
}
