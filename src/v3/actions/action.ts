import Type, { type Static } from 'typebox';
import type { ActionRow } from '../../db/queries/action-order.ts';
import { PlainText, Written, written } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';
import { Nullable } from '../nullable.ts';
import { transactionSchema } from '../transactions/transaction.ts';
import { formatHash } from '../value-texts.ts';
import { type ActionColumns, toActionColumns } from './action-columns.ts';
import { ACTION_DETAILS } from './action-details.ts';
import { type DetailContext, toObjectSchema, writeFields } from './detail-fields.ts';
import { writeRawAction } from './raw-action.ts';

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
export function toAction(row: ActionRow, context: DetailContext): ActionJson {
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
