import pg from 'pg';
import { formatAccount } from '../../src/v3/values.ts';

/** What questions are made of, found at random in the database; the more rows something has, the more often it is there. */
export interface Pools {
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
  /** The account with most transactions, and how many it has. */
  readonly busy: { readonly account: string; readonly count: number };
  readonly seqnos: number;
  readonly firstTime: number;
  readonly lastTime: number;
}

/** So many that no row is asked for again and again. */
export const POOL_SIZE = 200;

export async function readPools(url: string): Promise<Pools> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const value = async (statement: string): Promise<Record<string, unknown>> =>
    (await client.query<Record<string, unknown>>(statement)).rows[0]!;
  const some = async (column: string, table: string, format: (bytes: Buffer) => string) => {
    const { count } = await value(`select count(*)::int as count from ${table}`);
    const percent = Math.min(100, (400 * POOL_SIZE) / Math.max(1, Number(count)));
    const { rows } = await client.query<{ found: Buffer }>(
      `select ${column} as found from ${table} tablesample bernoulli (${percent}) order by random() limit ${POOL_SIZE}`,
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
