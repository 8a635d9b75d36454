import type { BlockContent } from '../block.ts';
import { anyOf, call, type Pattern } from '../pattern.ts';
import { depositColumns, type Excess, excessColumns } from './dex-liquidity.ts';
import { JETTON_INTERNAL_TRANSFER, JETTON_NOTIFICATION, JETTON_TRANSFER } from './jetton-transfer.ts';

/** TON for a pool is given to the vault of TON. */
export const DEDUST_DEPOSIT_TON = 0xd55e4686;
/** A vault tells the factory what it was given. */
export const DEDUST_ASK_FACTORY = 0xf04ec526;
/** The factory makes the contract in which the two sides of a deposit meet. */
export const DEDUST_DEPLOY = 0x9b3aa3fa;
/** The factory tells that contract what was given. */
export const DEDUST_TOP_UP = 0x54240fe5;
/** That contract has both sides. */
export const DEDUST_DEPOSIT_TO_POOL = 0xb56b9598;
/** The pool does not want them. */
export const DEDUST_REJECT = 0xe1a36cd4;

/** What one side of a deposit brings. TON is null among assets. */
export interface DedustDepositSide {
  readonly asset: string | null;
  readonly amount: bigint;
  readonly wallet: string | null;
}

/** What is known of a deposit by the messages of one of its sides, or of both. */
export interface DedustDepositData {
  readonly sender: string | null;
  readonly pool: string | null;
  /** Where the two sides meet. */
  readonly contract: string | null;
  readonly sides: readonly DedustDepositSide[];
  /** What the pool is to be given, in its order. */
  readonly targetAssets: readonly (string | null)[];
  readonly targetAmounts: readonly bigint[];
  readonly minted: bigint | null;
  /** Null where the deposit is not complete yet. */
  readonly excesses: readonly Excess[] | null;
}

/** The vault is given TON or jettons: `brought`, with the `internal` transfer and its `request`. */
export const dedustBrought: Pattern = anyOf([
  call(DEDUST_DEPOSIT_TON, { as: 'brought' }),
  call(JETTON_NOTIFICATION, {
    previous: call(JETTON_INTERNAL_TRANSFER, {
      previous: call(JETTON_TRANSFER, { as: 'request' }),
      as: 'internal',
    }),
    as: 'brought',
  }),
]);

/** The block of a deposit; its type says whether it is the first side only. */
export function dedustDepositBlock(
  type: 'dedust_deposit_liquidity' | 'dedust_deposit_liquidity_partial',
  data: DedustDepositData,
  failed: boolean,
): BlockContent<DedustDepositData> {
  return { type, data, failed, describe: (block) => describeDeposit(block.data as DedustDepositData) };
}

function describeDeposit({ sender, pool, contract, sides, minted, excesses, ...targets }: DedustDepositData) {
  const [first, second] = sides;
  const [asset1, asset2] = targets.targetAssets;
  const [amount1, amount2] = targets.targetAmounts;
  return {
    source: sender,
    destination: pool,
    destination_secondary: contract,
    ...depositColumns({
      ...{ dex: 'dedust', asset1: first?.asset ?? null, amount1: first?.amount ?? null },
      ...{ asset2: second?.asset ?? null, amount2: second?.amount ?? null },
      ...{ user_jetton_wallet_1: first?.wallet ?? null, user_jetton_wallet_2: second?.wallet ?? null },
      ...{ target_asset_1: asset1 ?? null, target_amount_1: amount1 ?? null },
      ...{ target_asset_2: asset2 ?? null, target_amount_2: amount2 ?? null },
      ...{ lp_tokens_minted: minted, vault_excesses: excesses && excessColumns(excesses) },
    }),
  };
}
