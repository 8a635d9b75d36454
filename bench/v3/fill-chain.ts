/** Row counts of a generated index. */
export interface Filling {
  readonly transactions: number;
  readonly seqnos: number;
  readonly partitionSeqnos: number;
  readonly traces: number;
  readonly accounts: number;
  readonly jettons: number;
  readonly collections: number;
}

/** Transactions per trace, repeated in this order: most traces are short, some are long. */
const TRACE_SIZES = [1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8, 10, 14, 20];
const TRANSACTIONS_PER_TRACE = TRACE_SIZES.reduce((sum, size) => sum + size, 0) / TRACE_SIZES.length;
const TRANSACTIONS_PER_SEQNO = 20;
const TRANSACTIONS_PER_ACCOUNT = 10;
/** As many as for two to three years of mainnet. */
const PARTITIONS = 24;

/** Each busy account has a tenth of all transactions. */
const BUSY_ACCOUNTS = 4;

export function fillingOf(transactions: number): Filling {
  const seqnos = Math.ceil(transactions / TRANSACTIONS_PER_SEQNO);
  const accounts = Math.ceil(transactions / TRANSACTIONS_PER_ACCOUNT);
  return {
    transactions,
    seqnos,
    accounts,
    partitionSeqnos: Math.ceil(seqnos / PARTITIONS),
    traces: Math.ceil(transactions / TRANSACTIONS_PER_TRACE),
    jettons: Math.max(10, Math.ceil(accounts / 500)),
    collections: Math.max(5, Math.ceil(accounts / 1000)),
  };
}

/** A statement and a name for its progress line. */
export interface FillStep {
  readonly what: string;
  readonly statement: string;
}

const FIRST_TIME = 1_700_000_000;
const SECONDS_PER_SEQNO = 2;
const LT_PER_SEQNO = 1_000_000;
const SHARDS = 2;
const OPCODES = [0x0f8a7ea5, 0x178d4519, 0x7362d09c, 0xd53276db | 0, 0, 0x595f07bc, 0x5fcc3d14, 0x05138d91];

export const hash = (text: string) => `sha256((${text})::bytea)`;
/** The account with a number; one in a hundred is on the masterchain. */
export const account = (number: string) =>
  `(case when ${number} % 100 = 99 then '\\xff'::bytea else '\\x00'::bytea end || ${hash(`'a' || ${number}`)})`;
/** A number from 0 to 1 that depends only on row and salt. */
export const random = (row: string, salt: number) =>
  `((hashint8extended(${row}, ${salt}) & 1048575) / 1048576.0)`;
/** The bag of cells of one cell without references, with less than 128 bytes of data. */
export const bag = (data: string) =>
  `('\\xb5ee9c720101010100'::bytea || substr(int2send((length(${data}) + 2)::int2), 2) || '\\x00'::bytea || ${cell(data)})`;
export const cellHash = (data: string) => `sha256(${cell(data)})`;
const cell = (data: string) =>
  `('\\x00'::bytea || substr(int2send((length(${data}) * 2)::int2), 2) || ${data})`;

const shardOf = `(case when get_byte(account, 0) = 255 then -9223372036854775808
  when get_byte(account, 1) < 128 then 4611686018427387904 else -4611686018427387904 end)`;
const opcode = (i: string) => `(array[${OPCODES}])[${i} % ${OPCODES.length} + 1]`;
/** The body of the in message of transaction `i`. */
const body = (i: string) => `(int4send(${opcode(i)}) || int8send(${i}) || ${hash(`'b' || ${i}`)})`;
const parent = 'p.trace = t.trace and p.step = (t.step - 1) / 2';

/** The code of an account, chosen by the last digit of its number. */
export const codeOf = (number: string, codes: readonly Buffer[]) =>
  `(array[${codes.map((code) => `'\\x${code.toString('hex')}'::bytea`)}])[${number} % ${codes.length} + 1]`;

