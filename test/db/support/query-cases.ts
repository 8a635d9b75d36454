import {
  accountOf,
  bodyHash,
  filledBlockHash,
  hashOf,
  messageHash,
  normalizedHashOf,
  transactionHash,
} from './filled-index.ts';

/** A v3 request and the SQL for it. */
export interface QueryCase {
  readonly name: string;
  readonly sql: string;
  readonly values?: readonly unknown[];
}

const MASTER = "workchain = -1 and shard = '-9223372036854775808'";
const TIME = 1700040000;

/**
 * Bounds of logical time for a time, by the masterchain: no block that is ten minutes older or younger can contain such
 * transactions. The exact condition stays in the query; this one lets it use an index.
 */
const LT_FROM = (time: number) =>
  `coalesce((select end_lt from blocks where ${MASTER} and gen_utime <= ${time} - 600 order by gen_utime desc limit 1), 0)`;
const LT_TO = (time: number) =>
  `coalesce((select start_lt from blocks where ${MASTER} and gen_utime >= ${time} + 600 order by gen_utime limit 1),
   9223372036854775807)`;
/** The same from logical time to time. */
const TIME_FROM = (lt: number) =>
  `coalesce((select gen_utime from blocks where start_lt <= ${lt} order by start_lt desc limit 1), 0) - 600`;
const TIME_TO = (lt: number) =>
  `coalesce((select gen_utime from blocks where start_lt >= ${lt} order by start_lt limit 1), 4294967295) + 600`;

const BUSY = accountOf(0);
const QUIET = accountOf(3);
const TRANSACTION = transactionHash(10002);

export const BLOCK_CASES: readonly QueryCase[] = [
  {
    name: 'masterchainInfo: first and last',
    sql: `(select * from blocks where workchain = -1 order by mc_seqno desc limit 1) union all
          (select * from blocks where workchain = -1 order by mc_seqno limit 1)`,
  },
  {
    name: 'masterchainBlockShardState',
    sql: `select blocks.* from shard_states, unnest(workchains, shards, seqnos) as top (workchain, shard, seqno)
          join blocks using (workchain, shard, seqno) where shard_states.mc_seqno = 2000
          order by workchain, shard, seqno`,
  },
  {
    name: 'masterchainBlockShards',
    sql: 'select * from blocks where mc_seqno = 2000 order by gen_utime limit 10',
  },
  ...['', "workchain = -1 and shard = '-9223372036854775808' and", 'workchain = -1 and'].map((where) => ({
    name: `blocks: ${where} seqno`,
    sql: `select * from blocks where ${where} seqno = 2000 order by gen_utime, workchain, shard, seqno limit 10`,
  })),
  {
    name: 'blocks: workchain',
    sql: 'select * from blocks where workchain = -1 order by gen_utime desc, workchain desc, shard desc, seqno desc limit 10',
  },
  {
    name: 'blocks: shard; in one shard seqnos are in the order of time',
    sql: `select * from blocks where ${MASTER} order by seqno desc limit 10`,
  },
  {
    name: 'blocks: root_hash',
    sql: 'select * from blocks where root_hash = $1',
    values: [filledBlockHash('root', 2000)],
  },
  {
    name: 'blocks: file_hash',
    sql: 'select * from blocks where file_hash = $1',
    values: [filledBlockHash('file', 2000)],
  },
  {
    name: 'blocks: no filter',
    sql: 'select * from blocks order by gen_utime desc, workchain desc, shard desc, seqno desc limit 10',
  },
  ...['asc', 'desc'].map((order) => ({
    name: `blocks: time ${order}`,
    sql: `select * from blocks where gen_utime >= ${TIME} and gen_utime <= ${TIME + 1000}
          order by gen_utime ${order}, workchain ${order}, shard ${order}, seqno ${order} limit 10`,
  })),
  ...['asc', 'desc'].map((order) => ({
    name: `blocks: lt ${order}`,
    sql: `select * from blocks where start_lt >= 2000000000 and start_lt <= 2010000000
          and gen_utime between ${TIME_FROM(2000000000)} and ${TIME_TO(2010000000)}
          order by gen_utime ${order}, workchain ${order}, shard ${order}, seqno ${order} limit 10`,
  })),
];

