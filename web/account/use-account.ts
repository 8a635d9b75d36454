import { useEffect, useRef, useState } from 'preact/hooks';
import { learnNames } from '../api/address-names.ts';
import { apiKey, get } from '../api/client.ts';
import { openStream } from '../api/stream.ts';
import { type CallState, useCall } from '../api/use-call.ts';
import type { AccountStateFull, Action, WalletState } from '../api/v3.d.ts';

type Content = 'code_boc' | 'code_hash' | 'data_boc' | 'data_hash' | 'frozen_hash';

/** An account as its page shows it. */
export interface AccountView
  extends Pick<AccountStateFull, 'address' | 'balance' | 'extra_currencies' | 'status' | Content> {
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
  const state = await get('/api/v3/addressInformation', { address }, abort);
  const { code, data, frozen_hash: frozenHash } = state;
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

export function useAccount(address: string): CallState<AccountView> {
  return useCall((abort) => load(address, abort), address);
}

/** Actions that are not in a block yet, by the normalized hash of the external message they follow from. */
type PendingActions = ReadonlyMap<string, readonly Action[]>;

/** Several events belong to one block, and busy accounts change in all of them. */
const CHANGE_PAUSE_MS = 1000;
/** Without a key there is one request per second, and a change needs several. */
const ANONYMOUS_PAUSE_MS = 6000;

/** Watches an account: its pending actions as they come and go. `onChange` is called when a block changed it. */
export function usePending(address: string, onChange: () => void) {
  const [pending, setPending] = useState<PendingActions>(new Map());
  const [isLive, setLive] = useState(false);
  const changed = useRef(onChange);
  changed.current = onChange;

  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const put = (key: string, actions: readonly Action[]) =>
      setPending((before) => {
        const after = new Map(before);
        if (actions.length === 0) after.delete(key);
        else after.set(key, actions);
        return after;
      });
    const close = openStream(
      {
        types: ['actions', 'account_state_change'],
        addresses: [address],
        min_finality: 'pending',
        include_address_book: true,
        include_metadata: true,
      },
      {
        onState: setLive,
        onEvent: (event) => {
          learnNames(event);
          const key = String(event.trace_external_hash_norm);
          if (event.type === 'trace_invalidated') put(key, []);
          else if (event.type === 'actions' && event.finality === 'pending')
            put(key, event.actions as readonly Action[]);
          else {
            if (event.type === 'actions') put(key, []);
            timer ??= setTimeout(
              () => {
                timer = undefined;
                changed.current();
              },
              apiKey.peek() === '' ? ANONYMOUS_PAUSE_MS : CHANGE_PAUSE_MS,
            );
          }
        },
      },
    );
    // Actions that were pending before the stream was open.
    get('/api/v3/pendingActions', { account: address }, abort.signal).then(
      ({ actions }) => {
        for (const [key, ofTrace] of Map.groupBy(actions, messageOf)) put(key, ofTrace);
      },
      // The page works without: the stream tells of new ones.
      () => {},
    );
    return () => {
      abort.abort();
      close();
      clearTimeout(timer);
    };
  }, [address]);
  return { pending: [...pending.values()].flat(), isLive };
}

function messageOf(action: Action): string {
  return action.trace_external_hash_norm ?? action.trace_external_hash ?? '';
}
