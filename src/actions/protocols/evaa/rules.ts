import type { Slice } from '../../../chain/boc/slice.ts';
import type { TonTransferData } from '../../rules/basic-blocks.ts';
import { type Block, compose, plainContent } from '../../rules/block.ts';
import {
  anyOf,
  BOUNCE,
  blockOf,
  blockThat,
  call,
  type Found,
  type Pattern,
  type PatternContext,
} from '../../rules/pattern.ts';
import { readAccount, tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { jettonTransferOf } from '../jettons/rules.ts';

/** The EVAA asset id of TON; those of jettons are derived from their wallets. */
const TON_ASSET = 0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8an;

/** An asset id in the form of the API. */
function assetText(id: bigint): string {
  return `0x${id.toString(16)}`;
}

/** A call of a user contract: code version, optional upgrade and a flag come before the opcode. */
function userCall(opcode: number, around?: PatternContext): Pattern {
  const test = (block: Block) =>
    block.type === 'call_contract' && tryRead(() => userBody(block).uint(32)) === opcode;
  return blockThat(test, around);
}

/** The body of a user contract call from its opcode on. */
function userBody(block: Block): Slice {
  const body = block.node.body();
  body.coins();
  body.maybeRef();
  body.skip(2);
  return body;
}

/** The amount in a user contract response, after query id, owner and asset. */
function readResponseAmount(response: Block): bigint {
  const body = response.bodyAfterOpcode();
  body.skip(64);
  readAccount(body);
  body.skip(256);
  return body.uint64();
}

/** A jetton transfer to the EVAA master with a request in its payload. */
function isJettonRequest(block: Block, opcode: number): boolean {
  return block.type === 'jetton_transfer' && jettonTransferOf(block).request.payloadOpcode === opcode;
}

const REMARKS = new Set(['EVAA liquidation.', 'EVAA supply.', 'EVAA withdraw.']);

/** Excess TON with a comment that names the operation. */
const remark: Pattern = blockThat(
  (block) => block.type === 'ton_transfer' && REMARKS.has((block.data as TonTransferData).comment ?? ''),
  { optional: true },
);

const SUPPLY = 0x1;
const SUPPLY_USER = 0x11;
const SUPPLY_SUCCESS = 0x11a;
const SUPPLY_FAIL = 0x11f;

interface SupplyRequest {
  readonly sender: string | null;
  readonly senderWallet: string | null;
  readonly recipient: string | null;
  readonly recipientWallet: string | null;
  readonly master: string | null;
  readonly masterWallet: string | null;
  readonly asset: string | null;
  readonly amount: bigint;
}

function readTonRequest(block: Block): SupplyRequest {
  const body = block.bodyAfterOpcode();
  body.skip(64 + 2);
  const amount = body.uint64();
  const recipient = readAccount(body);
  const { source, destination } = block.message;
  const jettons = { senderWallet: null, recipientWallet: null, masterWallet: null, asset: null };
  return { ...jettons, sender: source, recipient, master: destination, amount };
}

function readJettonRequest(block: Block, found: Found): SupplyRequest {
  const { sender, senderWallet, receiver, receiverWallet, asset, amount, request } = jettonTransferOf(block);
  const payload = request.payload();
  if (!payload) throw new RuleMismatch('no payload');
  payload.skip(32 + 2);
  const recipient = readAccount(payload);
  if (payload.bitsLeft > 0) {
    payload.uint64();
    payload.ref();
  }
  const recipientWallet = sender === recipient ? senderWallet : walletPaidBy(receiverWallet, found);
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
function walletPaidBy(wallet: string | null, found: Found): string | null {
  for (const block of found.ofType('jetton_transfer')) {
    const { senderWallet, receiverWallet } = jettonTransferOf(block);
    if (senderWallet === wallet) return receiverWallet;
  }
  return null;
}

/** Supplies TON or jettons to EVAA. */
export const evaaSupply: Rule = {
  name: 'EVAA supply',
  test: (block) => block.calls(SUPPLY) || isJettonRequest(block, SUPPLY),
  around: {
    each: userCall(SUPPLY_USER, {
      as: 'user',
      each: anyOf([
        call(SUPPLY_SUCCESS, { as: 'success', each: remark }),
        call(SUPPLY_FAIL),
        blockOf('jetton_transfer'),
      ]),
    }),
  },
  build(block, found) {
    const isTon = block.type === 'call_contract';
    const request = isTon ? readTonRequest(block) : readJettonRequest(block, found);
    const user = found.named('user')!;
    const body = userBody(user);
    body.skip(32 + 64);
    const assetId = body.bigUint(256);
    const success = found.named('success');
    const columns = {
      source: request.sender,
      source_secondary: request.senderWallet,
      destination: request.recipient,
      destination_secondary: user.message.destination,
      asset: request.asset,
      amount: success ? readResponseAmount(success) : request.amount,
      success: success !== undefined,
      data: {
        evaa_supply_data: {
          is_ton: isTon,
          asset_id: assetText(assetId),
          master: request.master,
          recipient_jetton_wallet: request.recipientWallet,
          master_jetton_wallet: request.masterWallet,
        },
      },
    };
    compose(plainContent('evaa_supply', columns), [block, ...found.blocks]);
  },
};

const WITHDRAW = 0x2;
const WITHDRAW_USER = 0x21;
const COLLATERALIZED = 0x211;
const WITHDRAW_SUCCESS = 0x211a;
const WITHDRAW_FAIL = 0x211f;
const NO_FUNDS = 0x211fe8;

/** The response of the user contract when it rejects. */
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [0x21e6, 'withdraw_locked_excess'],
  [0x21e7, 'withdraw_not_collateralized_excess'],
  [0x21e8, 'withdraw_missing_prices_excess'],
  [0x21ec, 'withdraw_execution_crashed'],
]);

