import { classifyTrace } from '../../../src/actions/classify-trace.ts';
import type { Action } from '../../../src/actions/rules/action.ts';
import type { TraceFacts } from '../../../src/actions/rules/classifier-input.ts';
import { type KnownContracts, knownContracts } from './known-contracts.ts';

/** An action as tests compare it: its non-null fields, with column groups flattened. */
export type ActionSummary = Readonly<Record<string, unknown>>;

/** Classifies a trace; an unexpected error of a rule fails the test. */
export function actionsOf(trace: TraceFacts, known: KnownContracts = {}): readonly Action[] {
  const { state, actions, fault } = classifyTrace(
    { trace, interfaces: knownContracts(known) },
    (rule, thrown) => {
      throw new Error(`the rule of ${rule} threw`, { cause: thrown });
    },
  );
  if (state !== 'ok') throw fault;
  return actions;
}

/**
 * The actions of a trace: type, success, non-null columns, the types of the actions that contain it (`within`), and the
 * transactions in one line (`txs`).
 */
export function summarizeActions(trace: TraceFacts, known: KnownContracts = {}): ActionSummary[] {
  return actionsOf(trace, known).map(summarize);
}

const OMITTED = new Set([
  'trace_id',
  'action_id',
  'parent_action_id',
  'start_lt',
  'end_lt',
  'start_utime',
  'end_utime',
  'mc_seqno_end',
  'accounts',
  'tx_hashes',
  'ancestor_type',
  'data',
  'value_extra_currencies',
]);

function summarize(action: Action): ActionSummary {
  const summary: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(action)) {
    if (value !== null && !OMITTED.has(name)) summary[name] = value;
  }
  for (const [name, columns] of Object.entries(action.data)) summary[name] = withoutNulls(columns);
  if (action.ancestor_type.length > 0) summary.within = [...action.ancestor_type].sort();
  if (Object.keys(action.value_extra_currencies).length > 0)
    summary.value_extra_currencies = action.value_extra_currencies;
  return { ...summary, txs: [...action.tx_hashes].sort(byNumber).join(' ') };
}

function withoutNulls(columns: Readonly<Record<string, unknown>>): ActionSummary {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null));
}

function byNumber(a: string, b: string): number {
  return Number(a.slice(2)) - Number(b.slice(2));
}

/** The same, with account names instead of addresses. */
export function withNames<Summary>(summary: Summary, names: Readonly<Record<string, string>>): Summary {
  const byAddress = new Map(Object.entries(names).map(([name, address]) => [address, name]));
  const rename = (value: unknown): unknown => {
    if (typeof value === 'string') return byAddress.get(value) ?? value;
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rename(one)]));
  };
  return rename(summary) as Summary;
}

/** The types of actions, each prefixed by those that contain it. */
export function typesOf(summary: readonly ActionSummary[]): string[] {
  return summary.map(({ type, within }) => [...((within as string[] | undefined) ?? []), type].join('/'));
}
