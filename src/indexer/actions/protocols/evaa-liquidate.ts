import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { anyOf, BOUNCE, blockThat, call, type Found } from '../pattern.ts';
import { plainContent } from '../plain-content.ts';
import { readAccount } from '../read-body.ts';
import { NotThis, type Rule } from '../rule.ts';
import { assetText, isJettonRequest, remark, userCall } from './evaa-parts.ts';
import { jettonTransferOf } from './jetton-transfer.ts';

const LIQUIDATE = 0x3;
const LIQUIDATE_USER = 0x31;
const SATISFIED = 0x311;
const UNSATISFIED = 0x31f;
const LIQUIDATE_SUCCESS = 0x311a;
const SUCCESS_REPORT = 0x311d;
const LIQUIDATE_FAIL = 0x311f;
/** First bits of messages that came back, in the old form and in the new one. */
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

type Request = Pick<Liquidation, 'borrower' | 'collateral' | 'debt'>;

function readRequest(block: Block): Request {
  const body = block.type === 'call_contract' ? block.node.body() : jettonTransferOf(block).request.payload();
  if (!body) throw new NotThis('no payload');
  body.skip(32 + 64);
  const borrower = readAccount(body);
  readAccount(body);
  const collateral = body.bigUint(256);
  body.skip(64 + 2);
  return { borrower, collateral, debt: body.uint64() };
}

function readOutcome(request: Request, found: Found): Liquidation {
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

/** The answer to the liquidator: his reward or his money back. */
const settled = blockThat(
  (block) => block.calls(SUCCESS_REPORT, LIQUIDATE_FAIL) || block.type === 'jetton_transfer',
);

/** Somebody pays the debt of a borrower of EVAA and gets his collateral. */
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
      // Refused at once: the message came back, or the jettons did.
      blockThat((block) => block.calls(...BOUNCES) || block.type === 'jetton_transfer'),
    ]),
  },
  build(block, found) {
    const { borrower, collateral, reward, debt, failReason } = readOutcome(readRequest(block), found);
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
