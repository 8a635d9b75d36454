import type { Slice } from '../../../chain/boc/slice.ts';
import type { TonTransferData } from '../../rules/basic-blocks.ts';
import type { Block, Callable } from '../../rules/block.ts';
import {
  anyOf,
  BOUNCE,
  blockOf,
  blockThat,
  call,
  type Match,
  type Pattern,
  type PatternContext,
} from '../../rules/pattern.ts';
import { tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { jettonTransferOf } from '../jettons/rules.ts';
import { evaa, evaaOther, userCallAt } from './layouts.ts';

/** The EVAA asset id of TON; those of jettons are derived from their wallets. */
const TON_ASSET = 0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8an;

function assetText(id: bigint): string {
  return `0x${id.toString(16)}`;
}

function userCall({ opcode }: Callable, around?: PatternContext): Pattern {
  const test = (block: Block) =>
    block.type === 'call_contract' && tryRead(() => userBody(block).uint(32)) === opcode;
  return blockThat(test, around);
}

/** The request of a user contract call from its opcode on. */
function userBody(block: Block): Slice {
  return userCallAt(block.node.body()).request;
}

/** A jetton transfer to the EVAA master with a request in its payload. */
function isJettonRequest(block: Block, { opcode }: Callable): boolean {
  return block.type === 'jetton_transfer' && jettonTransferOf(block).request.payloadOpcode === opcode;
}

const REMARKS = new Set(['EVAA liquidation.', 'EVAA supply.', 'EVAA withdraw.']);

/** Excess TON with a comment that names the operation. */
const remark: Pattern = blockThat(
  (block) => block.type === 'ton_transfer' && REMARKS.has((block.data as TonTransferData).comment ?? ''),
  { optional: true },
);

function readTonRequest(block: Block) {
  const { supply_amount, recipient_address: recipient } = evaa.supply_master.read(block);
  const { amount } = supply_amount;
  const { source, destination } = block.message;
  const jettons = { senderWallet: null, recipientWallet: null, masterWallet: null, asset: null };
  return { ...jettons, sender: source, recipient, master: destination, amount };
}

function readJettonRequest(block: Block, match: Match) {
  const { sender, senderWallet, receiver, receiverWallet, asset, amount, request } = jettonTransferOf(block);
  const payload = request.payload();
  if (!payload) throw new RuleMismatch('no payload');
  const supply = evaaOther.supply_jettons.open(payload);
  const { recipient_address: recipient } = supply;
  if (supply.sliceAt('forward_ton_amount').bitsLeft > 0) supply.through('custom_response_payload');
  const recipientWallet = sender === recipient ? senderWallet : walletPaidBy(receiverWallet, match);
  return {
    sender,
    senderWallet,
    recipient,
    recipientWallet,
    master: receiver,
    masterWallet: receiverWallet,
    asset,
    amount,
  };
}

/** The receiver of jettons forwarded by the wallet of the master. */
function walletPaidBy(wallet: string | null, match: Match): string | null {
  for (const block of match.ofType('jetton_transfer')) {
    const { senderWallet, receiverWallet } = jettonTransferOf(block);
    if (senderWallet === wallet) return receiverWallet;
  }
  return null;
}

/** The response of the user contract when it rejects. */
const REFUSALS = [
  'withdraw_locked_excess',
  'withdraw_not_collateralized_excess',
  'withdraw_missing_prices_excess',
  'withdraw_execution_crashed',
] as const;

type Payout = Record<'asset' | 'recipientWallet' | 'masterWallet', string | null>;

const NO_JETTONS: Payout = { asset: null, recipientWallet: null, masterWallet: null };

function readWithdrawOutcome(assetId: bigint, amount: bigint, match: Match) {
  const paid = match.named('paid');
  if (paid)
    return {
      success: true,
      amount: evaa.withdraw_collateralized.read(paid).withdraw_amount_current.amount,
      failReason: null,
      ...readPayout(assetId, match),
    };
  const refusal = match.named('refusal');
  const failReason = match.named('no funds')
    ? 'withdraw_no_funds_excess'
    : (REFUSALS.find((name) => refusal?.calls(evaa[name])) ?? null);
  return { success: false, amount, failReason, ...NO_JETTONS };
}

function readPayout(assetId: bigint, match: Match): Payout {
  const payout = match.named(assetId === TON_ASSET ? 'tons' : 'jettons');
  if (!payout) throw new RuleMismatch('paid in another asset');
  if (assetId === TON_ASSET) return NO_JETTONS;
  const { asset, receiverWallet, senderWallet } = jettonTransferOf(payout);
  return { asset, recipientWallet: receiverWallet, masterWallet: senderWallet };
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [0xe001, 'master_liquidating_too_much'],
  [0xe002, 'user_withdraw_in_progress'],
  [0xe003, 'not_liquidatable'],
  [0xe004, 'execution_crashed'],
  [0xe005, 'min_collateral_not_satisfied'],
  [0xe006, 'user_not_enough_collateral'],
  [0xe007, 'user_liquidating_too_much'],
  [0xe008, 'master_not_enough_liquidity'],
  [0xe009, 'liquidation_prices_missing'],
]);

