import { expandActionTypes } from '../../../src/v3/action-types.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import { atParts, common, type ListQuery, type ListValues, valuesOf } from './list-queries.ts';
import type { DemoAction } from './made-actions.ts';

const b64 = (hash: Buffer) => hash.toString('base64');

/** The condition on a row for each parameter. */
const RULES: Readonly<Record<string, (action: DemoAction, values: readonly string[]) => boolean>> = {
  account: ({ row }, [value]) => row.accounts.some((account) => formatAccount(account) === value),
  trace_id: ({ row }, values) => values.includes(b64(row.trace_id)),
  action_id: ({ row }, values) => values.includes(b64(row.action_id)),
  tx_hash: ({ transactions }, values) => values.some((value) => transactions.has(value)),
  msg_hash: ({ messages }, values) => values.some((value) => messages.has(value)),
  mc_seqno: ({ row }, [value]) => row.trace_mc_seqno_end === Number(value),
  start_utime: ({ row }, [value]) => BigInt(row.trace_end_utime) >= BigInt(value!),
  end_utime: ({ row }, [value]) => BigInt(row.trace_end_utime) <= BigInt(value!),
  start_lt: ({ row }, [value]) => BigInt(row.trace_end_lt) >= BigInt(value!),
  end_lt: ({ row }, [value]) => BigInt(row.trace_end_lt) <= BigInt(value!),
  action_type: ({ row }, values) => values.includes(row.type),
  exclude_action_type: ({ row }, values) => !values.includes(row.type),
};

/** The ids of the requested actions, in order. */
export function listReferenceActions(actions: readonly DemoAction[], query: ListQuery): string[] {
  const split = (name: string) => valuesOf(query, name).flatMap((value) => value.split(','));
  const supported = expandActionTypes(split('supported_action_types'));
  const byTime = query.start_utime !== undefined || query.end_utime !== undefined;
  const sign = query.sort === 'asc' ? 1 : -1;
  const compare = (a: DemoAction['row'], b: DemoAction['row']) =>
    Number(
      byTime
        ? BigInt(a.trace_end_utime) - BigInt(b.trace_end_utime)
        : BigInt(a.trace_end_lt) - BigInt(b.trace_end_lt),
    ) ||
    Buffer.compare(a.trace_id, b.trace_id) ||
    Number(byTime ? BigInt(a.end_utime) - BigInt(b.end_utime) : BigInt(a.end_lt) - BigInt(b.end_lt)) ||
    Buffer.compare(a.action_id, b.action_id);
  return actions
    .filter((action) => Object.keys(query).every((name) => RULES[name]?.(action, split(name)) ?? true))
    .filter(({ row }) => query.action_type !== undefined || supported.has(row.type))
    .filter(({ row }) => !row.ancestor_type.some((type) => supported.has(type)))
    .sort((a, b) => sign * compare(a.row, b.row))
    .map(({ row }) => b64(row.action_id));
}

/** Values of some actions, a few of each kind. */
export function actionValues(all: readonly DemoAction[]): ListValues {
  const byEnd = all.toSorted((a, b) => Number(BigInt(a.row.trace_end_lt) - BigInt(b.row.trace_end_lt)));
  const at = (part: number) => byEnd[Math.floor(part * (byEnd.length - 1))]!;
  const some = (names: (action: DemoAction) => Iterable<string>) =>
    atParts(
      byEnd.flatMap((action) => [...names(action)].at(-1) ?? []),
      [0.2, 0.5, 0.8],
    );
  const norm = all.find(({ row }) => row.trace_external_hash_norm !== null)!;
  return {
    account: common(all.flatMap(({ row }) => row.accounts.map(formatAccount))).slice(0, 2),
    trace_id: [common(all.map(({ row }) => b64(row.trace_id))).slice(0, 9)],
    action_id: [all.filter((_, i) => i % 3 === 0).map(({ row }) => b64(row.action_id))],
    tx_hash: [
      some(({ transactions }) => transactions),
      common(all.flatMap(({ transactions }) => [...transactions]))[0]!,
    ],
    msg_hash: [some(({ messages }) => messages), b64(norm.row.trace_external_hash_norm!)],
    mc_seqno: common(all.map(({ row }) => `${row.trace_mc_seqno_end}`)).slice(0, 1),
    start_utime: [at(0.3).row.trace_end_utime],
    end_utime: [at(0.7).row.trace_end_utime],
    start_lt: [at(0.2).row.trace_end_lt],
    end_lt: [at(0.6).row.trace_end_lt],
    action_type: [
      'jetton_transfer',
      'ton_transfer,tgbtc_mint,tgbtc_dkg_log_fallback',
      ['call_contract', 'nft_purchase'],
    ],
    exclude_action_type: ['ton_transfer,call_contract'],
    supported_action_types: ['v1', ['v2', 'tgbtc']],
    sort: ['asc', 'd'],
  };
}
