import { ACCOUNT_BYTES, toAccountOrText } from '../chain/address.ts';
import { rawJson } from '../http/serializer.ts';
import { type ActionRow, PARTY_COLUMNS } from '../index/action-row.ts';
import { type ActionColumns, toActionColumns } from './action-columns.ts';
import { type DetailContext, readPayloadComment, writeFields } from './action-detail-fields.ts';
import { ACTION_DETAILS } from './action-details.ts';
import { type ActionJson, EXTRA_CURRENCY_TRANSFER, MAY_CARRY_CURRENCIES } from './action-schemas.ts';
import type { V3Call } from './operation.ts';
import { writeRawAction } from './raw-action.ts';
import { formatAccount, formatHash } from './values.ts';

function toAction(row: ActionRow, context: DetailContext): ActionJson {
  const columns = toActionColumns(row);
  const { trace_external_hash: hash, trace_external_hash_norm: norm } = row;
  return {
    trace_id: formatHash(row.trace_id),
    action_id: formatHash(row.action_id),
    start_lt: row.start_lt,
    end_lt: row.end_lt,
    start_utime: Number(row.start_utime),
    end_utime: Number(row.end_utime),
    trace_end_lt: row.trace_end_lt,
    trace_end_utime: Number(row.trace_end_utime),
    trace_mc_seqno_end: row.trace_mc_seqno_end,
    transactions: row.tx_hashes.map(formatHash),
    success: row.success,
    type: shownType(columns),
    ...detailsOf(row, columns, context),
    ...(hash && { trace_external_hash: formatHash(hash) }),
    ...(norm && { trace_external_hash_norm: formatHash(norm) }),
    finality: 'finalized',
  };
}

/** The raw addresses of the accounts of an action, sorted. */
export function accountsOfAction({ accounts }: ActionRow): string[] {
  return accounts.map(formatAccount).sort();
}

function shownType({ type, value_extra_currencies: currencies }: ActionColumns): string {
  const hasCurrencies = MAY_CARRY_CURRENCIES.includes(type) && Object.keys(currencies).length > 0;
  return hasCurrencies ? EXTRA_CURRENCY_TRANSFER : type;
}

function detailsOf(
  row: ActionRow,
  columns: ActionColumns,
  context: DetailContext,
): Pick<ActionJson, 'details' | 'raw_action'> {
  const fields = Object.hasOwn(ACTION_DETAILS, row.type) ? ACTION_DETAILS[row.type] : undefined;
  if (fields !== undefined) return { details: rawJson(writeFields(fields, columns, context)) };
  const error = `unsupported action type: '${row.type}'`;
  return { details: rawJson(JSON.stringify({ error })), raw_action: rawJson(writeRawAction(row, columns)) };
}

/** Writes the actions of one response and collects the accounts that they mention. */
interface ActionWriter {
  readonly write: (row: ActionRow) => ActionJson;
  /** Accounts for the address book, possibly with repetitions. */
  readonly accounts: readonly Buffer[];
}

export function createActionWriter({ ports }: Pick<V3Call, 'ports'>): ActionWriter {
  const accounts: Buffer[] = [];
  const note = (bytes: Buffer | null) => {
    // Bytes of another length are a text, not an account.
    if (bytes?.length === ACCOUNT_BYTES) accounts.push(bytes);
  };
  const context = {
    testOnly: ports.testOnly,
    onAddress: (address: string) => note(toAccountOrText(address)),
    commentOf: rememberLast(readPayloadComment),
  };
  return {
    accounts,
    write: (row) => {
      for (const column of PARTY_COLUMNS) note(row[column]);
      return toAction(row, context);
    },
  };
}

/** Two keys of details come from the same payload. */
function rememberLast<T>(read: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly value: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, value: read(text) };
    return last.value;
  };
}

interface UnindexedActionInfo {
  /** Undefined while the first transaction of the trace is predicted. */
  readonly traceId: Buffer | undefined;
  readonly externalHash: Buffer;
  readonly normalizedHash: Buffer;
  readonly finality: 'pending' | 'confirmed' | 'finalized';
}

export function toUnindexedAction(
  writer: ActionWriter,
  { traceId, externalHash, normalizedHash, finality }: UnindexedActionInfo,
  row: ActionRow,
): ActionJson {
  return {
    ...writer.write(row),
    trace_id: traceId === undefined ? null : formatHash(traceId),
    trace_external_hash: formatHash(externalHash),
    trace_external_hash_norm: formatHash(normalizedHash),
    accounts: accountsOfAction(row),
    finality,
  };
}

/** The actions of supported types, without those that are part of a supported action. */
export function filterSupportedActions(
  actions: readonly ActionRow[],
  supported: ReadonlySet<string>,
): ActionRow[] {
  return actions.filter(
    ({ type, ancestor_type: ancestors }) =>
      supported.has(type) && !ancestors.some((ancestor) => supported.has(ancestor)),
  );
}

/** Compares actions by start, then by end. */
export function byStart(a: ActionRow, b: ActionRow): number {
  return compare(a.start_lt, b.start_lt) || compare(a.end_lt, b.end_lt);
}

/** Compares actions by end, the latest first, then by start. */
export function byEndDescending(a: ActionRow, b: ActionRow): number {
  return compare(b.end_lt, a.end_lt) || compare(b.start_lt, a.start_lt);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : BigInt(a) < BigInt(b) ? -1 : 1;
}