interface WithdrawRequest {
  readonly assetId: bigint;
  readonly amount: bigint;
  readonly recipient: string | null;
}

function readWithdrawRequest(block: Block): WithdrawRequest {
  const body = block.bodyAfterOpcode();
  body.skip(64);
  return { assetId: body.bigUint(256), amount: body.uint64(), recipient: readAccount(body) };
}

interface WithdrawOutcome {
  readonly success: boolean;
  readonly amount: bigint;
  readonly asset: string | null;
  readonly recipientWallet: string | null;
  readonly masterWallet: string | null;
  readonly failReason: string | null;
}

type Payout = Pick<WithdrawOutcome, 'asset' | 'recipientWallet' | 'masterWallet'>;

const NO_JETTONS: Payout = { asset: null, recipientWallet: null, masterWallet: null };

function readWithdrawOutcome({ assetId, amount }: WithdrawRequest, found: Found): WithdrawOutcome {
  const paid = found.named('paid');
  if (paid)
    return {
      success: true,
      amount: readResponseAmount(paid),
      failReason: null,
      ...readPayout(assetId, found),
    };
  const refusal = found.named('refusal');
  const failReason = found.named('no funds')
    ? 'withdraw_no_funds_excess'
    : (REFUSALS.get(refusal?.opcode ?? 0) ?? null);
  return { success: false, amount, failReason, ...NO_JETTONS };
}

function readPayout(assetId: bigint, found: Found): Payout {
  const payout = found.named(assetId === TON_ASSET ? 'tons' : 'jettons');
  if (!payout) throw new RuleMismatch('paid in another asset');
  if (assetId === TON_ASSET) return NO_JETTONS;
  const { asset, receiverWallet, senderWallet } = jettonTransferOf(payout);
  return { asset, recipientWallet: receiverWallet, masterWallet: senderWallet };
}

/** Withdraws or borrows TON or jettons from EVAA. */
export const evaaWithdraw: Rule = {
  name: 'EVAA withdrawal',
  test: (block) => block.calls(WITHDRAW),
  around: {
    each: userCall(WITHDRAW_USER, {
      as: 'user',
      each: anyOf([
        call(COLLATERALIZED, {
          as: 'paid',
          next: [
            anyOf([
              blockOf('jetton_transfer', { as: 'jettons' }),
              call(WITHDRAW_SUCCESS, { as: 'tons', each: remark }),
            ]),
            userCall(WITHDRAW_SUCCESS, { each: blockOf('ton_transfer') }),
          ],
        }),
        call(COLLATERALIZED, {
          as: 'no funds',
          each: userCall(WITHDRAW_FAIL, { each: call(NO_FUNDS) }),
        }),
        blockThat((block) => block.calls(...REFUSALS.keys()), { as: 'refusal' }),
      ]),
    }),
  },
  build(block, found) {
    const request = readWithdrawRequest(block);
    const outcome = readWithdrawOutcome(request, found);
    const columns = {
      source: block.message.source,
      destination: request.recipient,
      destination_secondary: found.named('user')!.message.destination,
      asset: outcome.asset,
      amount: outcome.amount,
      success: outcome.success,
      data: {
        evaa_withdraw_data: {
          is_ton: request.assetId === TON_ASSET,
          recipient_jetton_wallet: outcome.recipientWallet,
          master_jetton_wallet: outcome.masterWallet,
          fail_reason: outcome.failReason,
          master: block.message.destination,
          asset_id: assetText(request.assetId),
        },
      },
    };
    compose(plainContent('evaa_withdraw', columns), [block, ...found.blocks]);
  },
};