interface Liquidation {
  readonly borrower: string | null;
  readonly collateral: bigint;
  readonly reward: bigint;
  readonly debt: bigint;
  readonly failReason: string | null;
}

type LiquidationRequest = Pick<Liquidation, 'borrower' | 'collateral' | 'debt'>;

function readLiquidationRequest(block: Block): LiquidationRequest {
  const body = block.type === 'call_contract' ? block.node.body() : jettonTransferOf(block).request.payload();
  if (!body) throw new RuleMismatch('no payload');
  const request = evaa.liquidate_master.open(body);
  return {
    borrower: request.borrower_address,
    collateral: request.collateral_asset_id.asset_id,
    debt: request.liquidate_incoming_amount.amount,
  };
}

function readLiquidationOutcome(request: LiquidationRequest, match: Match): Liquidation {
  const success = match.named('success');
  if (success) return readSatisfied(success);
  const failReason = !match.named('user')
    ? 'immediate_rejection'
    : (readReason(match.named('unsatisfied')) ?? 'master_not_enough_liquidity');
  return { ...request, reward: 0n, failReason };
}

function readSatisfied(satisfied: Block): Liquidation {
  const outcome = evaa.liquidate_satisfied.read(satisfied);
  return {
    borrower: outcome.owner_address,
    collateral: outcome.collateral_asset_id.asset_id,
    debt: outcome.liquidatable_amount.amount,
    reward: outcome.collateral_reward.amount,
    failReason: null,
  };
}

function readReason(unsatisfied: Block | undefined): string | undefined {
  if (!unsatisfied) return undefined;
  const { error } = evaaOther.liquidate_unsatisfied.read(unsatisfied);
  return error.bitsLeft < 32 ? 'parse_error' : (REASONS.get(error.uint(32)) ?? 'unknown');
}

/** The response to the liquidator: a reward or a refund. */
const settled = blockThat(
  (block) =>
    block.calls(evaa.liquidate_success_report, evaa.liquidate_fail) || block.type === 'jetton_transfer',
);

