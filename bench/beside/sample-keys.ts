import { Random } from '../fill/random.ts';
import type { Endpoint } from './endpoint.ts';

/** Keys of rows that an endpoint has, from random moments of its history; those with more rows come more often. */
export interface Keys {
  /** Raw addresses. */
  readonly accounts: readonly string[];
  readonly jettonOwners: readonly string[];
  readonly itemOwners: readonly string[];
  readonly destinations: readonly string[];
  readonly sources: readonly string[];
  /** Hashes, in base64. */
  readonly transactions: readonly string[];
  /** Of transactions that sent a message to an account, so that they have a neighbour. */
  readonly senders: readonly string[];
  readonly messages: readonly string[];
  readonly traces: readonly string[];
  readonly seqnos: readonly number[];
  readonly blocks: readonly BlockKey[];
  readonly positions: readonly Position[];
}

export interface BlockKey {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
}

/** A transaction in the history of its account. */
export interface Position {
  readonly account: string;
  readonly lt: string;
  readonly hash: string;
}

interface Message {
  readonly hash: string;
  readonly source: string | null;
  readonly destination: string | null;
}

interface Transaction {
  readonly account: string;
  readonly hash: string;
  readonly lt: string;
  readonly now: number;
  readonly trace_id: string | null;
  readonly mc_block_seqno: number;
  readonly block_ref: BlockKey;
  readonly in_msg: Message | null;
  readonly out_msgs: readonly Message[];
}

interface Transfer {
  readonly source: string;
  readonly destination: string;
}

interface Item {
  readonly owner_address: string | null;
}

const PAGE = 100;
/** Keys that are taken of each page: more moments say more than more rows of one. */
const PER_PAGE = 20;
/** Moments that may have nothing new before sampling ends with fewer keys. */
const MAX_BARREN = 50;
const SEED = 20_261_119;

/** Reads pages of the history from random moments on until there are enough transactions. */
export async function sampleKeys(endpoint: Endpoint, count: number): Promise<Keys> {
  const random = new Random(SEED);
  const read = async <T>(operation: string, list: string, values: Record<string, string>): Promise<T[]> => {
    const query = new URLSearchParams({ limit: String(PAGE), ...values });
    const path = `/api/v3/${operation}?${query}`;
    const { status, json } = await endpoint.ask(path);
    if (status !== 200)
      throw new Error(`${endpoint.name} answered ${status} to ${path}: ${JSON.stringify(json)}`);
    return (json as Record<string, T[] | null>)[list] ?? [];
  };
  const [first] = await read<Transaction>('transactions', 'transactions', { sort: 'asc', limit: '1' });
  const [last] = await read<Transaction>('transactions', 'transactions', { sort: 'desc', limit: '1' });
  if (first === undefined || last === undefined) throw new Error(`${endpoint.name} has no transactions`);
  const moment = () => String(first.now + random.below(last.now - first.now + 1));

  const transactions = await collect(count, async () =>
    some(
      random,
      await read<Transaction>('transactions', 'transactions', { sort: 'asc', start_utime: moment() }),
    ),
  );
  const transfers = await collect(count, async () =>
    some(
      random,
      await read<Transfer>('jetton/transfers', 'jetton_transfers', { sort: 'asc', start_utime: moment() }),
    ),
  );
  let offset = 0;
  const items = await collect(count, async () => {
    const page = await read<Item>('nft/items', 'nft_items', { offset: String(offset) });
    offset += PAGE;
    return page;
  });

  const messages = transactions.flatMap(({ in_msg, out_msgs }) => [...(in_msg ? [in_msg] : []), ...out_msgs]);
  const own = <T>(list: readonly (T | null | undefined)[]): T[] => [
    ...new Set(list.filter((each): each is T => each !== null && each !== undefined)),
  ];
  return {
    accounts: own(transactions.map(({ account }) => account)),
    jettonOwners: own(transfers.flatMap(({ source, destination }) => [source, destination])).slice(0, count),
    itemOwners: own(items.map(({ owner_address }) => owner_address)),
    destinations: own(messages.map(({ destination }) => destination)).slice(0, count),
    sources: own(messages.map(({ source }) => source)).slice(0, count),
    transactions: own(transactions.map(({ hash }) => hash)),
    senders: own(transactions.filter(hasReceiver).map(({ hash }) => hash)),
    messages: own(messages.map(({ hash }) => hash)).slice(0, count),
    traces: own(transactions.map(({ trace_id }) => trace_id)),
    seqnos: own(transactions.map(({ mc_block_seqno }) => mc_block_seqno)),
    blocks: uniqueBy(
      transactions.map(({ block_ref }) => block_ref),
      ({ workchain, shard, seqno }) => [workchain, shard, seqno].join(),
    ),
    positions: transactions.map(({ account, lt, hash }) => ({ account, lt, hash })),
  };
}

function hasReceiver({ out_msgs }: Transaction): boolean {
  return out_msgs.some(({ destination }) => destination !== null);
}

/** Rows of several readings, each once, until there are enough or readings find nothing new. */
async function collect<T>(count: number, read: () => Promise<readonly T[]>): Promise<T[]> {
  const rows = new Map<string, T>();
  for (let barren = 0; rows.size < count && barren < MAX_BARREN; ) {
    const before = rows.size;
    for (const row of await read()) rows.set(JSON.stringify(row), row);
    barren = rows.size > before ? 0 : barren + 1;
  }
  return [...rows.values()].slice(0, count);
}

function some<T>(random: Random, rows: T[]): T[] {
  if (rows.length <= PER_PAGE) return rows;
  return Array.from({ length: PER_PAGE }, () => rows[random.below(rows.length)]!);
}

function uniqueBy<T>(list: readonly T[], keyOf: (value: T) => string): T[] {
  return [...new Map(list.map((value) => [keyOf(value), value])).values()];
}
