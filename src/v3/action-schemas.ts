import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import { ShownAs } from '../http/named-schemas.ts';
import { PlainText, RawJson } from '../http/serializer.ts';
import { toObjectSchema } from './action-detail-fields.ts';
import { ACTION_DETAILS } from './action-details.ts';
import { ACTION_ROLES } from './action-roles.ts';
import { transactionSchema } from './transaction-json.ts';
import { Finality, Nullable, TextOf } from './values.ts';

/** The type that is shown for these if they carry extra currencies. */
export const EXTRA_CURRENCY_TRANSFER = 'extra_currency_transfer';
export const MAY_CARRY_CURRENCIES: readonly string[] = ['call_contract', 'ton_transfer'];

/** Types that the classifier knows but whose details are not shown. */
export const TYPES_WITHOUT_DETAILS: readonly string[] = ['coffee_mev_protect_failed_swap', 'unknown'];

const placeFields = {
  trace_id: Nullable(
    PlainText({ description: 'Null while the first transaction of the trace is predicted.' }),
  ),
  action_id: PlainText(),
  start_lt: PlainText(),
  end_lt: PlainText(),
  start_utime: Type.Integer(),
  end_utime: Type.Integer(),
  trace_end_lt: PlainText(),
  trace_end_utime: Type.Integer(),
  trace_mc_seqno_end: Type.Integer(),
  transactions: Type.Array(PlainText(), {
    description: 'The transactions of the action, and the one that led to it.',
  }),
  success: Type.Boolean(),
};

const originFields = {
  trace_external_hash: Type.Optional(PlainText()),
  trace_external_hash_norm: Type.Optional(PlainText()),
  accounts: Type.Optional(
    Type.Array(PlainText(), { description: 'With `include_accounts`, and in pending actions.' }),
  ),
  finality: Finality(),
};

const rolesFields = {
  roles: Type.Optional(
    Type.Array(TextOf(ACTION_ROLES, { title: 'ActionRole' }), {
      description: 'Of the account, in `actions/byAccount`. An observer has no other role.',
    }),
  ),
};

const transactionFields = {
  transactions_full: Type.Optional(
    Type.Array(transactionSchema, { description: 'With `include_transactions`.' }),
  ),
};

const rawActionSchema = Type.Object(
  {},
  {
    title: 'RawAction',
    additionalProperties: true,
    description: 'All stored columns, for types without details.',
  },
);

const actionBaseSchema = Type.Object(
  { ...placeFields, ...originFields, ...rolesFields, ...transactionFields },
  { title: 'ActionBase', description: 'What actions of all types have.' },
);

/** Types with the details of another type. */
const SHARED_DETAILS: Readonly<Record<string, string>> = {
  nft_purchase: 'nft_transfer',
  teleitem_start_auction: 'nft_put_on_auction',
  teleitem_cancel_auction: 'nft_cancel_auction',
  tgbtc_mint_fallback: 'tgbtc_mint',
  tgbtc_burn_fallback: 'tgbtc_burn',
  tgbtc_new_key_fallback: 'tgbtc_new_key',
  remove_extension: 'add_extension',
  launchpad_sell: 'launchpad_buy',
};

/** Details whose name in the contract is not that of their type. */
const DETAIL_NAMES: Readonly<Record<string, string>> = {
  stake_withdrawal: 'WithdrawStake',
  stake_withdrawal_request: 'WithdrawStakeRequest',
  tgbtc_dkg_log_fallback: 'DkgLogFallback',
  add_extension: 'Extension',
  launchpad_buy: 'LaunchpadTrade',
};

function toName(type: string): string {
  const words = type.replace(/(?:^|_)([a-z0-9])/g, (_, first: string) => first.toUpperCase());
  return words.replace('Layerzero', 'LayerZero');
}

function detailsOfType(type: string): TSchema {
  const owner = SHARED_DETAILS[type] ?? type;
  return toObjectSchema(ACTION_DETAILS[type]!, `ActionDetails${DETAIL_NAMES[owner] ?? toName(owner)}`);
}

function actionOfType(type: string, members: Readonly<Record<string, TSchema>>): TSchema {
  return Type.Object(
    { type: Type.Literal(type), ...members },
    { title: `${toName(type)}Action`, allOf: [actionBaseSchema] },
  );
}

const unsupportedDetails = Type.Object({ error: Type.String() }, { title: 'ActionDetailsUnsupported' });

/** An action as documents show it: `type` decides about `details`. */
const shownAction = Type.Union(
  [
    ...Object.keys(ACTION_DETAILS).map((type) => actionOfType(type, { details: detailsOfType(type) })),
    actionOfType(EXTRA_CURRENCY_TRANSFER, { details: Type.Union(MAY_CARRY_CURRENCIES.map(detailsOfType)) }),
    ...TYPES_WITHOUT_DETAILS.map((type) =>
      actionOfType(type, { details: unsupportedDetails, raw_action: rawActionSchema }),
    ),
  ],
  { title: 'Action' },
);

/** In the order of responses. */
const writtenFields = {
  ...placeFields,
  type: Type.String(),
  raw_action: Type.Optional(RawJson(Type.Object({}))),
  ...originFields,
  details: RawJson(Type.Object({})),
};

/** An action, as the serializer sees it. */
const writtenAction = Type.Object({ ...writtenFields, ...rolesFields, ...transactionFields });

export type ActionJson = Static<typeof writtenAction>;

export const actionSchema = ShownAs(writtenAction, shownAction);

export const actionOfTraceSchema = ShownAs(Type.Object(writtenFields), shownAction);
