import type { ActionColumns, ActionData, ActionValue } from '../action.ts';

const NO_DEPOSIT = {
  ...{ dex: null, amount1: null, amount2: null, asset1: null, asset2: null },
  ...{ user_jetton_wallet_1: null, user_jetton_wallet_2: null, lp_tokens_minted: null },
  ...{ target_asset_1: null, target_asset_2: null, target_amount_1: null, target_amount_2: null },
  ...{ vault_excesses: null, tick_lower: null, tick_upper: null, nft_index: null, nft_address: null },
};

const NO_WITHDRAWAL = {
  ...{ dex: null, amount1: null, amount2: null, asset1_out: null, asset2_out: null },
  ...{ user_jetton_wallet_1: null, user_jetton_wallet_2: null },
  ...{ dex_jetton_wallet_1: null, dex_jetton_wallet_2: null, dex_wallet_1: null, dex_wallet_2: null },
  ...{ lp_tokens_burnt: null, burned_nft_index: null, burned_nft_address: null },
  ...{ tick_lower: null, tick_upper: null },
};

/** What an exchange gave back of a deposit. */
export interface Excess {
  readonly asset: string | null;
  readonly amount: bigint;
}

/** The columns of a deposit of liquidity; those that are not told are null. */
export function depositColumns(
  told: Partial<Record<keyof typeof NO_DEPOSIT, ActionValue>>,
): Pick<ActionColumns, 'type' | 'data'> {
  const columns: ActionData = { ...NO_DEPOSIT, ...told };
  return { type: 'dex_deposit_liquidity', data: { dex_deposit_liquidity_data: columns } };
}

/** Excesses as columns have them. */
export function excessColumns(excesses: readonly Excess[]): ActionData[] {
  return excesses.map(({ asset, amount }) => ({ asset, amount }));
}

/** One of the two assets that a pool paid out. */
export interface PaidOut {
  readonly asset: string | null;
  readonly amount: bigint;
  readonly dexWallet: string | null;
  readonly dexJettonWallet: string | null;
  readonly userJettonWallet: string | null;
}

/** The columns of a withdrawal of liquidity; those that are not told are null. */
export function withdrawalColumns(
  [first, second]: readonly PaidOut[],
  told: Partial<Record<keyof typeof NO_WITHDRAWAL, ActionValue>>,
): Pick<ActionColumns, 'type' | 'data'> {
  const columns: ActionData = {
    ...NO_WITHDRAWAL,
    ...told,
    ...paidOutColumns(first, 1),
    ...paidOutColumns(second, 2),
  };
  return { type: 'dex_withdraw_liquidity', data: { dex_withdraw_liquidity_data: columns } };
}

function paidOutColumns(paid: PaidOut | undefined, side: 1 | 2): ActionData {
  if (!paid) return {};
  return {
    [`amount${side}`]: paid.amount,
    [`asset${side}_out`]: paid.asset,
    [`user_jetton_wallet_${side}`]: paid.userJettonWallet,
    [`dex_jetton_wallet_${side}`]: paid.dexJettonWallet,
    [`dex_wallet_${side}`]: paid.dexWallet,
  };
}
