import Type from 'typebox';
import type { PlacedTransaction } from '../chain/tlb/placed-transaction.ts';
import { type Parameter, type ParameterValues, unknownName } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import type { ActionRow } from '../index/action-row.ts';
import { accountActionsOrder, readAccountActions } from '../index/read/account-actions.ts';
import { type ActionFilters, actionOrder, readActions, type WantedTypes } from '../index/read/actions.ts';
import { TransactionReader } from '../index/read/transaction-reader.ts';
import { bytesKey, distinctBytes } from '../lib/bytes-key.ts';
import { isSliceOver, mapInSlices, nextSlice } from '../lib/slices.ts';
import { ACTION_DETAILS } from './action-details.ts';
import { accountsOfAction, createActionWriter } from './action-json.ts';
import { ACTION_ROLES, type ActionRole, rolesOf, wantedRole } from './action-roles.ts';
import { actionSchema } from './action-schemas.ts';
import {
  ACTION_TYPE_SETS,
  expandActionTypes,
  MAX_TYPES,
  supportedTypes,
  supportedTypesParam,
} from './action-types.ts';
import { addressInfoFields, loadAddressInfoFields, withAddressInfo } from './address-book.ts';
import { noteCursorAfter, sortedWindowParams, spanParams, toSpan, toWindow } from './list-parameters.ts';
import { defineV3Operation, type ListLimits, type V3Call } from './operation.ts';
import {
  accountParam,
  booleanParam,
  choiceParam,
  hashesParam,
  int32Param,
  requiredAccountParam,
  stringKind,
  uint64Param,
  utimeParam,
} from './parameter-kinds.ts';
import { invalidParameter, listParam } from './parameters.ts';
import { readIndex, requireMasterchainBlock } from './read-index.ts';
import { type TransactionJson, toTransaction } from './transaction-json.ts';
import { EmulatorVersion, formatHash } from './values.ts';

export const actionsSchema = withAddressInfo('ActionsResponse', {
  actions: Type.Array(actionSchema),
  emulator_version: EmulatorVersion('Of pending actions: the version of the TVM that predicted them.'),
});

export const createActions = (limits: ListLimits) =>
  defineV3Operation({
    name: 'actions',
    tag: 'actions',
    summary: 'Actions',
    description:
      'What happened in traces: transfers, swaps, stakes and so on. Ordered by the last logical time of their trace, or by its end time if a time bound is given. Actions are listed once their trace is complete and classified. An action must match all filters.',
    parameters: actionListParams(limits),
    result: actionsSchema,
    errors: [{ code: 404, when: 'The masterchain block is not in the index' }],
    handler: (params, call) => loadActions(call, params),
  });

const TYPE_NAME = /^[A-Za-z0-9_.]+$/;
const KNOWN_TYPES: ReadonlySet<string> = new Set([
  ...expandActionTypes(Object.keys(ACTION_TYPE_SETS)),
  ...Object.keys(ACTION_DETAILS),
]);

function actionListParams(limits: ListLimits) {
  return {
    account: accountParam('An account that takes part in the action.'),
    tx_hash: hashesParam('Hashes of transactions in the action.'),
    msg_hash: hashesParam('Hashes of messages of its transactions, normalized or not.'),
    action_id: hashesParam('Action ids.'),
    trace_id: hashesParam('Trace ids.'),
    mc_seqno: int32Param('Seqno of the masterchain block in which the trace ended.'),
    ...spanParams({ utime: 'End time of the trace', lt: 'Last logical time of the trace' }),
    action_type: typeNamesParam('Action types.'),
    exclude_action_type: typeNamesParam('Action types to leave out.'),
    ...supportedTypesParam(),
    include_accounts: booleanParam('Include the accounts of each action.', { fallback: false }),
    include_transactions: booleanParam('Include the transactions of each action.', { fallback: false }),
    ...sortedWindowParams(limits),
  };
}

type ActionListValues = ParameterValues<ReturnType<typeof actionListParams>>;

