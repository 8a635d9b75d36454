import type { Samples } from '../fill/samples.ts';

/** A query with many different parameters. */
export interface BenchCase {
  readonly name: string;
  /** Requested in order, over and over. */
  readonly paths: readonly string[];
}

const LIMIT = 100;
const MANY = 50;
const DEEP = 10_000;
/** Enough to avoid requesting the same rows repeatedly. */
const PATHS = 200;
const OPCODES = ['0x0f8a7ea5', '0x178d4519', '0x7362d09c', '0xd53276db', '0x595f07bc', '0x5fcc3d14'];

export type Values = Readonly<Record<string, string | number | readonly string[]>>;

/** All measured cases. */
export function createCases(samples: Samples): readonly BenchCase[] {
  const { firstTime, lastTime, busy } = samples;
  const pick = <T>(list: readonly T[], at: number): T => list[at % list.length]!;
  const several = (list: readonly string[], at: number) =>
    Array.from({ length: MANY }, (_, more) => pick(list, at * MANY + more));
  const seqno = (at: number) => pick(samples.seqnos, at);
  const time = (at: number) => firstTime + ((at * 7919) % (lastTime - firstTime));
  /** A tenth of the whole time range. */
  const span = (at: number) => ({
    start_utime: time(at),
    end_utime: time(at) + Math.round((lastTime - firstTime) / 10),
  });
  const of = (name: string, operation: string, values: (at: number) => Values): BenchCase => ({
    name,
    paths: Array.from({ length: PATHS }, (_, at) => `/api/v3/${operation}?${query(values(at))}`),
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
    list('transactions by account', 'transactions', (at) => ({ account: pick(samples.accounts, at) })),
    list('transactions by account and time', 'transactions', (at) => ({
      account: pick(samples.accounts, at),
      ...span(at),
    })),
    of('transactions by hash', 'transactions', (at) => ({ hash: pick(samples.transactions, at) })),
    list('transactions by mc_seqno', 'transactions', (at) => ({ mc_seqno: seqno(at) })),
    // Different offsets, so that no two requests are the same.
    list('transactions, newest', 'transactions', (at) => ({ offset: at })),
    list('transactions, deep offset', 'transactions', (at) => ({
      account: busy.account,
      offset: Math.min(DEEP, busy.count >> 1) + at,
    })),
    of('messages by hash', 'messages', (at) => ({ msg_hash: pick(samples.messages, at) })),
    list('messages by source', 'messages', (at) => ({ source: pick(samples.accounts, at) })),
    list('messages by opcode', 'messages', (at) => ({ opcode: pick(OPCODES, at), offset: at })),
    list('traces by account', 'traces', (at) => ({ account: pick(samples.accounts, at) })),
    of('traces by trace_id', 'traces', (at) => ({ trace_id: pick(samples.traces, at) })),
    of('traces by tx_hash', 'traces', (at) => ({ tx_hash: pick(samples.transactions, at) })),
    of('traces by msg_hash', 'traces', (at) => ({ msg_hash: pick(samples.messages, at) })),
    list('traces, newest', 'traces', (at) => ({ offset: at })),
    of('accountStates of 1', 'accountStates', (at) => ({ address: pick(samples.wallets, at) })),
    of(`accountStates of ${MANY}`, 'accountStates', (at) => ({ address: several(samples.wallets, at) })),
    of(`walletStates of ${MANY}`, 'walletStates', (at) => ({ address: several(samples.wallets, at) })),
    of(`addressBook of ${MANY}`, 'addressBook', (at) => ({ address: several(samples.accounts, at) })),
    list('jetton/wallets by owner', 'jetton/wallets', (at) => ({
      owner_address: pick(samples.jettonOwners, at),
    })),
    list('jetton/wallets by jetton and balance', 'jetton/wallets', (at) => ({
      jetton_address: pick(samples.jettons, at),
      sort: 'desc',
    })),
    list('jetton/transfers by owner', 'jetton/transfers', (at) => ({
      owner_address: pick(samples.jettonOwners, at),
    })),
    list('jetton/transfers by jetton', 'jetton/transfers', (at) => ({
      jetton_master: pick(samples.jettons, at),
    })),
    list('nft/items by owner', 'nft/items', (at) => ({ owner_address: pick(samples.itemOwners, at) })),
    list('nft/items by collection', 'nft/items', (at) => ({
      collection_address: pick(samples.collections, at),
    })),
    list('topAccountsByBalance', 'topAccountsByBalance', (at) => ({ offset: at })),
  ];
}

/** Writes parameters; a list as one for each of its values. */
export function query(values: Values): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each): [string, string] => [name, String(each)]),
  );
  return new URLSearchParams(pairs).toString();
}
