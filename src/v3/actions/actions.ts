import type { Kysely } from 'kysely';
import Type from 'typebox';
import {
  type ActionFilters,
  type ActionRow,
  actionOrder,
  readActions,
  type WantedTypes,
} from '../../db/queries/actions.ts';
import { hasMasterchainBlock } from '../../db/queries/blocks.ts';
import { readTransactionsByHash } from '../../db/queries/transactions.ts';
import type { Tables } from '../../db/tables.ts';
import {
  defineOperation,
  type Operation,
  type OperationExample,
  type Parameter,
  type ParameterValues,
} from '../../http/operation.ts';
import { Failure } from '../../lib/errors.ts';
import { addressInfoFields, loadAddressInfoFields } from '../address-book.ts';
import type { V3Call } from '../call.ts';
import {
  noteNextCursor,
  type PageLimits,
  pageParams,
  sortParam,
  spanParams,
  toPage,
  toSpan,
} from '../pages.ts';
import { accountParam, booleanParam, hashKind, int32Param, stringKind } from '../parameter-kinds.ts';
import { invalidParameter, listParam } from '../parameters.ts';
import { readIndex } from '../read-index.ts';
import { type TransactionJson, toTransaction } from '../transaction-json.ts';
import { formatHash } from '../values.ts';
import { accountsOfAction, actionSchema, createActionWriter } from './action-json.ts';
import { MAX_HASHES, MAX_TYPES, supportedTypes, supportedTypesParam } from './supported-types.ts';

/** What happened in traces that are complete. */
export function createActions(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'actions',
    methods: ['GET'],
    tag: 'actions',
    summary: 'Actions',
    description:
      'What happened, in words: transfers, swaps, stakes … By the greatest logical time in their trace, or by the time of its end when a time is given. Actions are listed when their trace is complete and has been looked at. All filters count together.',
    parameters: actionListParams(limits),
    result: Type.Object({ actions: Type.Array(actionSchema), ...addressInfoFields }),
    errors: [{ code: 404, when: 'The masterchain block is not in the index' }],
    cache: 'head',
    examples: ACTION_EXAMPLES,
    handler: (params, call: V3Call) => loadActions(call, params),
  });
}

const TYPE_NAME = /^[A-Za-z0-9_.]+$/;

/** The parameters of lists of actions. */
function actionListParams(limits: PageLimits) {
  return {
    account: accountParam({ description: 'An account that the action is about.' }),
    tx_hash: hashesParam('Hashes of transactions in the action.'),
    msg_hash: hashesParam('Hashes of messages of its transactions, normalized or not.'),
    action_id: hashesParam('Ids of actions.'),
    trace_id: hashesParam('Ids of traces.'),
    mc_seqno: int32Param({ description: 'The masterchain block in which the trace ended.' }),
    ...spanParams({ utime: 'Time of the end of the trace', lt: 'Greatest logical time in the trace' }),
    action_type: typeNamesParam('Types of actions.'),
    exclude_action_type: typeNamesParam('Types that are not wanted.'),
    ...supportedTypesParam(),
    include_accounts: booleanParam({ description: 'Show the accounts of each action.', fallback: false }),
    include_transactions: booleanParam({
      description: 'Show the transactions of each action.',
      fallback: false,
    }),
    ...pageParams(limits),
    sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
  };
}

/** What a request for actions said. */
type ActionListValues = ParameterValues<ReturnType<typeof actionListParams>>;

/** What a request wants of actions. All that it says has to be true of an action. */
function toActionFilters(call: Pick<V3Call, 'options'>, params: ActionListValues): ActionFilters {
  const { action_type: asked, exclude_action_type: excluded } = params;
  const supported = supportedTypes(call, params);
  const shown = new Set(asked.length === 0 ? supported : asked);
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
    isOfFewTypes: asked.length > 0 || excluded.length > 0,
  };
}

function hashesParam(description: string) {
  return listParam(hashKind, { description, max: MAX_HASHES });
}

/** Names of types. No name has a comma, so that they may be joined by one, as wallets do. */
function typeNamesParam(description: string): Parameter<readonly string[]> {
  const anyText = { ...stringKind, convert: (text: string) => text };
  const list = listParam(anyText, { description, max: MAX_TYPES, splitCommas: true });
  return {
    ...list,
    read: (input) => {
      const names = list.read(input);
      if (!names.every((name) => TYPE_NAME.test(name)))
        throw invalidParameter(input.name, `${input.name} contains invalid characters`);
      return names;
    },
  };
}