const LIQUIDATE = 0x3;
const LIQUIDATE_USER = 0x31;
const SATISFIED = 0x311;
const UNSATISFIED = 0x31f;
const LIQUIDATE_SUCCESS = 0x311a;
const SUCCESS_REPORT = 0x311d;
const LIQUIDATE_FAIL = 0x311f;
/** First 32 bits of bounced messages, in the old and the new format. */
const BOUNCES = [BOUNCE, 0xfffffffe];

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
  body.skip(32 + 64);
  const borrower = readAccount(body);
  readAccount(body);
  const collateral = body.bigUint(256);
  body.skip(64 + 2);
  return { borrower, collateral, debt: body.uint64() };
}

function readLiquidationOutcome(request: LiquidationRequest, found: Found): Liquidation {
  const success = found.named('success');
  if (success) return readSatisfied(success);
  const failReason = !found.named('user')
    ? 'immediate_rejection'
    : (readReason(found.named('unsatisfied')) ?? 'master_not_enough_liquidity');
  return { ...request, reward: 0n, failReason };
}

function readSatisfied(satisfied: Block): Liquidation {
  const body = satisfied.bodyAfterOpcode();
  body.skip(64);
  const borrower = readAccount(body);
  readAccount(body);
  body.skip(256);
  const amounts = body.refSlice();
  amounts.skip(64);
  const debt = amounts.uint64();
  amounts.skip(64 + 64);
  const collateral = amounts.bigUint(256);
  amounts.skip(64);
  return { borrower, collateral, debt, reward: amounts.uint64(), failReason: null };
}

function readReason(unsatisfied: Block | undefined): string | undefined {
  if (!unsatisfied) return undefined;
  const body = unsatisfied.bodyAfterOpcode();
  body.skip(64);
  readAccount(body);
  readAccount(body);
  body.skip(256);
  const amounts = body.refSlice();
  amounts.skip(64 + 256 + 64 + 64);
  amounts.ref();
  if (amounts.bitsLeft < 32) return 'parse_error';
  return REASONS.get(amounts.uint(32)) ?? 'unknown';
}

/** The response to the liquidator: a reward or a refund. */
const settled = blockThat(
  (block) => block.calls(SUCCESS_REPORT, LIQUIDATE_FAIL) || block.type === 'jetton_transfer',
);

/** Pays the debt of an EVAA borrower for collateral. */
export const evaaLiquidate: Rule = {
  name: 'EVAA liquidation',
  test: (block) => block.calls(LIQUIDATE) || isJettonRequest(block, LIQUIDATE),
  around: {
    each: anyOf([
      userCall(LIQUIDATE_USER, {
        as: 'user',
        each: anyOf([
          call(SATISFIED, { as: 'success', next: [userCall(LIQUIDATE_SUCCESS, { each: remark }), settled] }),
          call(SATISFIED, { next: [anyOf([call(LIQUIDATE_FAIL), userCall(LIQUIDATE_FAIL)]), settled] }),
          call(UNSATISFIED, { as: 'unsatisfied', each: settled }),
        ]),
      }),
      // Rejected at once: the message or the jettons came back.
      blockThat((block) => block.calls(...BOUNCES) || block.type === 'jetton_transfer'),
    ]),
  },
  build(block, found) {
    const { borrower, collateral, reward, debt, failReason } = readLiquidationOutcome(
      readLiquidationRequest(block),
      found,
    );
    const isTon = block.type === 'call_contract';
    const columns = {
      source: isTon ? block.message.source : jettonTransferOf(block).sender,
      destination: borrower,
      destination_secondary: found.named('user')?.message.destination ?? null,
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
    compose(plainContent('evaa_liquidate', columns), [block, ...found.blocks]);
  },
};