export const evaaRules: readonly Rule[] = [
  // Supplies TON or jettons to EVAA.
  {
    type: 'evaa_supply',
    test: (block) => block.calls(evaa.supply_master) || isJettonRequest(block, evaa.supply_master),
    around: {
      each: userCall(evaa.supply_user, {
        as: 'user',
        each: anyOf([
          call(evaa.supply_success, { as: 'success', each: remark }),
          call(evaa.supply_fail),
          blockOf('jetton_transfer'),
        ]),
      }),
    },
    build(block, match) {
      const isTon = block.type === 'call_contract';
      const request = isTon ? readTonRequest(block) : readJettonRequest(block, match);
      const user = match.named('user')!;
      const { asset_id } = evaa.supply_user.open(userBody(user)).asset_id;
      const success = match.named('success');
      return {
        source: request.sender,
        source_secondary: request.senderWallet,
        destination: request.recipient,
        destination_secondary: user.message.destination,
        asset: request.asset,
        amount: success ? evaa.supply_success.read(success).amount_supplied.amount : request.amount,
        success: success !== undefined,
        data: {
          evaa_supply_data: {
            is_ton: isTon,
            asset_id: assetText(asset_id),
            master: request.master,
            recipient_jetton_wallet: request.recipientWallet,
            master_jetton_wallet: request.masterWallet,
          },
        },
      };
    },
  },
  // Withdraws or borrows TON or jettons from EVAA.
  {
    type: 'evaa_withdraw',
    calls: [evaa.withdraw_master],
    around: {
      each: userCall(evaa.withdraw_user, {
        as: 'user',
        each: anyOf([
          call(evaa.withdraw_collateralized, {
            as: 'paid',
            next: [
              anyOf([
                blockOf('jetton_transfer', { as: 'jettons' }),
                call(evaa.withdraw_success, { as: 'tons', each: remark }),
              ]),
              userCall(evaa.withdraw_success, { each: blockOf('ton_transfer') }),
            ],
          }),
          call(evaa.withdraw_collateralized, {
            as: 'no funds',
            each: userCall(evaa.withdraw_fail, { each: call(evaa.withdraw_no_funds_excess) }),
          }),
          blockThat((block) => block.calls(...REFUSALS.map((name) => evaa[name])), { as: 'refusal' }),
        ]),
      }),
    },
    build(block, match) {
      const request = evaa.withdraw_master.read(block);
      const { asset_id: assetId } = request.asset_id;
      const outcome = readWithdrawOutcome(assetId, request.amount.amount, match);
      return {
        source: block.message.source,
        destination: request.recipient_addr,
        destination_secondary: match.named('user')!.message.destination,
        asset: outcome.asset,
        amount: outcome.amount,
        success: outcome.success,
        data: {
          evaa_withdraw_data: {
            is_ton: assetId === TON_ASSET,
            recipient_jetton_wallet: outcome.recipientWallet,
            master_jetton_wallet: outcome.masterWallet,
            fail_reason: outcome.failReason,
            master: block.message.destination,
            asset_id: assetText(assetId),
          },
        },
      };
    },
  },
  // Pays the debt of an EVAA borrower for collateral.
  {
    type: 'evaa_liquidate',
    test: (block) => block.calls(evaa.liquidate_master) || isJettonRequest(block, evaa.liquidate_master),
    around: {
      each: anyOf([
        userCall(evaa.liquidate_user, {
          as: 'user',
          each: anyOf([
            call(evaa.liquidate_satisfied, {
              as: 'success',
              next: [userCall(evaa.liquidate_success, { each: remark }), settled],
            }),
            call(evaa.liquidate_satisfied, {
              next: [anyOf([call(evaa.liquidate_fail), userCall(evaa.liquidate_fail)]), settled],
            }),
            call(evaa.liquidate_unsatisfied, { as: 'unsatisfied', each: settled }),
          ]),
        }),
        // Rejected at once: the message or the jettons came back.
        blockThat((block) => block.calls(BOUNCE, evaaOther.new_bounce) || block.type === 'jetton_transfer'),
      ]),
    },
    build(block, match) {
      const { borrower, collateral, reward, debt, failReason } = readLiquidationOutcome(
        readLiquidationRequest(block),
        match,
      );
      const isTon = block.type === 'call_contract';
      return {
        source: isTon ? block.message.source : jettonTransferOf(block).sender,
        destination: borrower,
        destination_secondary: match.named('user')?.message.destination ?? null,
        asset: String(collateral),
        amount: reward,
        success: failReason === null,
        data: {
          evaa_liquidate_data: {
            asset_id: assetText(collateral),
            fail_reason: failReason,
            debt_amount: debt,
          },
        },
      };
    },
  },
];