/** A page of actions, and what is to be said of the addresses in them. */
async function loadActions(call: V3Call, params: ActionListValues) {
  const [filters, { sort, include_accounts, include_transactions }] = [toActionFilters(call, params), params];
  const { mcSeqno: seqno } = filters;
  const keys = actionOrder({ filters, sort });
  const page = toPage(params, keys);
  return readIndex(call, async (db) => {
    if (seqno !== undefined && !(await hasMasterchainBlock(db, { seqno })))
      throw new Failure('not_found', `masterchain block ${seqno} not found`);
    const rows = await readActions(db, { filters, sort, page });
    noteNextCursor(call, keys, page, rows);
    const transactionsOf = include_transactions ? await loadTransactionsOf(call, db, rows) : undefined;
    const writer = createActionWriter(call);
    const actions = rows.map((row) => ({
      ...writer.write(row),
      ...(include_accounts && { accounts: accountsOfAction(row) }),
      ...(transactionsOf && { transactions_full: transactionsOf(row) }),
    }));
    return { actions, ...(await loadAddressInfoFields(call, db, writer.accounts)) };
  });
}

/** An answer with more would take minutes to read: a transaction is shown again with every action that it has part in. */
export const MAX_SHOWN_MESSAGES = 50_000;

/** Reads the transactions of actions, each once. They are shown by logical time. */
async function loadTransactionsOf(
  call: V3Call,
  db: Kysely<Tables>,
  rows: readonly ActionRow[],
): Promise<(row: ActionRow) => TransactionJson[]> {
  const found = await readTransactionsByHash(db, { hashes: rows.flatMap(({ tx_hashes }) => tx_hashes) });
  const byHash = new Map(
    found.map((whole) => [formatHash(whole.row.hash), toTransaction(whole, call.bodies)]),
  );
  const transactionsOf = (row: ActionRow) =>
    row.tx_hashes
      .flatMap((hash) => byHash.get(formatHash(hash)) ?? [])
      .sort((a, b) => Number(BigInt(a.lt) - BigInt(b.lt)) || (a.account < b.account ? -1 : 1));
  let messages = 0;
  for (const row of rows) {
    for (const { out_msgs } of transactionsOf(row)) messages += 1 + out_msgs.length;
    if (messages > MAX_SHOWN_MESSAGES)
      throw invalidParameter('limit', 'limit is too large for this many messages with include_transactions');
  }
  return transactionsOf;
}

const [ACTION, TRACE] = [
  'gIkGGGf3kFGzLYqWQkSKmm2ST/pHmpzdl2bGjEkUlSc=',
  'YYXihX8p3Pf5xrtWc0wXgcwVFgRMn6bD7Mr3sxlQZTg=',
];
const [ALICE, BOB] = ['1', '2'].map((digit) => `0:${digit.repeat(64)}`);
const [JETTON, SENDING, RECEIVING] = ['A', 'B', 'C'].map((digit) => `0:${digit.repeat(64)}`);

const entry = { user_friendly: null, domain: null, interfaces: [] };

/** A call for one action, and calls that are refused. */
const ACTION_EXAMPLES: readonly OperationExample<never>[] = [
  {
    title: 'A transfer of jettons',
    params: { action_id: [ACTION], include_accounts: true },
    varies: true,
    result: {
      actions: [
        {
          trace_id: TRACE,
          action_id: ACTION,
          start_lt: '50000000000002',
          end_lt: '50000000000007',
          start_utime: 1730000000,
          end_utime: 1730000008,
          trace_end_lt: '50000000000009',
          trace_end_utime: 1730000010,
          trace_mc_seqno_end: 41000003,
          transactions: [TRACE],
          success: true,
          type: 'jetton_transfer',
          details: {
            asset: JETTON,
            sender: ALICE,
            receiver: BOB,
            sender_jetton_wallet: SENDING,
            receiver_jetton_wallet: RECEIVING,
            amount: '1000000',
            comment: 'for lunch',
            is_encrypted_comment: false,
            query_id: '0',
            response_destination: ALICE,
            custom_payload: null,
            forward_payload: null,
            forward_amount: '1',
          },
          trace_external_hash: TRACE,
          accounts: [ALICE, BOB, SENDING, RECEIVING],
          finality: 'finalized',
        },
      ],
      address_book: { [`${ALICE}`]: entry, [`${BOB}`]: entry },
      metadata: {},
    },
  },
  {
    title: 'A type that cannot be one',
    params: { action_type: ['jetton transfer'] },
    failure: { code: 422, text: 'action_type contains invalid characters' },
  },
  {
    title: 'A block that is not there',
    params: { mc_seqno: 2147483647 },
    failure: { code: 404, text: 'masterchain block 2147483647 not found' },
  },
];
