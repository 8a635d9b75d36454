import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import type { Interfaces } from '../interfaces.ts';
import { blockOf, call, type Pattern } from '../pattern.ts';
import { readAccount, tryRead } from '../read-body.ts';
import { NotThis, type Rule } from '../rule.ts';
import { type PaidOut, withdrawalColumns } from './dex-liquidity.ts';
import { assetOfWallet, PTON_TRANSFER, readRouterPayment } from './pton.ts';
import { readToncoPayTo, TONCO_PAY_TO, type ToncoSide } from './tonco-bodies.ts';

const START_BURN = 0x530b5f2c;
const POSITION_BURN = 0x46ca335a;
const POOL_BURN = 0xd73ac09d;
/** The router's wallet of TON in the form of a jetton. */
const ROUTER_PTON_WALLET = '0:871DA9215B14902166F0EA2A16DB56278D528108377F8158C5F4CCFDFDD22E17';

function paid(as: string): Pattern {
  return blockOf('jetton_transfer', { each: call(PTON_TRANSFER, { optional: true }), optional: true, as });
}

function readStartBurn(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const index = body.uint64();
  const liquidity = body.bigUint(128);
  return { index, liquidity, tickLower: body.int(24), tickUpper: body.int(24) };
}

function readOwner(positionBurn: Block): string | null {
  const body = positionBurn.bodyAfterOpcode();
  body.uint64();
  return readAccount(body);
}

function readBurntIndex(poolBurn: Block): bigint | undefined {
  return tryRead(() => {
    const body = poolBurn.bodyAfterOpcode();
    body.uint64();
    skipMsgAddress(body);
    return body.uint64();
  });
}

/** What the pool says of a side of which no transfer was seen. */
function toldOf(side: ToncoSide, payTo: Block, interfaces: Interfaces): PaidOut {
  return {
    asset: assetOfWallet(interfaces, side.wallet) ?? null,
    amount: side.amount,
    dexWallet: payTo.message.source,
    dexJettonWallet: side.wallet,
    userJettonWallet: side.receiver,
  };
}

/** A part of a position at TONCO, or all of it, is paid out. */
export const toncoWithdraw: Rule = {
  name: 'TONCO withdrawal',
  test: (block) => block.calls(START_BURN),
  around: {
    each: call(POSITION_BURN, {
      each: call(POOL_BURN, {
        each: call(TONCO_PAY_TO, { next: [paid('first'), paid('second')], as: 'pay to' }),
        as: 'pool',
      }),
      as: 'position',
    }),
  },
  build(block, found, { interfaces }) {
    const { index, liquidity, tickLower, tickUpper } = readStartBurn(block);
    const position = found.named('position')!;
    const payTo = found.named('pay to')!;
    const { exit, sides } = readToncoPayTo(payTo);
    if (sides.length === 0 || sides.some(({ wallet }) => wallet === null)) throw new NotThis('no amounts');
    const told = sides.map((one) => (one.wallet === ROUTER_PTON_WALLET ? { ...one, wallet: null } : one));
    const transfers = [found.named('first'), found.named('second')];
    const paidOut = told.map((side, at) => {
      const transfer = transfers[at];
      return transfer ? readRouterPayment(transfer) : toldOf(side, payTo, interfaces);
    });
    if (paidOut[0]!.dexJettonWallet !== told[0]!.wallet) paidOut.reverse();
    const owner = readOwner(position);
    const burntIndex = readBurntIndex(found.named('pool')!) || index;
    const { destination: pool } = block.message;
    const describe = () => ({
      source: owner,
      destination: pool,
      ...withdrawalColumns(paidOut, {
        ...{ dex: 'tonco', lp_tokens_burnt: liquidity, tick_lower: tickLower, tick_upper: tickUpper },
        ...{ burned_nft_index: burntIndex, burned_nft_address: position.message.destination },
      }),
    });
    const failed = exit !== 0 && exit !== 201;
    compose({ type: 'tonco_withdraw_liquidity', data: undefined, failed, describe }, [
      block,
      ...found.blocks,
    ]);
  },
};
