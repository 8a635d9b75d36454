import type { ActionColumns } from '../../rules/action.ts';
import { type Block, type BlockContent, compose } from '../../rules/block.ts';
import { blockThat, call, type Pattern } from '../../rules/pattern.ts';
import { readAccount } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { joinDepositSides } from '../dex/deposit-sides.ts';
import {
  depositColumns,
  type Excess,
  excessColumns,
  inOrderOfTime,
  type Payout,
  withdrawalColumns,
} from '../dex/transfers.ts';
import { jettonTransferOf } from '../jettons/rules.ts';
import {
  DEDUST_V2_PAY_TON,
  DEDUST_V2_PAYOUT,
  dedustV2PaymentOf,
  dedustV2PayoutOf,
  isDedustV2Leg,
  readDedustV2Request,
} from './v2-swaps.ts';

const WITHDRAW = 0x20b5ef89;
/** The pool forwards a withdrawal to the position. */
const WITHDRAW_LIQUIDITY = 0xbc1531a9;
/** The position releases the liquidity. */
const EXIT_LIQUIDITY = 0xf6f6a3aa;
const WITHDRAWAL_EVENT = 0xc0d77b54;

const leg: Pattern = blockThat(isDedustV2Leg, { optional: true, as: 'leg' });

function readWithdraw(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const liquidity = body.coins();
  body.coins();
  body.coins();
  return { liquidity, claimsFees: body.boolean() };
}

/** Withdraws liquidity from a DeDust v2 position; refused if the pool pays less than the minimum. */
export const dedustV2Withdraw: Rule = {
  name: 'DeDust v2 withdrawal',
  test: (block) => block.calls(WITHDRAW),
  around: {
    next: [
      call(WITHDRAW_LIQUIDITY, {
        next: [
          call(EXIT_LIQUIDITY, { next: [call(WITHDRAWAL_EVENT, { optional: true, as: 'event' }), leg, leg] }),
        ],
      }),
    ],
  },
  includesRefunds: true,
  build(block, found) {
    const { liquidity, claimsFees } = readWithdraw(block);
    if (claimsFees) throw new RuleMismatch('the payouts include fees');
    const event = found.named('event');
    const { source, destination } = block.message;
    const paidOut = inOrderOfTime(found.allNamed('leg')).map(dedustV2PayoutOf);
    const columns = {
      source,
      destination,
      ...withdrawalColumns(paidOut, {
        dex: 'dedust_v2',
        lp_tokens_burnt: event ? event.bodyAfterOpcode().coins() : liquidity,
        is_refund: !event,
      }),
    };
    const content = {
      type: 'dex_withdraw_liquidity',
      data: undefined,
      failed: !event,
      describe: () => columns,
    };
    compose(content, [block, ...found.blocks]);
  },
};

const DEPOSIT_PAYLOAD = 0xc9a015da;
/** The pool credits one side to the deposit contract. */
const CREDIT_ASSET = 0xdc5ddba1;
/** The deposit contract has both sides. */
const JOIN_LIQUIDITY = 0x25251ee0;
const DEPOSIT_EVENT = 0x35df2e12;
/** The pool credits liquidity to the position. */
const CREDIT_LIQUIDITY = 0x855afcbd;

/** One side of a deposit. TON is a null asset. */
interface DepositSide {
  readonly asset: string | null;
  readonly wallet: string | null;
}

/** A deposit as shown by the messages of one or both of its sides. Pairs are in pool order. */
interface DepositData {
  readonly initiator: string | null;
  readonly pool: string | null;
  /** The contract that collects both sides. */
  readonly contract: string | null;
  readonly sides: readonly [DepositSide | undefined, DepositSide | undefined];
  readonly amounts: readonly [bigint | null, bigint | null];
  readonly targets: readonly [bigint, bigint];
  readonly minted: bigint | null;
  /** Null while the deposit is incomplete. */
  readonly excesses: readonly Excess[] | null;
}

function depositBlock(
  type: 'dedust_v2_deposit_liquidity' | 'dedust_v2_deposit_liquidity_partial',
  data: DepositData,
  failed: boolean,
): BlockContent<DepositData> {
  return { type, data, failed, describe: (block) => describeDeposit(block.data as DepositData) };
}

