/**
 * The statements, sent as one message, that remove everything about blocks after a masterchain seqno, except for the
 * states of accounts and what follows from them. Rows are found through indexes, so that a short way takes milliseconds
 * however long the chain is. They leave the table `discarded_transactions` until the end of the transaction.
 */
export function cutBlocks(seqno: number): string {
  if (!Number.isSafeInteger(seqno)) throw new RangeError(`${seqno} is not a seqno`);
  return [collect(seqno), cutActions(seqno), cutTraces(seqno), cutRows(seqno), cutCoverage(seqno)].join(';');
}

/** What is looked at several times. The planner knows nothing of new tables, and would scan the large ones. */
const collect = (seqno: number): string => `
set local enable_hashjoin = off;
set local enable_mergejoin = off;
create temp table discarded_transactions on commit drop as
select account, lt, mc_seqno, trace_id, code_hash from transactions where mc_seqno > ${seqno};
analyze discarded_transactions;
create temp table reopened_messages on commit drop as
select sent.hash, gone.trace_id, sent.mc_seqno from discarded_transactions gone
join messages received on received.account = gone.account and received.tx_lt = gone.lt
  and received.mc_seqno = gone.mc_seqno and received.ordinal = 0
join messages sent on sent.hash = received.hash and sent.ordinal > 0 and sent.mc_seqno <= ${seqno}`;

/**
 * A trace that the cut goes through has messages again that nobody has received. Each of its discarded transactions has
 * added an edge for the message that it received, and one for each external message that it sent; messages without a
 * value are external.
 */
const cutTraces = (seqno: number): string => `
create temp table reopened_traces on commit drop as
select trace.trace_id, trace.external_hash, trace.external_hash_norm, trace.mc_seqno_start, trace.start_lt,
  trace.start_utime, kept.mc_seqno_end, kept.end_lt, kept.end_utime, kept.nodes,
  trace.edges - (trace.nodes - kept.nodes) - logs.count as edges, trace.broken
from (select distinct trace_id from reopened_messages) cut
cross join lateral (
  select trace_id, external_hash, external_hash_norm, mc_seqno_start, start_lt, start_utime, nodes, edges,
    false as broken
  from traces where traces.trace_id = cut.trace_id and mc_seqno_end > ${seqno}
  union all
  select trace_id, external_hash, external_hash_norm, mc_seqno_start, start_lt, start_utime, nodes, edges, broken
  from open_traces where open_traces.trace_id = cut.trace_id
) trace
cross join lateral (
  select max(mc_seqno) as mc_seqno_end, max(lt) as end_lt, max(now) as end_utime, count(*)::integer as nodes
  from transactions where transactions.trace_id = cut.trace_id and mc_seqno <= ${seqno}
) kept
cross join lateral (
  select count(*)::integer as count from discarded_transactions gone
  join messages sent on sent.account = gone.account and sent.tx_lt = gone.lt and sent.mc_seqno = gone.mc_seqno
  where gone.trace_id = cut.trace_id and sent.ordinal > 0 and sent.value is null
) logs;
delete from open_traces where trace_id in (select trace_id from discarded_transactions);
delete from pending_messages where mc_seqno > ${seqno};
delete from orphan_messages where mc_seqno > ${seqno};
insert into pending_messages (hash, trace_id, mc_seqno) select hash, trace_id, mc_seqno from reopened_messages;
insert into open_traces (trace_id, external_hash, external_hash_norm, mc_seqno_start, mc_seqno_end, start_lt,
  start_utime, end_lt, end_utime, nodes, edges, pending_edges, broken)
select trace_id, external_hash, external_hash_norm, mc_seqno_start, mc_seqno_end, start_lt, start_utime, end_lt,
  end_utime, nodes, edges,
  (select count(*) from pending_messages pending where pending.trace_id = reopened_traces.trace_id), broken
from reopened_traces;
delete from trace_accounts old using (
  select distinct t.account, trace.end_lt, trace.trace_id, trace.mc_seqno_end
  from traces trace join transactions t on t.trace_id = trace.trace_id where trace.mc_seqno_end > ${seqno}
) gone
where old.account = gone.account and old.end_lt = gone.end_lt and old.trace_id = gone.trace_id
  and old.mc_seqno_end = gone.mc_seqno_end;
delete from traces where mc_seqno_end > ${seqno}`;

/** Before the traces, whose times lead to their actions. The rows by which actions are found are few, and are read once. */
const cutActions = (seqno: number): string => `
delete from trace_actions where mc_seqno_end > ${seqno}
  and trace_end_lt >= (select min(end_lt) from traces where mc_seqno_end > ${seqno});
delete from action_keys where mc_seqno_end > ${seqno};
delete from action_accounts where mc_seqno_end > ${seqno};
delete from unclassified_traces where mc_seqno_end > ${seqno};
delete from classification_faults where mc_seqno_end > ${seqno};
delete from waiting_traces where mc_seqno_end > ${seqno};
delete from classification_ranges where first_seqno > ${seqno};
update classification_ranges set last_seqno = ${seqno} where last_seqno > ${seqno}`;

const EVENT_TABLES = ['jetton_transfers', 'jetton_burns', 'nft_transfers'];

const cutRows = (seqno: number): string =>
  [
    ...EVENT_TABLES.map(
      (table) => `
delete from ${table} event using discarded_transactions gone
where event.account = gone.account and event.lt = gone.lt and event.mc_seqno = gone.mc_seqno`,
    ),
    `
delete from messages message using discarded_transactions gone
where message.account = gone.account and message.tx_lt = gone.lt and message.mc_seqno = gone.mc_seqno`,
    ...['transactions', 'shard_states', 'blocks'].map(
      (table) => `
delete from ${table} where mc_seqno > ${seqno}`,
    ),
  ].join(';');

/** The chunk with the last seqno becomes that of the head; whoever owned it has lost it. */
const cutCoverage = (seqno: number): string => `
delete from index_chunks where first_seqno > ${seqno};
update index_chunks set last_seqno = null, done_seqno = ${seqno}, owner = null, beat = clock_timestamp()
where done_seqno > ${seqno};
update index_origin set history_id = gen_random_uuid()`;