const bothWays = (name: string, sql: (order: string) => string, values: readonly unknown[] = []) =>
  ['asc', 'desc'].map((order) => ({ name: `${name}, ${order}`, sql: sql(order), values }));

/** The page is selected first: the planner underestimates the cost of joining and sorting everything. */
const byMessage = (where: string, order: string) =>
  `with page as materialized (
     select account, tx_lt, mc_seqno, lt from messages where ${where} order by lt ${order}, account limit 10)
   select t.* from page m join transactions t
   on m.account = t.account and m.tx_lt = t.lt and m.mc_seqno = t.mc_seqno order by m.lt ${order}, m.account`;

export const TRANSACTION_CASES: readonly QueryCase[] = [
  ...bothWays(
    'transactions: no filter',
    (o) => `select * from transactions order by lt ${o}, account limit 10`,
  ),
  ...bothWays(
    'transactions: time',
    (o) => `select * from transactions where now >= ${TIME} and now <= ${TIME + 1000}
            order by now ${o}, lt ${o}, account limit 10`,
  ),
  ...bothWays(
    'transactions: lt range',
    (o) =>
      `select * from transactions where lt >= 2000000000 and lt <= 3000000000 order by lt ${o}, account limit 10`,
  ),
  {
    name: 'transactions: lt',
    sql: 'select * from transactions where lt = 2000001000 order by lt, account limit 10',
  },
  ...bothWays(
    'transactions: mc_seqno',
    (o) => `select * from transactions where mc_seqno = 2000 order by lt ${o}, account limit 10`,
  ),
  {
    name: 'transactions: block',
    sql: `select t.* from blocks b join transactions t on t.mc_seqno = b.mc_seqno and t.block_shard = b.shard
          and t.block_seqno = b.seqno and get_byte(t.account, 0) = b.workchain & 255
          where b.workchain = -1 and b.shard = '-9223372036854775808' and b.seqno = 2000
          order by t.lt desc, t.account limit 10`,
  },
  {
    name: 'transactions: workchain',
    sql: 'select * from transactions where get_byte(account, 0) = 255 order by lt desc, account limit 10',
  },
  {
    name: 'transactions: hash',
    sql: 'select * from transactions where hash = any($1)',
    values: [[TRANSACTION]],
  },
  ...[BUSY, QUIET].flatMap((account, at) => [
    ...bothWays(
      `transactions: account ${at}`,
      (o) => `select * from transactions where account = $1 order by lt ${o} limit 10`,
      [account],
    ),
    ...bothWays(
      `transactions: account ${at} and time; in one account lt is in the order of time`,
      (o) => `select * from transactions where account = $1 and now >= ${TIME} and now <= ${TIME + 60}
              and lt >= ${LT_FROM(TIME)} and lt <= ${LT_TO(TIME + 60)} order by lt ${o} limit 10`,
      [account],
    ),
    {
      name: `transactions: account ${at} and mc_seqno`,
      sql: 'select * from transactions where account = $1 and mc_seqno = 2000 order by lt desc limit 10',
      values: [account],
    },
  ]),
  {
    name: 'transactions: several accounts, without one',
    sql: `select page.* from unnest($1::bytea[]) as wanted (account), lateral (
            select * from transactions where transactions.account = wanted.account order by lt desc limit 10) page
          where page.account <> all($2::bytea[]) order by lt desc, page.account limit 10`,
    values: [[BUSY, QUIET, accountOf(4)], [accountOf(4)]],
  },
  {
    name: 'transactions: state before, of the page',
    sql: `select before.* from transactions t join transactions before
          on before.account = t.account and before.lt = t.prev_lt where t.hash = $1`,
    values: [TRANSACTION],
  },
  {
    name: 'transactions: messages of the page',
    sql: `select m.* from unnest($1::bytea[], $2::bigint[], $3::int[]) as page (account, lt, mc_seqno)
          join messages m on m.account = page.account and m.tx_lt = page.lt and m.mc_seqno = page.mc_seqno`,
    values: [[BUSY], ['2000005000'], [2000]],
  },
  ...['m.ordinal = 0', 'm.ordinal > 0', 'true'].map((direction) => ({
    name: `transactionsByMessage: msg_hash, ${direction}`,
    sql: `select distinct t.* from transactions t join (
            select * from messages where hash = any($1) union all
            select * from messages where hash_norm = any($1)) m
          on m.account = t.account and m.tx_lt = t.lt and m.mc_seqno = t.mc_seqno
          where ${direction} order by t.lt desc, t.account limit 10`,
    values: [[messageHash(10002)]],
  })),
  ...bothWays('transactionsByMessage: opcode; pages in the order of the messages', (o) =>
    byMessage('opcode = 7 and ordinal = 0', o),
  ),
  ...bothWays(
    'transactionsByMessage: body_hash; pages in the order of the messages',
    (o) => byMessage('body_hash = $1', o),
    [bodyHash(7)],
  ),
  {
    name: 'adjacentTransactions',
    sql: `select t.* from transactions own
          join messages m on m.account = own.account and m.tx_lt = own.lt and m.mc_seqno = own.mc_seqno
          join messages far on far.hash = m.hash and (far.ordinal = 0) <> (m.ordinal = 0)
          join transactions t on t.account = far.account and t.lt = far.tx_lt and t.mc_seqno = far.mc_seqno
          where own.hash = $1 order by t.lt`,
    values: [TRANSACTION],
  },
];

