import type { Kysely, Selectable } from 'kysely';
import type { Tables, TracesTable } from '../../../src/db/tables.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import { atParts, common, type ListQuery, type ListValues } from './list-queries.ts';

/** A trace with the hashes of its transactions and messages. */
export interface SlowTrace {
  readonly row: Selectable<TracesTable>;
  readonly accounts: ReadonlySet<string>;
  readonly transactions: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
}

/** Reads all complete traces of an index from plain rows. */
export async function readSlowTraces(db: Kysely<Tables>): Promise<SlowTrace[]> {
  const traces = await db.selectFrom('traces').selectAll().execute();
  const transactions = await db
    .selectFrom('transactions')
    .select(['trace_id', 'account', 'lt', 'hash'])
    .execute();
  const messages = await db
    .selectFrom('messages')
    .select(['account', 'tx_lt', 'hash', 'hash_norm'])
    .execute();
  const messagesOf = Map.groupBy(messages, ({ account, tx_lt }) => formatAccount(account) + tx_lt);
  return traces.map((row) => {
    const own = transactions.filter(({ trace_id }) => trace_id.equals(row.trace_id));
    const sent = own.flatMap(({ account, lt }) => messagesOf.get(formatAccount(account) + lt) ?? []);
    return {
      row,
      accounts: new Set(own.map(({ account }) => formatAccount(account))),
      transactions: new Set(own.map(({ hash }) => b64(hash))),
      messages: new Set(
        sent.flatMap(({ hash, hash_norm }) => [b64(hash), ...(hash_norm ? [b64(hash_norm)] : [])]),
      ),
    };
  });
}

const RULES: Readonly<Record<string, (trace: SlowTrace, values: readonly string[]) => boolean>> = {
  account: ({ accounts }, [value]) => accounts.has(value!),
  trace_id: ({ row }, values) => values.includes(b64(row.trace_id)),
  tx_hash: ({ transactions }, values) => values.some((value) => transactions.has(value)),
  msg_hash: ({ messages }, values) => values.some((value) => messages.has(value)),
  mc_seqno: ({ row }, [value]) => row.mc_seqno_end === Number(value),
  start_utime: ({ row }, [value]) => BigInt(row.end_utime) >= BigInt(value!),
  end_utime: ({ row }, [value]) => BigInt(row.end_utime) <= BigInt(value!),
  start_lt: ({ row }, [value]) => BigInt(row.end_lt) >= BigInt(value!),
  end_lt: ({ row }, [value]) => BigInt(row.end_lt) <= BigInt(value!),
};

/** The ids of the requested traces, in order. */
export function listReferenceTraces(traces: readonly SlowTrace[], query: ListQuery): string[] {
  const sign = query.sort === 'asc' ? 1n : -1n;
  const byTime = query.start_utime !== undefined || query.end_utime !== undefined;
  const key = ({ row }: SlowTrace) => BigInt(byTime ? row.end_utime : row.end_lt);
  const filters = Object.entries(query).flatMap(([name, value]) =>
    RULES[name] === undefined ? [] : [(each: SlowTrace) => RULES[name]!(each, [value].flat())],
  );
  return traces
    .filter((trace) => filters.every((filter) => filter(trace)))
    .sort((a, b) =>
      Number(sign * (key(a) - key(b) || BigInt(Buffer.compare(a.row.trace_id, b.row.trace_id)))),
    )
    .map(({ row }) => b64(row.trace_id));
}

/** Values of some traces, a few of each kind. */
export function traceValues(all: readonly SlowTrace[]): ListValues {
  const byEnd = all.toSorted((a, b) => Number(BigInt(a.row.end_lt) - BigInt(b.row.end_lt)));
  const at = (part: number) => byEnd[Math.floor(part * (byEnd.length - 1))]!;
  const some = (names: (trace: SlowTrace) => Iterable<string>) =>
    atParts(
      byEnd.flatMap((trace) => [...names(trace)].at(-1) ?? []),
      [0.3, 0.6, 0.9],
    );
  const norm = all.find(({ row }) => row.external_hash_norm !== null)!.row.external_hash_norm!;
  return {
    account: common(all.flatMap(({ accounts }) => [...accounts])).slice(0, 3),
    trace_id: [[0.1, 0.5, 0.8].map((part) => b64(at(part).row.trace_id)), b64(Buffer.alloc(32))],
    tx_hash: [some(({ transactions }) => transactions), b64(Buffer.alloc(32))],
    msg_hash: [some(({ messages }) => messages), b64(norm)],
    mc_seqno: common(all.map(({ row }) => `${row.mc_seqno_end}`)).slice(0, 2),
    start_utime: [at(0.3).row.end_utime, '0'],
    end_utime: [at(0.7).row.end_utime],
    start_lt: [at(0.2).row.end_lt, `${2n ** 64n - 1n}`],
    end_lt: [at(0.6).row.end_lt],
    include_actions: ['true'],
    supported_action_types: [['v1', 'jetton_transfer']],
  };
}

function b64(hash: Buffer): string {
  return hash.toString('base64');
}