/** Blocks, transactions, messages and traces. The table `bench_plan` lists all transactions; the last step drops it. */
export function chainSteps(
  { seqnos, partitionSeqnos, traces, transactions, accounts }: Filling,
  codes: readonly Buffer[],
): FillStep[] {
  return [
    {
      what: 'plan',
      statement: `create unlogged table bench_plan as
        select i, trace, step, size, number, ${account('number')} as account, mc_seqno,
               mc_seqno * ${LT_PER_SEQNO}::bigint + i % 9000 * 100 as lt
        from (select i, trace, step, size, least(${seqnos - 1}, trace * ${seqnos}::bigint / ${traces} + step / 4)::int as mc_seqno,
                     case when ${random('i', 1)} < ${BUSY_ACCOUNTS / 10} then i % ${BUSY_ACCOUNTS}
                          else ${BUSY_ACCOUNTS} + floor(${accounts - BUSY_ACCOUNTS} * ${random('i', 2)} ^ 2)::bigint end as number
              from (select row_number() over () as i, trace, step, size
                    from (select trace, (array[${TRACE_SIZES}])[trace % ${TRACE_SIZES.length} + 1] as size
                          from generate_series(0, ${traces - 1}) trace) sized,
                         generate_series(0, size - 1) step) counted
              where i <= ${transactions}) placed`,
    },
    { what: 'plan', statement: 'create unique index on bench_plan (trace, step)' },
    { what: 'plan', statement: 'analyze bench_plan' },
    {
      what: 'blocks',
      statement: `insert into blocks
        select m, least(w, 0), case w when -1 then -9223372036854775808 when 0 then -4611686018427387904 else 4611686018427387904 end,
               m, ${hash(`'r' || m || ',' || w`)}, ${hash(`'f' || m || ',' || w`)}, ${FIRST_TIME} + m * ${SECONDS_PER_SEQNO},
               m * ${LT_PER_SEQNO}::bigint, m * ${LT_PER_SEQNO}::bigint + 999000, -239, 0, 1, false, false, false, false, false, false,
               false, 1, 1, 1, 1, 0, greatest(m - 1, 0), ${hash(`'seed' || m`)}, ${hash(`'by' || m % 100`)}, 7,
               array[-9223372036854775808], array[greatest(m - 1, 0)]
        from generate_series(0, ${seqnos - 1}) m, generate_series(-1, ${SHARDS - 1}) w`,
    },
    {
      what: 'shards',
      statement: `insert into shard_states
        select m, '{-1,0,0}', array[-9223372036854775808, -4611686018427387904, 4611686018427387904], array[m, m, m]
        from generate_series(0, ${seqnos - 1}) m`,
    },
    {
      what: 'transactions',
      statement: `insert into transactions (trace_id, account, lt, hash, mc_seqno, block_shard, block_seqno, prev_hash, prev_lt,
          now, kind, orig_status, end_status, total_fees, state_hash_before, state_hash_after, balance, code_hash, data_hash,
          aborted, destroyed, credit_first, storage_fees_collected, storage_status_change, credit, compute_skipped,
          compute_success, compute_msg_state_used, compute_account_activated, compute_gas_fees, compute_gas_used,
          compute_gas_limit, compute_mode, compute_exit_code, compute_vm_steps, compute_vm_init_state_hash,
          compute_vm_final_state_hash, action_success, action_valid, action_no_funds, action_status_change,
          action_total_fwd_fees, action_result_code, action_tot_actions, action_spec_actions, action_skipped_actions,
          action_msgs_created, action_list_hash, action_tot_msg_size_cells, action_tot_msg_size_bits)
        select ${hash(`'t' || i - step`)}, account, lt, ${hash(`'t' || i`)}, mc_seqno, ${shardOf}, mc_seqno,
               case when prev is null then '\\x${'00'.repeat(32)}' else ${hash(`'t' || prev`)} end, coalesce(prev_lt, 0),
               ${FIRST_TIME} + mc_seqno * ${SECONDS_PER_SEQNO}, 'ord', 'active', 'active', 2500000 + i % 999983,
               ${hash(`'s' || coalesce(prev, -number)`)}, ${hash(`'s' || i`)}, i * 7919 % 999999937, ${codeOf('number', codes)}, ${hash(`'d' || i`)},
               i % 50 = 0, false, false, 1000 + i % 997, 'unchanged', 50000000, false,
               i % 50 <> 0, false, false, 400000 + i % 9973, 3000 + i % 4999, 1000000, 0, case when i % 50 = 0 then 37 else 0 end,
               60 + i % 150, '\\x${'00'.repeat(32)}', '\\x${'00'.repeat(32)}', true, true, false, 'unchanged',
               266669, 0, 1, 0, 0, 1, ${hash(`'l' || i`)}, 1, 705
        from (select *, lag(i) over before as prev, lag(lt) over before as prev_lt
              from bench_plan window before as (partition by account order by lt)) planned`,
    },
    {
      what: 'in messages',
      statement: `insert into messages (account, tx_lt, ordinal, mc_seqno, hash, hash_norm, peer, lt, created_at, value, fwd_fee,
          ihr_fee, import_fee, opcode, ihr_disabled, bounce, bounced, body_hash)
        select t.account, t.lt, 0, t.mc_seqno, ${hash(`'m' || t.i`)}, case when p.i is null then ${hash(`'n' || t.i`)} end,
               p.account, coalesce(p.lt + 1 + t.step % 2, t.lt), ${FIRST_TIME} + p.mc_seqno * ${SECONDS_PER_SEQNO},
               case when p.i is not null then 50000000 + t.i % 99991 end, case when p.i is not null then 266669 end,
               case when p.i is not null then 0 end, case when p.i is null then 0 end,
               ${opcode('t.i')}, p.i is not null or null, p.i is not null or null,
               case when p.i is not null then false end, ${cellHash(body('t.i'))}
        from bench_plan t left join bench_plan p on t.step > 0 and ${parent}`,
    },
    {
      what: 'out messages',
      statement: `insert into messages (account, tx_lt, ordinal, mc_seqno, hash, peer, lt, created_at, value, fwd_fee, ihr_fee,
          opcode, ihr_disabled, bounce, bounced, body_hash)
        select p.account, p.lt, 2 - t.step % 2, p.mc_seqno, m.hash, t.account, m.lt, m.created_at, m.value, m.fwd_fee, m.ihr_fee,
               m.opcode, true, true, false, m.body_hash
        from bench_plan t join bench_plan p on ${parent}
        join messages m on m.account = t.account and m.tx_lt = t.lt and m.ordinal = 0 and m.mc_seqno = t.mc_seqno
        where t.step > 0`,
    },
    {
      what: 'message bodies',
      statement: `insert into message_contents
        select ${cellHash('data')}, part, ${bag('data')}
        from (select ${body('i')} as data, mc_seqno - mc_seqno % ${partitionSeqnos} as part from bench_plan
              union
              select ${body('t.i')}, p.mc_seqno - p.mc_seqno % ${partitionSeqnos}
              from bench_plan t join bench_plan p on t.step > 0 and ${parent}) bodies`,
    },
    {
      what: 'traces',
      statement: `insert into traces
        select ${hash(`'t' || min(i)`)}, ${hash(`'m' || min(i)`)}, ${hash(`'n' || min(i)`)}, min(mc_seqno), max(mc_seqno), min(lt),
               ${FIRST_TIME} + min(mc_seqno) * ${SECONDS_PER_SEQNO}, max(lt), ${FIRST_TIME} + max(mc_seqno) * ${SECONDS_PER_SEQNO},
               count(*), count(*)
        from bench_plan group by trace`,
    },
    {
      what: 'trace accounts',
      statement: `insert into trace_accounts
        select distinct account, max(lt) over whole, ${hash(`'t' || min(i) over whole`)}, max(mc_seqno) over whole,
               ${FIRST_TIME} + max(mc_seqno) over whole * ${SECONDS_PER_SEQNO}
        from bench_plan window whole as (partition by trace)`,
    },
    {
      what: 'index coverage',
      statement: `insert into index_origin (zero_state, first_seqno, partition_seqnos) values ('\\x00', 0, ${partitionSeqnos});
        insert into index_chunks (first_seqno, last_seqno, done_seqno) values (0, ${seqnos - 1}, ${seqnos - 1})`,
    },
  ];
}
