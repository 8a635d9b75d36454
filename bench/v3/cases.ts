import pg from 'pg';
import { formatAccount } from '../../src/v3/values.ts';

/** A query with many different parameters. */
export interface BenchCase {
  readonly name: string;
  /** Requested in order, over and over. */
  readonly paths: readonly string[];
}

const LIMIT = 100;
const MANY = 50;
const DEEP = 10_000;
const OPCODES = ['0x0f8a7ea5', '0x178d4519', '0x7362d09c', '0xd53276db', '0x595f07bc', '0x5fcc3d14'];

type Values = Readonly<Record<string, string | number | readonly string[]>>;

/** All measured cases. */
export function createCases(samples: Samples): readonly BenchCase[] {
  const { firstTime, lastTime, seqnos, busy } = samples;
  const pick = <T>(list: readonly T[], at: number): T => list[at % list.length]!;
  const several = (list: readonly string[], at: number) =>
    Array.from({ length: MANY }, (_, more) => pick(list, at * MANY + more));
  const seqno = (at: number) => 1 + ((at * 7919) % (seqnos - 1));
  const time = (at: number) => firstTime + ((at * 7919) % (lastTime - firstTime));
  /** A tenth of the whole time range. */
  const span = (at: number) => ({
    start_utime: time(at),
    end_utime: time(at) + Math.round((lastTime - firstTime) / 10),
  });
  const of = (name: string, operation: string, values: (at: number) => Values): BenchCase => ({
    name,
    paths: Array.from({ length: SAMPLE_SIZE }, (_, at) => `/api/v3/${operation}?${query(values(at))}`),
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
      owner_address: pick(samples.senders, at),
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

function query(values: Values): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each): [string, string] => [name, String(each)]),
  );
  return new URLSearchParams(pairs).toString();
}

/** Random samples from the database to build requests from; values with more rows are sampled more often. */
interface Samples {
  readonly accounts: readonly string[];
  readonly transactions: readonly string[];
  readonly messages: readonly string[];
  readonly traces: readonly string[];
  readonly wallets: readonly string[];
  readonly jettonOwners: readonly string[];
  readonly jettons: readonly string[];
  readonly senders: readonly string[];
  readonly itemOwners: readonly string[];
  readonly collections: readonly string[];
  /** The account with the most transactions, and their number. */
  readonly busy: { readonly account: string; readonly count: number };
  readonly seqnos: number;
  readonly firstTime: number;
  readonly lastTime: number;
}

/** Enough to avoid requesting the same rows repeatedly. */
const SAMPLE_SIZE = 200;

export async function readSamples(url: string): Promise<Samples> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const value = async (statement: string): Promise<Record<string, unknown>> =>
    (await client.query<Record<string, unknown>>(statement)).rows[0]!;
  const some = async (column: string, table: string, format: (bytes: Buffer) => string) => {
    const { count } = await value(`select count(*)::int as count from ${table}`);
    const percent = Math.min(100, (400 * SAMPLE_SIZE) / Math.max(1, Number(count)));
    const { rows } = await client.query<{ found: Buffer }>(
      `select ${column} as found from ${table} tablesample bernoulli (${percent}) order by random() limit ${SAMPLE_SIZE}`,
    );
    return rows.map(({ found }) => format(found));
  };
  const hex = (bytes: Buffer) => bytes.toString('hex');
  try {
    await client.query('select setseed(0.5)');
    const busy = await value(
      'select account, count(*)::int as count from transactions group by account order by 2 desc limit 1',
    );
    const ends = await value(
      'select max(mc_seqno) as seqno, min(gen_utime)::int as first, max(gen_utime)::int as last from blocks',
    );
    return {
      accounts: await some('account', 'transactions', formatAccount),
      transactions: await some('hash', 'transactions', hex),
      messages: await some('hash', 'messages', hex),
      traces: await some('trace_id', 'traces', hex),
      wallets: await some('account', 'latest_account_states', formatAccount),
      jettonOwners: await some('owner', 'jetton_wallets', formatAccount),
      jettons: await some('jetton', 'jetton_wallets', formatAccount),
      senders: await some('source', 'jetton_transfers', formatAccount),
      itemOwners: await some('owner', 'nft_items', formatAccount),
      collections: await some('collection', 'nft_items', formatAccount),
      busy: { account: formatAccount(busy.account as Buffer), count: Number(busy.count) },
      seqnos: Number(ends.seqno),
      firstTime: Number(ends.first),
      lastTime: Number(ends.last),
    };
  } finally {
    await client.end();
  }
}
