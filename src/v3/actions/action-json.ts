import type { Static } from 'typebox';
import Type from 'typebox';
import { ACCOUNT_BYTES, toAccountOrText } from '../../chain/address.ts';
import type { ActionRow } from '../../db/queries/actions.ts';
import { PlainText, Written, written } from '../../http/serializer.ts';
import type { V3Call } from '../call.ts';
import { transactionSchema } from '../transaction-json.ts';
import { formatAccount, formatHash, Nullable } from '../values.ts';
import { BASIC_DETAILS, NFT_DETAILS, TOKEN_DETAILS } from './asset-details.ts';
import {
  type ActionColumns,
  ADDRESS_COLUMNS,
  type DetailContext,
  type DetailFields,
  readPayloadComment,
  toActionColumns,
  toObjectSchema,
  writeFields,
} from './detail-fields.ts';
import { LENDING_DETAILS, NETWORK_DETAILS, POOL_DETAILS } from './protocol-details.ts';
import { writeRawAction } from './raw-action.ts';

/** What is shown of each type of actions: its keys, and the columns that they come from. */
export const ACTION_DETAILS: Readonly<Record<string, DetailFields>> = {
  ...BASIC_DETAILS,
  ...TOKEN_DETAILS,
  ...NFT_DETAILS,
  ...LENDING_DETAILS,
  ...POOL_DETAILS,
  ...NETWORK_DETAILS,
};

/** Details of every form that there is, each only once. */
const detailForms = [
  ...new Map(
    [...Object.values(ACTION_DETAILS).map(toObjectSchema), Type.Object({ error: Type.String() })].map(
      (schema) => [JSON.stringify(schema), schema],
    ),
  ).values(),
];

const { properties: common } = Type.Object({
  trace_id: Nullable(PlainText({ description: 'Null for a trace that has not begun.' })),
  action_id: PlainText(),
  start_lt: PlainText(),
  end_lt: PlainText(),
  start_utime: Type.Integer(),
  end_utime: Type.Integer(),
  trace_end_lt: PlainText(),
  trace_end_utime: Type.Integer(),
  trace_mc_seqno_end: Type.Integer(),
  transactions: Type.Array(PlainText(), { description: 'Its transactions, and the one that led to it.' }),
  success: Type.Boolean(),
  type: Type.String(),
  raw_action: Type.Optional(Written(anyObject('Of types that have no details: what is stored.'))),
  trace_external_hash: Type.Optional(PlainText()),
  trace_external_hash_norm: Type.Optional(PlainText()),
  accounts: Type.Optional(Type.Array(PlainText(), { description: 'Where they were asked for.' })),
  finality: PlainText(),
});
const full = {
  transactions_full: Type.Optional(
    Type.Array(transactionSchema, { description: 'Where they were asked for.' }),
  ),
};

function anyObject(description: string) {
  return Type.Object({}, { additionalProperties: true, description });
}

/** Something that happened in a trace. */
export const actionSchema = Type.Object({
  ...common,
  details: Written(Type.Unsafe({ anyOf: detailForms, description: 'What depends on the type.' })),
  ...full,
});

/** The same inside of a trace. The forms of details are long, and told of in one place only. */
export const actionOfTraceSchema = Type.Object({
  ...common,
  details: Written(anyObject('As in `actions`.')),
});

/** The same with its transactions. */
export const tracedActionSchema = Type.Object({ ...actionOfTraceSchema.properties, ...full });

export type ActionJson = Static<typeof actionSchema>;

/** Amounts of other currencies than TON make these transfers of another type. */
const MAY_CARRY_CURRENCIES: ReadonlySet<string> = new Set(['call_contract', 'ton_transfer']);

/** Writes an action. */
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

/** The accounts of an action, in the order of their raw form. */
export function accountsOfAction({ accounts }: ActionRow): string[] {
  return accounts.map(formatAccount).sort();
}

function shownType({ type, value_extra_currencies: currencies }: ActionColumns): string {
  const isOfCurrencies = MAY_CARRY_CURRENCIES.has(type) && Object.keys(currencies).length > 0;
  return isOfCurrencies ? 'extra_currency_transfer' : type;
}

function detailsOf(
  row: ActionRow,
  columns: ActionColumns,
  context: DetailContext,
): Pick<ActionJson, 'details' | 'raw_action'> {
  const fields = Object.hasOwn(ACTION_DETAILS, row.type) ? ACTION_DETAILS[row.type] : undefined;
  if (fields !== undefined) return { details: written(writeFields(fields, columns, context)) };
  const error = `unsupported action type: '${row.type}'`;
  return { details: written(JSON.stringify({ error })), raw_action: written(writeRawAction(row, columns)) };
}

/** Writes the actions of one answer, and remembers the accounts that they name. */
interface ActionWriter {
  readonly write: (row: ActionRow) => ActionJson;
  /** Accounts of the address book, some of them more than once. */
  readonly accounts: readonly Buffer[];
}

/** A writer for one answer. */
export function createActionWriter({ ports }: Pick<V3Call, 'ports'>): ActionWriter {
  const accounts: Buffer[] = [];
  const note = (bytes: Buffer | null) => {
    // What is of another length is another text.
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
      for (const column of ADDRESS_COLUMNS) note(row[column]);
      return toAction(row, context);
    },
  };
}

/** Two keys of details come of one payload. */
function rememberLast<T>(read: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly value: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, value: read(text) };
    return last.value;
  };
}

/** What is said of the trace of an action that the index does not have. */
interface UnindexedActionInfo {
  /** Undefined as long as the first transaction of the trace is a prediction. */
  readonly traceId: Buffer | undefined;
  readonly externalHash: Buffer;
  readonly normalizedHash: Buffer;
  readonly finality: 'pending' | 'confirmed' | 'finalized';
}

/** Writes an action that the index does not have. */
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

/** The actions that a caller knows, without those that are parts of others that it knows. */
export function filterKnownActions(actions: readonly ActionRow[], known: ReadonlySet<string>): ActionRow[] {
  return actions.filter(
    ({ type, ancestor_type: wholes }) => known.has(type) && !wholes.some((whole) => known.has(whole)),
  );
}

/** Compares actions by the time at which they begin, then by that of their end. */
export function byStart(a: ActionRow, b: ActionRow): number {
  return compare(a.start_lt, b.start_lt) || compare(a.end_lt, b.end_lt);
}

/** Compares actions by the time of their end, the latest first, then by that at which they begin. */
export function byEndDescending(a: ActionRow, b: ActionRow): number {
  return compare(b.end_lt, a.end_lt) || compare(b.start_lt, a.start_lt);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : BigInt(a) < BigInt(b) ? -1 : 1;
}