function describeDeposit({ initiator, pool, contract, sides, ...amounts }: DepositData): ActionColumns {
  const [first, second] = sides;
  return {
    source: initiator,
    destination: pool,
    destination_secondary: contract,
    ...depositColumns({
      dex: 'dedust_v2',
      asset1: first?.asset ?? null,
      amount1: amounts.amounts[0],
      asset2: second?.asset ?? null,
      amount2: amounts.amounts[1],
      user_jetton_wallet_1: first?.wallet ?? null,
      user_jetton_wallet_2: second?.wallet ?? null,
      target_asset_1: first?.asset ?? null,
      target_amount_1: amounts.targets[0],
      target_asset_2: second?.asset ?? null,
      target_amount_2: amounts.targets[1],
      lp_tokens_minted: amounts.minted,
      vault_excesses: amounts.excesses && excessColumns(amounts.excesses),
    }),
  };
}

/** The payment of one side, its credit to the deposit contract, and what its request says. */
function readSide(credit: Block) {
  const carrier = credit.previous!;
  const request = readDedustV2Request(carrier, DEPOSIT_PAYLOAD);
  if (!request) throw new RuleMismatch('not a deposit');
  const { asset, source, sourceWallet } = dedustV2PaymentOf(carrier);
  const side: DepositSide = { asset, wallet: sourceWallet };
  const body = credit.bodyAfterOpcode();
  body.uint64();
  const isX = body.boolean();
  const amount = body.coins();
  return {
    sender: source,
    sides: isX ? ([side, undefined] as const) : ([undefined, side] as const),
    amounts: isX ? ([amount, null] as const) : ([null, amount] as const),
    targets: [request.coins(), request.coins()] as const,
  };
}

function readJoin(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  return { amounts: [body.coins(), body.coins()] as const, initiator: readAccount(body) };
}

function readDepositEvent(block: Block) {
  const body = block.bodyAfterOpcode();
  return { amounts: [body.coins(), body.coins()] as const, minted: body.coins() };
}

const carrier: Pattern = blockThat(
  (block) => block.type === 'jetton_transfer' || block.calls(DEDUST_V2_PAY_TON),
);
const credited: Pattern = call(CREDIT_ASSET, { previous: carrier, as: 'credit' });
const jettonsBack: Pattern = blockThat(({ type }) => type === 'jetton_transfer', {
  optional: true,
  as: 'jettons back',
});

/** The side that completes a DeDust v2 deposit: the pool credits liquidity, or returns both sides. */
export const dedustV2Deposit: Rule = {
  name: 'DeDust v2 deposit',
  test: (block) => block.calls(JOIN_LIQUIDITY),
  around: {
    next: [
      call(DEPOSIT_EVENT, { optional: true, as: 'event' }),
      call(CREDIT_LIQUIDITY, { optional: true }),
      jettonsBack,
      jettonsBack,
      call(DEDUST_V2_PAYOUT, { optional: true, as: 'TON back' }),
    ],
    previous: credited,
  },
  includesRefunds: true,
  build(block, found) {
    const event = found.named('event');
    const { amounts: joined, initiator } = readJoin(block);
    const back = [...inOrderOfTime(found.allNamed('jettons back')), ...found.allNamed('TON back')];
    if (!event && back.length === 0) throw new RuleMismatch('neither deposited nor returned');
    if (back.some((one) => receiverOf(one) !== initiator)) throw new RuleMismatch('returned to another');
    const { sides, targets } = readSide(found.named('credit')!);
    const data = {
      initiator,
      pool: block.message.destination,
      contract: block.message.source,
      sides,
      targets,
      ...(event ? readDepositEvent(event) : { amounts: joined, minted: null }),
      excesses: back.map(dedustV2PayoutOf),
    };
    compose(depositBlock('dedust_v2_deposit_liquidity', data, !event), [block, ...found.blocks]);
  },
};

function receiverOf(back: Block): string | null {
  return back.type === 'jetton_transfer' ? jettonTransferOf(back).receiver : back.message.destination;
}

/** The first side of a DeDust v2 deposit, which waits for the other. */
export const dedustV2FirstDeposit: Rule = {
  name: 'DeDust v2 deposit, first side',
  test: (block) => block.calls(CREDIT_ASSET),
  around: { previous: carrier },
  includesRefunds: true,
  build(block, found) {
    // A complete deposit that its own rule did not match.
    if (block.next.some((one) => one.calls(JOIN_LIQUIDITY))) return;
    const { sender, ...side } = readSide(block);
    const data = {
      ...side,
      initiator: sender,
      pool: block.message.source,
      contract: block.message.destination,
      minted: null,
      excesses: null,
    };
    compose(depositBlock('dedust_v2_deposit_liquidity_partial', data, false), [block, ...found.blocks]);
  },
};