/** Converts the parameters of a request to filters. An action must match all of them. */
function toActionFilters(call: Pick<V3Call, 'options'>, params: ActionListValues): ActionFilters {
  const { action_type: wanted, exclude_action_type: excluded } = params;
  const supported = supportedTypes(call, params);
  const shown = new Set(wanted.length === 0 ? supported : wanted);
  const types: WantedTypes = {
    shown: [...shown].filter((type) => !excluded.includes(type)),
    hiding: supported,
  };
  return {
    account: params.account,
    actionIds: params.action_id,
    traceIds: params.trace_id,
    txHashes: params.tx_hash,
    msgHashes: params.msg_hash,
    mcSeqno: params.mc_seqno,
    span: toSpan(params),
    types,
    isOfFewTypes: wanted.length > 0 || excluded.length > 0,
  };
}

/** Names of types. Names have no commas, so a list may be joined with them, as wallets do. */
function typeNamesParam(description: string): Parameter<readonly string[]> {
  const anyText = { ...stringKind, convert: (text: string) => text };
  const list = listParam(anyText, description, { max: MAX_TYPES, splitCommas: true });
  return {
    ...list,
    read: (input) => {
      const names = list.read(input);
      if (!names.every((name) => TYPE_NAME.test(name)))
        throw invalidParameter(input.name, `${input.name} contains invalid characters`);
      const unknown = names.find((name) => !KNOWN_TYPES.has(name));
      if (unknown !== undefined)
        throw unknownName(input.name, `${input.name}: unknown type`, unknown, KNOWN_TYPES);
      return names;
    },
  };
}

async function loadActions(call: V3Call, params: ActionListValues) {
  const { sort } = params;
  const filters = toActionFilters(call, params);
  const keys = actionOrder({ sort });
  const page = toWindow(params, keys);
  return readIndex(call, async (db) => {
    await requireMasterchainBlock(db, { seqno: filters.mcSeqno });
    const reader = new TransactionReader(db, call);
    const rows = await readActions(reader, { filters, sort, page });
    noteCursorAfter(call, keys, rows.length === page.limit ? rows.at(-1)?.cursor : undefined);
    return showActions(call, reader, { rows, ...params });
  });
}

interface ShownActions {
  readonly rows: readonly ActionRow[];
  readonly include_accounts: boolean;
  readonly include_transactions: boolean;
  readonly rolesOf?: (row: ActionRow) => ActionRole[];
}

/** Makes the response of a list of actions. */
async function showActions(call: V3Call, reader: TransactionReader, shown: ShownActions) {
  const { rows, rolesOf } = shown;
  const transactionsOf = shown.include_transactions
    ? await loadTransactionsOf(call, reader, rows)
    : undefined;
  const writer = createActionWriter(call);
  const toShown = (row: ActionRow) => ({
    ...writer.write(row),
    ...(shown.include_accounts && { accounts: accountsOfAction(row) }),
    ...(rolesOf && { roles: rolesOf(row) }),
    ...(transactionsOf && { transactions_full: transactionsOf(row) }),
  });
  const actions = await mapInSlices(rows, toShown, call.signal);
  return { actions, ...(await loadAddressInfoFields(call, reader.db, writer.accounts)) };
}

export const createAccountActions = (limits: ListLimits) =>
  defineV3Operation({
    name: 'actions/byAccount',
    tag: 'actions',
    summary: 'Actions of an account by trace',
    description:
      'What an account did or saw in traces, with its roles. `limit` and `offset` count traces, and a trace is never cut: its actions follow each other. Ordered by the last logical time of the trace, also with bounds of time. A page with fewer traces than `limit` is the last one only if it has no `cursor`: one ends early after 10000 traces without such an action.',
    parameters: accountActionsParams(limits),
    result: Type.Object(
      {
        actions: Type.Array(actionSchema),
        ...addressInfoFields,
        cursor: Type.Optional(PlainText({ description: 'Where the next page starts.' })),
      },
      { title: 'AccountActionsResponse' },
    ),
    handler: (params, call) => loadAccountActions(call, params),
  });

