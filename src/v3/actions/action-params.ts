import type { ActionFilters, WantedTypes } from '../../db/queries/action-order.ts';
import type { Parameter, ParameterValues } from '../../http/operation.ts';
import type { V3Call } from '../call.ts';
import { pageParams } from '../page.ts';
import { accountParam } from '../params/accounts.ts';
import { booleanParam } from '../params/boolean.ts';
import { hashKind } from '../params/hash.ts';
import { int32Param } from '../params/int32.ts';
import { refuse } from '../params/kind.ts';
import type { PageLimits } from '../params/limit.ts';
import { listParam } from '../params/list.ts';
import { plainStringKind } from '../params/plain-string.ts';
import { sortParam } from '../params/sort.ts';
import { spanParams, toSpan } from '../span.ts';
import { expandActionTypes } from './action-types.ts';

const [MAX_HASHES, MAX_TYPES] = [1000, 1000];
const TYPE_NAME = /^[A-Za-z0-9_.]+$/;

/** The parameters of lists of actions. */
export function actionListParams(limits: PageLimits) {
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
export type ActionListValues = ParameterValues<ReturnType<typeof actionListParams>>;

/** The parameter that tells the vocabulary of the caller. */
export function supportedTypesParam() {
  return {
    supported_action_types: listParam(plainStringKind, {
      description:
        'Types of actions that the caller knows, or names of lists of them: `v1` to `v4`, `latest`, `staking`, `nft` … The types of `v1` always count. An action that is part of one that the caller knows is left out. The header `X-Actions-Version` replaces it.',
      max: MAX_TYPES,
      splitCommas: true,
    }),
  };
}

/** The types that a caller knows; what it does not know hides nothing. */
export function supportedTypes(
  { options }: Pick<V3Call, 'options'>,
  { supported_action_types: names }: { readonly supported_action_types: readonly string[] },
): readonly string[] {
  const { actionsVersion } = options;
  return [...expandActionTypes(actionsVersion === undefined ? names : [actionsVersion])];
}

/** What a request wants of actions. All that it says has to be true of an action. */
export function toActionFilters(call: Pick<V3Call, 'options'>, params: ActionListValues): ActionFilters {
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
  const anyText = { ...plainStringKind, convert: (text: string) => text };
  const list = listParam(anyText, { description, max: MAX_TYPES, splitCommas: true });
  return {
    ...list,
    read: (input) => {
      const names = list.read(input);
      if (!names.every((name) => TYPE_NAME.test(name)))
        throw refuse(input.name, `${input.name} contains invalid characters`);
      return names;
    },
  };
}
