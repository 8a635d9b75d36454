import type { ClientBase } from 'pg';
import { MASTERCHAIN } from '../../chain/block-id.ts';
import { createRowFormat } from '../../db/copy.ts';
import { anyOf, databaseOf } from '../../db/driver.ts';
import { bytesKey, distinctBytes } from '../../lib/bytes-key.ts';
import type { ActionRow } from '../action-row.ts';
import { isCommonType, maskOfTypes, sliceOf, typeKey } from '../format/action-names.ts';
import {
  openActions,
  packActions,
  type TraceHead,
  type TraceHeadRow,
  toTraceHead,
} from '../format/actions.ts';
import { accountPrefixes, hashPrefix, storedTime } from '../format/position.ts';
import { keyParams, type TraceEnd } from '../read/stored-traces.ts';
import { copyFormat } from './copy-in.ts';

/** The actions of a trace as the index stores them, with the rows by which they are found. */
export interface StoredTrace extends TraceHead {
  readonly traceId: Buffer;
  readonly types: number;
  readonly body: Buffer;
  readonly keys: readonly bigint[];
  readonly accounts: readonly bigint[];
}

interface TraceToStore {
  readonly taken: TraceEnd;
  readonly facts: Pick<TraceHead, 'mcSeqnoEnd' | 'endLt' | 'endUtime'>;
  readonly accounts: ReadonlyMap<string, Buffer>;
  readonly actions: readonly ActionRow[];
}

/** Packs the actions of a trace; undefined if it has none. */
export function packTrace({ taken, facts, accounts, actions }: TraceToStore): StoredTrace | undefined {
  const [first] = actions;
  if (first === undefined) return undefined;
  const own = new Set([...accounts.values()].map(bytesKey));
  const listed = distinctBytes(actions.flatMap((action) => action.accounts)).filter(
    (account) => account.readInt8(0) === MASTERCHAIN || !own.has(bytesKey(account)),
  );
  const head = {
    trace8: hashPrefix(taken.traceId),
    action8: hashPrefix(first.action_id),
    mcSeqnoEnd: facts.mcSeqnoEnd,
    endLt: facts.endLt,
    endUtime: facts.endUtime,
  };
  const ids = actions.map(({ action_id, type }) => ({ id: action_id, type }));
  return {
    ...head,
    traceId: taken.traceId,
    body: packActions(actions, listed),
    ...findingRows(ids, listed),
  };
}

/** The rows by which packed actions are found follow from them alone, so old rows can be removed exactly. */
export function toStored(head: TraceHead, body: Buffer): StoredTrace {
  const { traceId, actions, listed } = openActions(head, body);
  return { ...head, traceId, body, ...findingRows(actions, listed) };
}

function findingRows(
  actions: readonly { readonly id: Buffer; readonly type: string }[],
  listed: readonly Buffer[],
): Pick<StoredTrace, 'types' | 'keys' | 'accounts'> {
  const types = new Set(actions.map(({ type }) => type));
  const typeKeys = [...types].filter((type) => !isCommonType(type)).map(typeKey);
  return {
    types: maskOfTypes(types),
    keys: [...new Set([...actions.slice(1).map(({ id }) => hashPrefix(id)), ...typeKeys])],
    accounts: accountPrefixes(listed),
  };
}

/** Rows of packed actions have no index on the trace; they are found by its end. */
const ARE_OF_TRACES = `
trace_end_lt = any(array(
  select end_lt from traces where trace8 = any($1::bigint[]) and mc_seqno_end between $2 and $3))
and trace8 = any($1::bigint[]) and mc_seqno_end between $2 and $3`;

const FIND_STORED = `
select trace8, action8, mc_seqno_end, trace_end_lt, trace_end_utime, body from trace_actions
where ${ARE_OF_TRACES} and types & $4 <> 0`;
const ANY_TYPES = -1;

const DELETE_OLD = `
delete from trace_actions
where ${ARE_OF_TRACES} and body = any($4::bytea[])`;

const deleteOf = (table: string, column: string) => `
delete from ${table}
where ${column} = any($1::bigint[]) and trace_end_lt = $2 and trace8 = $3 and mc_seqno_end = $4`;
const DELETE_KEYS = deleteOf('action_keys', 'key');
const DELETE_ACCOUNTS = deleteOf('action_accounts', 'acc8');

/** Replaces the actions of traces; those without new actions lose theirs. */
export async function replaceActions(
  client: ClientBase,
  traces: readonly TraceEnd[],
  stored: readonly StoredTrace[],
): Promise<void> {
  const ids = new Set(traces.map(({ traceId }) => bytesKey(traceId)));
  const newOf = Map.groupBy(stored, ({ trace8 }) => trace8);
  const unchanged = new Set<StoredTrace>();
  // Mostly nothing has changed; packed actions begin with the trace id, so equal ones belong to the same trace.
  const changed = (await findStored(client, traces)).filter(({ head, body }) => {
    const same = newOf.get(head.trace8)?.find((trace) => trace.body.equals(body));
    if (same !== undefined) unchanged.add(same);
    return same === undefined;
  });
  const found = changed.map(({ head, body }) => toStored(head, body));
  const old = found.filter(({ traceId }) => ids.has(bytesKey(traceId)));
  // Rows of another trace with the same prefix, which ended at the same time, look the same: they are written again.
  const places = new Set(old.map(placeKey));
  const alike = found.filter((trace) => !ids.has(bytesKey(trace.traceId)) && places.has(placeKey(trace)));
  await deleteRows(client, traces, old, alike);
  const fresh = stored.filter((trace) => !unchanged.has(trace));
  await copyRows(client, fresh, [...fresh, ...alike]);
  await noteTypes(client, fresh);
}

