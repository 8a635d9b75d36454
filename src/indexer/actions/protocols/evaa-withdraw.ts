import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { anyOf, blockOf, blockThat, call, type Found } from '../pattern.ts';
import { plainContent } from '../plain-content.ts';
import { readAccount } from '../read-body.ts';
import { NotThis, type Rule } from '../rule.ts';
import { assetText, readAnsweredAmount, remark, TON_ASSET, userCall } from './evaa-parts.ts';
import { jettonTransferOf } from './jetton-transfer.ts';

const WITHDRAW = 0x2;
const WITHDRAW_USER = 0x21;
const COLLATERALIZED = 0x211;
const WITHDRAW_SUCCESS = 0x211a;
const WITHDRAW_FAIL = 0x211f;
const NO_FUNDS = 0x211fe8;

/** What the user's contract answers when it refuses. */
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [0x21e6, 'withdraw_locked_excess'],
  [0x21e7, 'withdraw_not_collateralized_excess'],
  [0x21e8, 'withdraw_missing_prices_excess'],
  [0x21ec, 'withdraw_execution_crashed'],
]);

interface Request {
  readonly assetId: bigint;
  readonly amount: bigint;
  readonly recipient: string | null;
}

function readRequest(block: Block): Request {
  const body = block.bodyAfterOpcode();
  body.skip(64);
  return { assetId: body.bigUint(256), amount: body.uint64(), recipient: readAccount(body) };
}

interface Outcome {
  readonly success: boolean;
  readonly amount: bigint;
  readonly asset: string | null;
  readonly recipientWallet: string | null;
  readonly masterWallet: string | null;
  readonly failReason: string | null;
}

type Payout = Pick<Outcome, 'asset' | 'recipientWallet' | 'masterWallet'>;

const NO_JETTONS: Payout = { asset: null, recipientWallet: null, masterWallet: null };

function readOutcome({ assetId, amount }: Request, found: Found): Outcome {
  const paid = found.named('paid');
  if (paid)
    return {
      success: true,
      amount: readAnsweredAmount(paid),
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
  if (!payout) throw new NotThis('paid in another asset');
  if (assetId === TON_ASSET) return NO_JETTONS;
  const { asset, receiverWallet, senderWallet } = jettonTransferOf(payout);
  return { asset, recipientWallet: receiverWallet, masterWallet: senderWallet };
}

/** Somebody takes TON or jettons out of EVAA, or borrows them. */
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
    const request = readRequest(block);
    const outcome = readOutcome(request, found);
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
