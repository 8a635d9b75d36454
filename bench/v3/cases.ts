import { POOL_SIZE, type Pools } from './pools.ts';

/** A question in many forms. */
export interface BenchCase {
  readonly name: string;
  /** Asked in a circle. */
  readonly paths: readonly string[];
}

const LIMIT = 100;
const MANY = 50;
const DEEP = 10_000;
const OPCODES = ['0x0f8a7ea5', '0x178d4519', '0x7362d09c', '0xd53276db', '0x595f07bc', '0x5fcc3d14'];

type Values = Readonly<Record<string, string | number | readonly string[]>>;

/** Everything that is measured. */
export function createCases(pools: Pools): readonly BenchCase[] {
  const { firstTime, lastTime, seqnos, busy } = pools;
  const pick = <T>(list: readonly T[], at: number): T => list[at % list.length]!;
  const several = (list: readonly string[], at: number) =>
    Array.from({ length: MANY }, (_, more) => pick(list, at * MANY + more));
  const seqno = (at: number) => 1 + ((at * 7919) % (seqnos - 1));
  const time = (at: number) => firstTime + ((at * 7919) % (lastTime - firstTime));
  /** A tenth of the time there is. */
  const span = (at: number) => ({
    start_utime: time(at),
    end_utime: time(at) + Math.round((lastTime - firstTime) / 10),
  });
  const of = (name: string, operation: string, values: (at: number) => Values): BenchCase => ({
    name,
    paths: Array.from({ length: POOL_SIZE }, (_, at) => `/api/v3/${operation}?${query(values(at))}`),
  });
  const list = (name: string, operation: string, values: (at: number) => Values): BenchCase =>
    of(name, operation, (at) => ({ ...values(at), limit: LIMIT }));
  return [
    of('masterchainInfo', 'masterchainInfo', () => ({})),
    of('blocks by seqno', 'blocks', (at) => ({
      workchain: 0,
      shard: '4000000000000000',
      seqno: seqno(at),
    })),
    list('blocks by mc_seqno', 'blocks', (at) => ({ mc_seqno: seqno(at) })),
    list('transactions by account', 'transactions', (at) => ({ account: pick(pools.accounts, at) })),
    list('transactions by account and time', 'transactions', (at) => ({
      account: pick(pools.accounts, at),
      ...span(at),
    })),
    of('transactions by hash', 'transactions', (at) => ({ hash: pick(pools.transactions, at) })),
    list('transactions by mc_seqno', 'transactions', (at) => ({ mc_seqno: seqno(at) })),
    // A client that follows the head asks for what came since; none of these is another's.
    list('transactions, newest', 'transactions', (at) => ({ offset: at })),
    list('transactions, deep offset', 'transactions', (at) => ({
      account: busy.account,
      offset: Math.min(DEEP, busy.count >> 1) + at,
    })),
    of('messages by hash', 'messages', (at) => ({ msg_hash: pick(pools.messages, at) })),
    list('messages by source', 'messages', (at) => ({ source: pick(pools.accounts, at) })),
    list('messages by opcode', 'messages', (at) => ({ opcode: pick(OPCODES, at), offset: at })),
    list('traces by account', 'traces', (at) => ({ account: pick(pools.accounts, at) })),
    of('traces by trace_id', 'traces', (at) => ({ trace_id: pick(pools.traces, at) })),
    of('traces by tx_hash', 'traces', (at) => ({ tx_hash: pick(pools.transactions, at) })),
    of('traces by msg_hash', 'traces', (at) => ({ msg_hash: pick(pools.messages, at) })),
    list('traces, newest', 'traces', (at) => ({ offset: at })),
    of('accountStates of 1', 'accountStates', (at) => ({ address: pick(pools.wallets, at) })),
    of(`accountStates of ${MANY}`, 'accountStates', (at) => ({ address: several(pools.wallets, at) })),
    of(`walletStates of ${MANY}`, 'walletStates', (at) => ({ address: several(pools.wallets, at) })),
    of(`addressBook of ${MANY}`, 'addressBook', (at) => ({ address: several(pools.accounts, at) })),
    list('jetton/wallets by owner', 'jetton/wallets', (at) => ({
      owner_address: pick(pools.jettonOwners, at),
    })),
    list('jetton/wallets by jetton and balance', 'jetton/wallets', (at) => ({
      jetton_address: pick(pools.jettons, at),
      sort: 'desc',
    })),
    list('jetton/transfers by owner', 'jetton/transfers', (at) => ({
      owner_address: pick(pools.senders, at),
    })),
    list('jetton/transfers by jetton', 'jetton/transfers', (at) => ({
      jetton_master: pick(pools.jettons, at),
    })),
    list('nft/items by owner', 'nft/items', (at) => ({ owner_address: pick(pools.itemOwners, at) })),
    list('nft/items by collection', 'nft/items', (at) => ({
      collection_address: pick(pools.collections, at),
    })),
    list('topAccountsByBalance', 'topAccountsByBalance', (at) => ({ offset: at })),
  ];
}

function query(values: Values): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each): [string, string] => [name, String(each)]),
  );
  return new URLSearchParams(pairs).toString();
}
