import type { Action } from '../../../src/indexer/actions/action.ts';

/** An action of a golden file: the columns that are not null. */
export type GoldenAction = Readonly<Record<string, unknown>>;

/** What comparing one trace gave. */
export interface TraceComparison {
  readonly matched: readonly string[];
  /** The types of actions that differ, with the differences in words. */
  readonly differing: readonly { readonly type: string; readonly text: string }[];
}

/** Lists without an order of their own. */
const SETS = new Set(['tx_hashes', 'accounts', 'ancestor_type', 'vault_excesses', 'peer_swaps_unordered']);
/** Columns that the writer of rows adds from the trace, and the one that only streams have. */
const OF_THE_TRACE = ['trace_end_lt', 'trace_end_utime', 'trace_external_hash', 'trace_external_hash_norm'];
const NOT_OURS = new Set([...OF_THE_TRACE, 'trace_mc_seqno_end', 'finality']);

/** Compares actions with those of a golden file, field by field, by their ids. */
export function compareActions(ours: readonly Action[], golden: readonly GoldenAction[]): TraceComparison {
  const byId = new Map(ours.map((action) => [action.action_id, asRow(action)]));
  const matched: string[] = [];
  const differing: { type: string; text: string }[] = [];
  for (const expected of golden) {
    const id = String(expected.action_id);
    const type = String(expected.type);
    const row = byId.get(id);
    byId.delete(id);
    if (!row) {
      differing.push({ type, text: `missing: ${type} ${id} at ${expected.start_lt}` });
      continue;
    }
    const faults = differences(row, expected);
    if (faults.length === 0) matched.push(type);
    for (const text of faults) differing.push({ type, text: `${type} ${id}: ${text}` });
  }
  for (const row of byId.values()) {
    differing.push({
      type: String(row.type),
      text: `too much: ${row.type} ${row.action_id} at ${row.start_lt}`,
    });
  }
  return { matched, differing };
}

/** An action with its groups of columns beside the others, as a golden file has it. */
export function asRow({ data, ...columns }: Action): Record<string, unknown> {
  return { ...columns, ...data };
}

function differences(row: Record<string, unknown>, expected: GoldenAction): string[] {
  const faults: string[] = [];
  for (const name of new Set([...Object.keys(row), ...Object.keys(expected)])) {
    if (NOT_OURS.has(name)) continue;
    const is = canonical(row[name], name);
    const should = canonical(expected[name], name);
    if (is !== should) faults.push(`${name} is ${is.slice(0, 600)}, should be ${should.slice(0, 600)}`);
  }
  return faults;
}

/** A value as text in which equal values are equal: numbers as decimals, nothing for null and for empty lists of a row. */
function canonical(value: unknown, name: string): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'bigint' || typeof value === 'number') return `"${value}"`;
  if (Array.isArray(value)) {
    const parts = value.map((one) => canonical(one, ''));
    if (parts.length === 0 && name === 'ancestor_type') return 'null';
    return `[${(SETS.has(name) ? parts.sort() : parts).join()}]`;
  }
  if (typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, one]) => [key, canonical(one, key)] as const);
  const told = fields.filter(([, text]) => text !== 'null').sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${told.map(([key, text]) => `${key}:${text}`).join()}}`;
}