/** A message is one entry although sender and receiver have a row each. */
const messages = (where: string, order: string) =>
  `select lt, hash from messages where ${where} group by lt, hash order by lt ${order}, hash ${order} limit 10`;

export const MESSAGE_CASES: readonly QueryCase[] = [
  ...bothWays('messages: no filter', (o) => messages('true', o)),
  ...bothWays('messages: direction', (o) => messages('ordinal = 0', o)),
  ...bothWays('messages: only_externals', (o) => messages('ordinal = 0 and peer is null', o)),
  ...bothWays('messages: exclude_externals', (o) => messages('not (ordinal = 0 and peer is null)', o)),
  ...bothWays('messages: destination null', (o) => messages('ordinal > 0 and peer is null', o)),
  ...bothWays('messages: lt', (o) => messages('lt >= 2000000000 and lt <= 3000000000', o)),
  ...bothWays('messages: opcode', (o) => messages('opcode = 7', o)),
  ...bothWays('messages: body_hash', (o) => messages('body_hash = $1', o), [bodyHash(7)]),
  ...bothWays(
    'messages: time',
    (o) => `select created_at, hash from messages where created_at >= ${TIME} and created_at <= ${TIME + 1000}
            group by created_at, hash order by created_at ${o}, hash ${o} limit 10`,
  ),
  {
    name: 'messages: msg_hash',
    sql: `select * from messages where hash = any($1) union all select * from messages where hash_norm = any($1)`,
    values: [[messageHash(10002)]],
  },
  ...[BUSY, QUIET].flatMap((account, at) => [
    ...bothWays(
      `messages: source ${at}; what it sent is in the order of lt`,
      (o) => `select lt, hash from (
                (select lt, hash from messages where account = $1 and ordinal > 0
                 order by tx_lt ${o}, ordinal ${o} limit 10) union
                (select lt, hash from messages where peer = $1 and ordinal = 0 order by lt ${o} limit 10)) m
              order by lt ${o}, hash ${o} limit 10`,
      [account],
    ),
    ...bothWays(
      `messages: destination ${at}`,
      (o) => `select lt, hash from (
                (select lt, hash from messages where account = $1 and ordinal = 0 order by lt ${o} limit 10) union
                (select lt, hash from messages where peer = $1 and ordinal > 0 order by lt ${o} limit 10)) m
              order by lt ${o}, hash ${o} limit 10`,
      [account],
    ),
    ...bothWays(
      `messages: destination ${at} and time`,
      (o) => `select lt, hash from messages where account = $1 and ordinal = 0 and created_at >= ${TIME}
              and created_at <= ${TIME + 60} and lt >= ${LT_FROM(TIME)} and lt <= ${LT_TO(TIME + 60)}
              order by lt ${o} limit 10`,
      [account],
    ),
  ]),
];

