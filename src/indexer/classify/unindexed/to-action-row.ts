import type { StoredGroups } from '../../../db/action-tables.ts';
import type { ActionRow } from '../../../db/queries/action-order.ts';
import type { Action } from '../../actions/action.ts';
import type { TraceFacts } from '../../actions/trace-facts.ts';
import { accountBytes } from '../account-text.ts';
import { hashBytes, objectJson, partyBytes } from '../action-rows.ts';

/** An action as it would be read from the index. */
export function toActionRow(action: Action, trace: TraceFacts): ActionRow {
  const accounts = [...new Set(action.accounts)].flatMap((text) => accountBytes(text) ?? []);
  return {
    trace_id: hashBytes(action.trace_id)!,
    action_id: hashBytes(action.action_id)!,
    trace_mc_seqno_end: trace.mcSeqnoEnd,
    trace_end_lt: `${trace.endLt}`,
    trace_end_utime: `${trace.endUtime}`,
    trace_external_hash: hashBytes(trace.externalHash) ?? null,
    trace_external_hash_norm: hashBytes(trace.externalHashNorm) ?? null,
    parent_action_id: hashBytes(action.parent_action_id) ?? null,
    ...{ type: action.type, ancestor_type: action.ancestor_type, success: action.success },
    ...{ start_lt: `${action.start_lt}`, end_lt: `${action.end_lt}` },
    ...{ start_utime: `${action.start_utime}`, end_utime: `${action.end_utime}` },
    mc_seqno_end: action.mc_seqno_end,
    tx_hashes: action.tx_hashes.map((hash) => hashBytes(hash)!),
    accounts,
    source: partyBytes(action.source) ?? null,
    source_secondary: partyBytes(action.source_secondary) ?? null,
    destination: partyBytes(action.destination) ?? null,
    destination_secondary: partyBytes(action.destination_secondary) ?? null,
    asset: partyBytes(action.asset) ?? null,
    asset_secondary: partyBytes(action.asset_secondary) ?? null,
    asset2: partyBytes(action.asset2) ?? null,
    asset2_secondary: partyBytes(action.asset2_secondary) ?? null,
    opcode: numberText(action.opcode),
    value: numberText(action.value),
    amount: numberText(action.amount),
    value_extra_currencies: stored<Readonly<Record<string, string>>>(action.value_extra_currencies),
    data: stored<StoredGroups>(action.data),
  };
}

function numberText(value: number | bigint | null): string | null {
  return value === null ? null : `${value}`;
}

/** By way of the text that the database would get. */
function stored<T>(value: Parameters<typeof objectJson>[0]): T | null {
  const json = objectJson(value);
  return json === undefined ? null : JSON.parse(json);
}