function placeKey({ trace8, endLt, mcSeqnoEnd }: TraceHead): string {
  return `${trace8} ${endLt} ${mcSeqnoEnd}`;
}

async function findStored(client: ClientBase, traces: readonly TraceEnd[], types: number = ANY_TYPES) {
  if (traces.length === 0) return [];
  const { rows } = await client.query<TraceHeadRow & { readonly body: Buffer }>(FIND_STORED, [
    ...keyParams(traces),
    types,
  ]);
  return rows.map((row) => ({ head: toTraceHead(row), body: row.body }));
}

/** The ids of those traces that have an action of one of some types. */
export async function findTracesWithTypes(
  client: ClientBase,
  traces: readonly TraceEnd[],
  types: readonly string[],
): Promise<Buffer[]> {
  const ids = new Set(traces.map(({ traceId }) => bytesKey(traceId)));
  const stored = await findStored(client, traces, maskOfTypes(types));
  const opened = stored.map(({ head, body }) => openActions(head, body));
  return opened
    .filter(({ traceId }) => ids.has(bytesKey(traceId)))
    .filter(({ actions }) => actions.some(({ type }) => types.includes(type)))
    .map(({ traceId }) => traceId);
}

async function deleteRows(
  client: ClientBase,
  traces: readonly TraceEnd[],
  old: readonly StoredTrace[],
  alike: readonly StoredTrace[],
): Promise<void> {
  if (old.length === 0) return;
  await client.query(DELETE_OLD, [...keyParams(traces), old.map(({ body }) => body)]);
  for (const { keys, accounts, endLt, trace8, mcSeqnoEnd } of [...old, ...alike]) {
    const place = [endLt, trace8, mcSeqnoEnd];
    if (keys.length > 0) await client.query(DELETE_KEYS, [keys, ...place]);
    if (accounts.length > 0) await client.query(DELETE_ACCOUNTS, [accounts, ...place]);
  }
}

const TRACE_ACTIONS = createRowFormat<StoredTrace>({
  trace8: (row, { trace8 }) => row.int8(trace8),
  trace_end_lt: (row, { endLt }) => row.int8(endLt),
  action8: (row, { action8 }) => row.int8(action8),
  trace_end_utime: (row, { endUtime }) => row.int4(storedTime(endUtime)),
  mc_seqno_end: (row, { mcSeqnoEnd }) => row.int4(mcSeqnoEnd),
  types: (row, { types }) => row.int4(types),
  body: (row, { body }) => row.bytes(body),
});

/** Rows by which traces are found, of `action_keys` and `action_accounts`. */
const createPlaceFormat = (column: 'key' | 'acc8') =>
  createRowFormat<readonly [bigint, TraceHead]>({
    [column]: (row, [value]) => row.int8(value),
    trace_end_lt: (row, [, { endLt }]) => row.int8(endLt),
    trace8: (row, [, { trace8 }]) => row.int8(trace8),
    trace_end_utime: (row, [, { endUtime }]) => row.int4(storedTime(endUtime)),
    mc_seqno_end: (row, [, { mcSeqnoEnd }]) => row.int4(mcSeqnoEnd),
  });
const ACTION_KEYS = createPlaceFormat('key');
const ACTION_ACCOUNTS = createPlaceFormat('acc8');

async function copyRows(
  client: ClientBase,
  traces: readonly StoredTrace[],
  withKeys: readonly StoredTrace[],
): Promise<void> {
  const keys = withKeys.flatMap((trace) => trace.keys.map((key) => [key, trace] as const));
  const accounts = withKeys.flatMap((trace) => trace.accounts.map((account) => [account, trace] as const));
  await copyFormat(client, 'trace_actions', TRACE_ACTIONS, traces);
  await copyFormat(client, 'action_keys', ACTION_KEYS, keys);
  await copyFormat(client, 'action_accounts', ACTION_ACCOUNTS, accounts);
}

/** In the order of slices, so that two classifiers do not wait for each other in a circle. */
const PUT_SLICES = `
insert into action_slices (slice, types) select * from unnest($1::bigint[], $2::int[]) order by 1
on conflict (slice) do update set types = action_slices.types | excluded.types`;

/** Adds the types of traces to their slices. Nearly always they are there already. */
async function noteTypes(client: ClientBase, traces: readonly StoredTrace[]): Promise<void> {
  if (traces.length === 0) return;
  const masks = new Map<bigint, number>();
  for (const { endLt, types } of traces) {
    const slice = sliceOf(endLt);
    masks.set(slice, (masks.get(slice) ?? 0) | types);
  }
  const slices = databaseOf(client).selectFrom('action_slices').selectAll();
  const rows = await slices.where('slice', '=', anyOf([...masks.keys()].map(String))).execute();
  const known = new Map(rows.map(({ slice, types }) => [BigInt(slice), types]));
  const missing = [...masks].filter(([slice, types]) => (types & ~(known.get(slice) ?? 0)) !== 0);
  if (missing.length === 0) return;
  await client.query(PUT_SLICES, [missing.map(([slice]) => slice), missing.map(([, types]) => types)]);
}