const traces = (where: string, order: string) =>
  `with page as materialized (
     select trace_id, mc_seqno_end, end_lt from trace_accounts where ${where}
     order by end_lt ${order}, trace_id ${order} limit 10)
   select t.* from page join traces t using (trace_id, mc_seqno_end)`;

export const ACCOUNT_AND_TRACE_CASES: readonly QueryCase[] = [
  {
    name: 'topAccountsByBalance',
    sql: 'select account, balance from latest_account_states order by balance desc, account limit 10 offset 20',
  },
  {
    name: 'accountStates, walletStates: address',
    sql: `select * from latest_account_states s left join account_data d using (account)
          left join contract_codes c on c.hash = s.code_hash where s.account = any($1)`,
    values: [[BUSY, QUIET]],
  },
  {
    name: 'accountStates: code_hash',
    sql: 'select * from latest_account_states where code_hash = any($1) limit 1000',
    values: [[hashOf('c7')]],
  },
  ...bothWays(
    'traces: no filter',
    (o) => `select * from traces order by end_lt ${o}, trace_id ${o} limit 10`,
  ),
  {
    name: 'traces: trace_id',
    sql: 'select * from traces where trace_id = any($1)',
    values: [[transactionHash(10000)]],
  },
  {
    name: 'traces: tx_hash',
    sql: 'select * from traces where trace_id in (select trace_id from transactions where hash = any($1))',
    values: [[TRANSACTION]],
  },
  {
    name: 'traces: msg_hash',
    sql: `select * from traces where trace_id in (
            select t.trace_id from transactions t join (
              select * from messages where hash = any($1) union all
              select * from messages where hash_norm = any($1)) m
            on m.account = t.account and m.tx_lt = t.lt and m.mc_seqno = t.mc_seqno)`,
    values: [[messageHash(10002)]],
  },
  {
    name: 'traces: by the external message',
    sql: `select * from traces where external_hash = $1 union all select * from traces where external_hash_norm = $1`,
    values: [normalizedHashOf(10003)],
  },
  ...bothWays(
    'traces: mc_seqno',
    (o) => `select * from traces where mc_seqno_end = 2000 order by end_lt ${o}, trace_id ${o} limit 10`,
  ),
  ...bothWays(
    'traces: lt',
    (o) => `select * from traces where end_lt >= 2000000000 and end_lt <= 3000000000
            order by end_lt ${o}, trace_id ${o} limit 10`,
  ),
  ...bothWays(
    'traces: time',
    (o) => `select * from traces where end_utime >= ${TIME} and end_utime <= ${TIME + 1000}
            order by end_utime ${o}, trace_id ${o} limit 10`,
  ),
  ...[BUSY, QUIET].flatMap((account, at) => [
    ...bothWays(`traces: account ${at}`, (o) => traces('account = $1', o), [account]),
    ...bothWays(
      `traces: account ${at} and time; pages in the order of lt`,
      (o) =>
        traces(
          `account = $1 and end_utime >= ${TIME} and end_utime <= ${TIME + 60}
           and end_lt >= ${LT_FROM(TIME)} and end_lt <= ${LT_TO(TIME + 60)}`,
          o,
        ),
      [account],
    ),
    {
      name: `traces: account ${at} and mc_seqno`,
      sql: traces('account = $1 and mc_seqno_end = 2000', 'desc'),
      values: [account],
    },
  ]),
  {
    name: 'traces: transactions of one',
    sql: 'select * from transactions where trace_id = $1 order by lt, account',
    values: [transactionHash(10000)],
  },
];