/** Joins the two sides of DeDust v2 deposits that use the same deposit contract. */
export function joinDedustV2Deposits(blocks: readonly Block[]): Block[] {
  return joinDepositSides<DepositData>(blocks, {
    first: 'dedust_v2_deposit_liquidity_partial',
    final: 'dedust_v2_deposit_liquidity',
    contractOf: ({ contract }) => contract,
    joinData,
  });
}

function joinData(first: DepositData, final: DepositData): DepositData | undefined {
  const isOther = final.sides.every((side, at) => (side === undefined) !== (first.sides[at] === undefined));
  if (!isOther) return undefined;
  return { ...final, sides: [final.sides[0] ?? first.sides[0], final.sides[1] ?? first.sides[1]] };
}

const CLAIM_FEES = 0x5652f1df;
const CLAIM_AVAILABLE_FEES = 0x25f19752;
const PAY_OUT_FEES = 0x29ff1bcf;

/** The columns of a claim; unclaimed assets are null. */
function claimColumns(claim: Block, payout: Block, columns: ReturnType<typeof withdrawalColumns>) {
  const { source, destination } = claim.message;
  return {
    success: true,
    source,
    destination,
    destination_secondary: payout.message.source,
    data: columns.data!,
  };
}

const CLAIM = { dex: 'dedust_v2', lp_tokens_burnt: null, is_refund: false };

const NO_PAYOUT = { asset: null, dexWallet: null, dexJettonWallet: null, userJettonWallet: null };

/** The payouts of both fees: each goes to the first free side with its amount. */
function matchFees(fees: readonly [bigint, bigint], legs: readonly Payout[]): Payout[] {
  const sides: Payout[] = fees.map((amount) => ({ ...NO_PAYOUT, amount }));
  const free = new Set([0, 1]);
  for (const paid of legs) {
    const side = [...free].find((at) => fees[at] === paid.amount);
    if (side === undefined) continue;
    free.delete(side);
    sides[side] = paid;
  }
  return sides;
}

/** Claims the fees of a DeDust v2 position. */
export const dedustV2ClaimFees: Rule = {
  name: 'DeDust v2 claim of fees',
  test: (block) => block.calls(CLAIM_FEES),
  around: {
    next: [call(CLAIM_AVAILABLE_FEES, { next: [call(PAY_OUT_FEES, { next: [leg, leg], as: 'payout' })] })],
  },
  includesRefunds: true,
  build(block, found) {
    const payout = found.named('payout')!;
    const body = payout.bodyAfterOpcode();
    body.uint64();
    const fees = [body.coins(), body.coins()] as const;
    const legs = inOrderOfTime(found.allNamed('leg')).map(dedustV2PayoutOf);
    const columns = claimColumns(block, payout, withdrawalColumns(matchFees(fees, legs), CLAIM));
    const content = { type: 'dedust_v2_claim_fees', data: undefined, describe: () => columns };
    compose(content, [block, ...found.blocks]);
  },
};

const CLAIM_REWARD = 0x909fdb65;
const CLAIM_POSITION_REWARD = 0x2e0cccba;
const PAY_OUT_REWARD = 0x9e17fbbe;

/** Claims a reward of a DeDust v2 position. */
export const dedustV2ClaimReward: Rule = {
  name: 'DeDust v2 claim of a reward',
  test: (block) => block.calls(CLAIM_REWARD),
  around: {
    next: [call(CLAIM_POSITION_REWARD, { next: [call(PAY_OUT_REWARD, { next: [leg], as: 'payout' })] })],
  },
  includesRefunds: true,
  build(block, found) {
    const payout = found.named('payout')!;
    const body = payout.bodyAfterOpcode();
    body.uint64();
    const amount = body.coins();
    const paid = found.named('leg');
    const reward = { ...(paid ? dedustV2PayoutOf(paid) : NO_PAYOUT), amount };
    const columns = claimColumns(block, payout, withdrawalColumns([reward], CLAIM));
    const content = { type: 'dedust_v2_claim_reward', data: undefined, describe: () => columns };
    compose(content, [block, ...found.blocks]);
  },
};