function accountActionsParams(limits: ListLimits) {
  const { limit, ...window } = sortedWindowParams(limits);
  return {
    account: requiredAccountParam('An account that takes part in the actions.', 'account is required'),
    role: choiceParam(ACTION_ROLES, ROLE_TEXT),
    start_utime: utimeParam('End time of the trace at or after this unix time.'),
    end_utime: utimeParam('End time of the trace before this unix time.'),
    start_lt: uint64Param('Last logical time of the trace at or above this.'),
    end_lt: uint64Param('Last logical time of the trace below this.'),
    ...supportedTypesParam(),
    include_accounts: booleanParam('Include the accounts of each action.', { fallback: false }),
    include_transactions: booleanParam('Include the transactions of each action.', { fallback: false }),
    limit: { ...limit, description: 'Traces to return.' },
    ...window,
  };
}

export const ROLE_TEXT =
  'A role of the account in the action: value left it (`sender`), came to it (`receiver`), it began the trace (`initiated`), or none of these (`observer`).';

async function loadAccountActions(
  call: V3Call,
  params: ParameterValues<ReturnType<typeof accountActionsParams>>,
) {
  const { account, role, sort } = params;
  const supported = supportedTypes(call, params);
  const keys = accountActionsOrder({ sort });
  const page = toWindow(params, keys);
  const { endUtime, endLt, ...starts } = toSpan(params);
  return readIndex(call, async (db) => {
    const reader = new TransactionReader(db, call);
    const { rows, initiators, cursor } = await readAccountActions(reader, {
      account,
      // The upper bounds are exclusive here, by the contract.
      span: { ...starts, endUtime: endUtime && endUtime - 1n, endLt: endLt && endLt - 1n },
      types: { shown: supported, hiding: supported },
      wanted: wantedRole(account, role),
      sort,
      page,
    });
    noteCursorAfter(call, keys, cursor);
    const ofAccount = (row: ActionRow) => rolesOf(row, account, initiators.get(bytesKey(row.trace_id)));
    const { nextCursor } = call.notes;
    return {
      ...(await showActions(call, reader, { rows, ...params, rolesOf: ofAccount })),
      ...(nextCursor !== undefined && { cursor: nextCursor }),
    };
  });
}

/** Limit of messages with `include_transactions`: a transaction is repeated in every action it belongs to, and larger responses would take minutes. */
export const MAX_SHOWN_MESSAGES = 50_000;

/** Reads the transactions of actions, each once; returns a function that gives those of an action by logical time. */
async function loadTransactionsOf(
  call: V3Call,
  reader: TransactionReader,
  rows: readonly ActionRow[],
): Promise<(row: ActionRow) => TransactionJson[]> {
  const hashes = distinctBytes(rows.flatMap(({ tx_hashes }) => tx_hashes));
  const matches = await reader.complete(await reader.readByHash(hashes));
  const toShown = (placed: PlacedTransaction) =>
    [formatHash(placed.transaction.hash), toTransaction(placed, call.bodies)] as const;
  const byHash = new Map(await mapInSlices(matches, toShown, call.signal));
  const transactionsOf = (row: ActionRow) =>
    row.tx_hashes
      .flatMap((hash) => byHash.get(formatHash(hash)) ?? [])
      .sort((a, b) => Number(BigInt(a.lt) - BigInt(b.lt)) || (a.account < b.account ? -1 : 1));
  let messages = 0;
  for (const row of rows) {
    for (const { out_msgs } of transactionsOf(row)) messages += 1 + out_msgs.length;
    if (messages > MAX_SHOWN_MESSAGES)
      throw invalidParameter('limit', 'limit is too large for this many messages with include_transactions');
    if (isSliceOver()) await nextSlice(call.signal);
  }
  return transactionsOf;
}
