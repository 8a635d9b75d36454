import type { Action } from '../../../src/actions/rules/action.ts';
import { expandActionTypes } from '../../../src/v3/action-types.ts';

/** An action of a golden file: its non-null columns. */
export type GoldenAction = Readonly<Record<string, unknown>>;

/** Result of the comparison of one trace. */
export interface TraceComparison {
  readonly matched: readonly string[];
  /** Types of differing actions, with a description of each difference. */
  readonly differing: readonly { readonly type: string; readonly text: string }[];
}

/** Columns with unordered lists. */
const SETS = new Set(['tx_hashes', 'accounts', 'ancestor_type', 'vault_excesses', 'peer_swaps_unordered']);
/** Columns that are added from the trace when rows are written, and the one that only streams have. */
const TRACE_COLUMNS = ['trace_end_lt', 'trace_end_utime', 'trace_external_hash', 'trace_external_hash_norm'];
const IGNORED_COLUMNS = new Set([...TRACE_COLUMNS, 'trace_mc_seqno_end', 'finality']);

/** Columns of tgBTC actions that the 1.3 line of the reference keeps in `extra`, which golden files do not have. */
const MOVED_TO_EXTRA: Readonly<Record<string, readonly [column: string, name: string]>> = {
  tgbtc_mint: ['asset_secondary', 'btc_txid'],
  tgbtc_mint_fallback: ['asset_secondary', 'btc_txid'],
  tgbtc_new_key: ['source_secondary', 'pubkey'],
  tgbtc_new_key_fallback: ['source_secondary', 'pubkey'],
  tgbtc_dkg_log_fallback: ['asset', 'pubkey'],
};

/** A golden action as the 1.3 line stores it. */
function ofNewerLine(golden: GoldenAction): GoldenAction {
  const [column, name] = MOVED_TO_EXTRA[String(golden.type)] ?? [];
  if (!column || !name || 'extra' in golden) return golden;
  const { [column]: value, accounts, ...others } = golden;
  const isOther = (account: unknown) => account !== value;
  return { ...others, accounts: (accounts as unknown[]).filter(isOther), extra: { [name]: value } };
}

const REFERENCE_TYPES = expandActionTypes(['latest', 'tgbtc']);
const OWN_TYPES = new Set([...expandActionTypes(['tongate'])].filter((type) => !REFERENCE_TYPES.has(type)));

/** Actions without the types that only we have: what clients see who do not ask for them. */
export function ofReference(actions: readonly Action[]): Action[] {
  return actions
    .filter(({ type }) => !OWN_TYPES.has(type))
    .map((action) => ({
      ...action,
      ancestor_type: action.ancestor_type.filter((type) => !OWN_TYPES.has(type)),
    }));
}

/** Compares actions with those of a golden file, field by field, by their ids. */
export function compareActions(ours: readonly Action[], golden: readonly GoldenAction[]): TraceComparison {
  const byId = new Map(ofReference(ours).map((action) => [action.action_id, asRow(action)]));
  const matched: string[] = [];
  const differing: { type: string; text: string }[] = [];
  for (const expected of golden.map(ofNewerLine)) {
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
      text: `unexpected: ${row.type} ${row.action_id} at ${row.start_lt}`,
    });
  }
  return { matched, differing };
}

/** An action with flattened column groups, like in a golden file. */
export function asRow({ data, ...columns }: Action): Record<string, unknown> {
  return { ...columns, ...data };
}

function differences(row: Record<string, unknown>, expected: GoldenAction): string[] {
  const faults: string[] = [];
  for (const name of new Set([...Object.keys(row), ...Object.keys(expected)])) {
    if (IGNORED_COLUMNS.has(name)) continue;
    const actual = canonical(row[name], name);
    const wanted = canonical(expected[name], name);
    if (actual !== wanted)
      faults.push(`${name} is ${actual.slice(0, 600)}, should be ${wanted.slice(0, 600)}`);
  }
  return faults;
}

/** Canonical text of a value: numbers as decimals, null fields omitted, an empty `ancestor_type` as null. */
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
  const present = fields.filter(([, text]) => text !== 'null').sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${present.map(([key, text]) => `${key}:${text}`).join()}}`;
}
