import { openSampleMessages } from '../../src/localnet/demo/demo-wallets.ts';
import { type Call, createClient } from '../support/client.ts';

/** A request of the mix. */
interface MixedCall extends Call {
  /** The client leaves before the answer. */
  readonly leaves?: true;
}

/** How often each status came back; `error` for no answer. */
export type Outcomes = Record<string, number>;

/** Clients that send mixed requests, each the next one when the last was answered. */
export interface Load {
  /** Requests answered so far. */
  readonly answered: () => number;
  /** Outcomes since the last call. */
  readonly takeOutcomes: () => Outcomes;
  /** Texts of failures, each once. */
  readonly failures: () => string[];
  readonly stop: () => Promise<void>;
}

interface LoadOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly clients: number;
  /** Seconds between messages to the chain. */
  readonly messageEverySeconds: number;
}

const TIMEOUT_MS = 30_000;
const LEAVE_AFTER_MS = 5;
const MAX_FAILURES = 1000;

/** Starts the load; the addresses are those that the index knows. */
export async function startLoad({ url, apiKey, clients, messageEverySeconds }: LoadOptions): Promise<Load> {
  const client = createClient({ url, apiKey, timeoutMs: TIMEOUT_MS });
  let answered = 0;
  let outcomes: Outcomes = {};
  let running = true;
  const failures = new Set<string>();

  async function ask(call: MixedCall): Promise<string | undefined> {
    try {
      const { status, text } = await client.ask(call, call.leaves && LEAVE_AFTER_MS);
      if (status >= 500 && failures.size < MAX_FAILURES) {
        const error = /"error":"([^"]*)/.exec(text)?.[1] ?? text.slice(0, 100);
        failures.add(`${status} ${call.path.split('?', 1)[0]}: ${error}`);
      }
      count(String(status));
      return text;
    } catch {
      count(call.leaves ? 'left' : 'error');
      return undefined;
    }
  }

  function count(outcome: string): void {
    answered += 1;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }

  const nextCall = createMix(await readAddresses(ask));
  const messages = openSampleMessages();
  const loop = async (): Promise<void> => {
    while (running) await ask(nextCall());
  };
  const sender = setInterval(() => {
    const boc = messages
      .external(Math.floor(Date.now() / 1000) - 1)
      .toBoc()
      .toString('base64');
    void ask(post('/api/v2/sendBoc', { boc }));
  }, messageEverySeconds * 1000);
  const finished = Promise.all(Array.from({ length: clients }, loop));
  return {
    answered: () => answered,
    takeOutcomes() {
      const taken = outcomes;
      outcomes = {};
      return taken;
    },
    failures: () => [...failures],
    async stop() {
      running = false;
      clearInterval(sender);
      await finished;
      client.close();
    },
  };
}

async function readAddresses(ask: (call: MixedCall) => Promise<string | undefined>): Promise<string[]> {
  const text = await ask(get('/api/v3/topAccountsByBalance?limit=200'));
  const accounts = JSON.parse(text ?? '[]') as { account: string }[];
  if (accounts.length === 0) throw new Error('The index knows no account');
  return accounts.map(({ account }) => account);
}

function get(path: string): MixedCall {
  return { method: 'GET', path };
}

function post(path: string, body: unknown): MixedCall {
  return { method: 'POST', path, body: JSON.stringify(body) };
}

/** Creates the mix: every call is as likely as any other. */
function createMix(addresses: readonly string[]): () => MixedCall {
  const anyOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;
  const address = (): string => anyOf(addresses);
  const number = (limit: number): number => Math.floor(Math.random() * limit);
  const lists = [
    'transactions',
    'traces',
    'messages',
    'actions',
    'jetton/transfers',
    'nft/transfers',
    'blocks',
  ];
  const calls: (() => MixedCall)[] = [
    () => get('/api/v2/getMasterchainInfo'),
    () => get(`/api/v2/getAddressInformation?address=${address()}`),
    () => get(`/api/v2/getExtendedAddressInformation?address=${address()}`),
    () => get(`/api/v2/getWalletInformation?address=${address()}`),
    () => get(`/api/v2/getTransactions?limit=20&address=${address()}`),
    () => get(`/api/v2/getTokenData?address=${address()}`),
    () => get(`/api/v2/lookupBlock?workchain=-1&shard=-9223372036854775808&seqno=${1 + number(30)}`),
    () =>
      get(`/api/v2/getBlockTransactionsExt?workchain=0&shard=-9223372036854775808&seqno=${1 + number(30)}`),
    () => get(`/api/v2/getConfigParam?config_id=${number(40)}`),
    () => post('/api/v2/runGetMethod', { address: address(), method: 'seqno', stack: [] }),
    () =>
      post('/api/v2/runGetMethod', {
        address: address(),
        method: 'get_wallet_data',
        stack: [['num', number(1e6)]],
      }),
    () =>
      post(
        '/api/v2/jsonRPC',
        Array.from({ length: 1 + number(10) }, (_, id) => ({
          jsonrpc: '2.0',
          id,
          method: 'getAddressBalance',
          params: { address: address() },
        })),
      ),
    () => get(`/api/v3/${anyOf(lists)}?limit=${anyOf([1, 10, 100])}&offset=${number(100)}`),
    () => get(`/api/v3/${anyOf(['transactions', 'traces', 'actions'])}?limit=50&account=${address()}`),
    () => get(`/api/v3/accountStates?${Array.from({ length: 20 }, () => `address=${address()}`).join('&')}`),
    () => get(`/api/v3/addressBook?${Array.from({ length: 50 }, () => `address=${address()}`).join('&')}`),
    () =>
      get(
        `/api/v3/${anyOf(['jetton/wallets', 'jetton/masters', 'nft/items', 'nft/collections', 'dns/records'])}?limit=50`,
      ),
    () => get(`/api/v3/walletStates?address=${address()}`),
    () => get(`/api/v3/pendingTraces?account=${address()}`),
    () => ({ ...get('/api/v3/traces?limit=200'), leaves: true }),
    () => get('/api/v3/transactions?limit=-1'),
    () => get('/api/v2/getAddressInformation?address=nobody'),
    () => ({ method: 'POST', path: '/api/v2/jsonRPC', body: '{"jsonrpc":' }),
    () => get('/api/v2/openapi.json'),
    () => get('/metrics'),
  ];
  return () => anyOf(calls)();
}
