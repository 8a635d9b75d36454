import type { ActionRow } from '../index/action-row.ts';
import { type ActionColumns, COLUMN_GROUPS, kindsOf, readerOf } from './action-columns.ts';
import { formatHashOrNull, formatOpcode } from './values.ts';

/** Groups whose keys spell NFT in capitals. */
const WITH_CAPITALS = /^(?:nft|dex)_/;

interface RawField {
  readonly key: string;
  readonly isNumber: boolean;
  readonly read: (row: ActionColumns) => unknown;
}

const FIELDS: readonly RawField[] = COLUMN_GROUPS.flatMap(([prefix, group, columns]) =>
  kindsOf(columns).map(([column, kind]) => ({
    key: prefix + toKey(column, WITH_CAPITALS.test(group)),
    isNumber: kind === 'int',
    read: readerOf(`${group}.${column}`),
  })),
);

function toKey(column: string, withCapitals: boolean): string {
  const key = column
    .replace(/^mp_/, 'marketplace_')
    .replace(/(?:^|_)([a-z0-9])/g, (_, first: string) => first.toUpperCase());
  return withCapitals ? key.replace('Nft', 'NFT') : key;
}

/** Writes all stored columns of an action, for types without details. */
export function writeRawAction(row: ActionRow, columns: ActionColumns): string {
  const hash = (bytes: Buffer | null) => JSON.stringify(formatHashOrNull(bytes));
  const text = (value: string | null) => JSON.stringify(value);
  const members: (readonly [key: string, json: string])[] = [
    ['TraceId', hash(row.trace_id)],
    ['ActionId', hash(row.action_id)],
    ['StartLt', row.start_lt],
    ['EndLt', row.end_lt],
    ['StartUtime', row.start_utime],
    ['EndUtime', row.end_utime],
    ['TraceEndLt', row.trace_end_lt],
    ['TraceEndUtime', row.trace_end_utime],
    ['TraceMcSeqnoEnd', String(row.trace_mc_seqno_end)],
    ['Source', text(columns.source)],
    ['SourceSecondary', text(columns.source_secondary)],
    ['Destination', text(columns.destination)],
    ['DestinationSecondary', text(columns.destination_secondary)],
    ['Asset', text(columns.asset)],
    ['AssetSecondary', text(columns.asset_secondary)],
    ['Asset2', text(columns.asset2)],
    ['Asset2Secondary', text(columns.asset2_secondary)],
    ['Opcode', text(row.opcode === null ? null : formatOpcode(Number(row.opcode)))],
    ['TxHashes', `[${row.tx_hashes.map(hash).join()}]`],
    ['Type', text(row.type)],
    ['Value', text(row.value)],
    ['Amount', text(row.amount)],
    ...FIELDS.map((field) => [field.key, writeField(field, columns)] as const),
    ['Success', String(row.success)],
    ['Finality', text('finalized')],
    ['TraceExternalHash', hash(row.trace_external_hash)],
    ['TraceExternalHashNorm', hash(row.trace_external_hash_norm)],
    ['ExtraCurrencies', JSON.stringify(columns.value_extra_currencies)],
    ['AncestorType', JSON.stringify(row.ancestor_type)],
    ['Extra', JSON.stringify(columns.data.extra ?? null)],
    // Only `include_accounts` shows them.
    ['Accounts', 'null'],
  ];
  return `{${members.map(([key, json]) => `"${key}":${json}`).join()}}`;
}

function writeField({ isNumber, read }: RawField, columns: ActionColumns): string {
  const value = read(columns);
  if (isNumber) return value === null ? 'null' : String(value);
  return JSON.stringify(value, (_, each) => (typeof each === 'number' ? String(each) : each));
}
