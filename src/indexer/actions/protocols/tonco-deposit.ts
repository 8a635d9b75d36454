import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import type { Interfaces } from '../interfaces.ts';
import { anyOf, blockOf, call, EXCESS } from '../pattern.ts';
import { readAccount, readMaybeRef, readSomeAccount } from '../read-body.ts';
import { NotThis, type Rule } from '../rule.ts';
import { depositColumns, excessColumns } from './dex-liquidity.ts';
import { JETTON_NOTIFICATION, jettonTransferOf } from './jetton-transfer.ts';
import { assetOfWallet, PTON_TRANSFER, readRouterPayment } from './pton.ts';
import { TONCO_PAY_TO } from './tonco-bodies.ts';

const ADD_LIQUIDITY = 0x3ebe5431;
/** The router gives to the pool. In payloads the same number asks the router for it. */
const FUND_ACCOUNT = 0x4468de77;
const MINT_AND_REFUND = 0x81702ef8;

const back = blockOf('jetton_transfer', {
  each: call(PTON_TRANSFER, { optional: true }),
  optional: true,
  as: 'back',
});

function readAddLiquidity(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const isFirst = body.coins() > 0n;
  body.coins();
  const targets = [body.coins(), body.coins()] as const;
  body.skip(128);
  return { isFirst, targets, tickLower: body.int(24), tickUpper: body.int(24) };
}

interface Position {
  readonly liquidity: bigint;
  readonly index: bigint;
  readonly address: string | null;
}

/** The NFT that stands for a part of the pool. */
function readPosition(mint: Block): Position {
  const body = mint.bodyAfterOpcode();
  body.uint64();
  skipMsgAddress(body);
  const liquidity = body.bigUint(128);
  const fees = body.refSlice();
  fees.skip(2 * 256);
  return { liquidity, index: fees.uint64(), address: mint.message.destination };
}

interface Given {
  readonly sender: string | null;
  readonly amount: bigint;
  readonly asset: string | null;
  readonly otherAsset: string | null;
}

function readGiven(notification: Block, interfaces: Interfaces): Given {
  const body = notification.bodyAfterOpcode();
  body.uint64();
  const amount = body.coins();
  const sender = readAccount(body);
  const payload = readMaybeRef(body) ?? body;
  if (payload.uint(32) !== FUND_ACCOUNT) throw new NotThis('not a transfer for a deposit');
  const otherWallet = readSomeAccount(payload);
  return {
    sender,
    amount,
    asset: assetOfWallet(interfaces, notification.message.source) ?? null,
    otherAsset: assetOfWallet(interfaces, otherWallet) ?? null,
  };
}

/** One side of a deposit at TONCO; the side that completes it makes the NFT of the position. */
export const toncoDeposit: Rule = {
  name: 'TONCO deposit',
  test: (block) => block.calls(ADD_LIQUIDITY),
  around: {
    each: call(MINT_AND_REFUND, {
      next: [
        call(TONCO_PAY_TO, { next: [back, back], optional: true }),
        blockOf('nft_mint', { as: 'position' }),
        call(EXCESS, { optional: true }),
      ],
      optional: true,
    }),
    previous: call(FUND_ACCOUNT, {
      previous: anyOf([
        call(JETTON_NOTIFICATION, { previous: call(PTON_TRANSFER), as: 'TON' }),
        blockOf('jetton_transfer', { as: 'jettons' }),
      ]),
    }),
  },
  build(block, found, { interfaces }) {
    const { isFirst, targets, tickLower, tickUpper } = readAddLiquidity(block);
    const mint = found.named('position');
    const position = mint && readPosition(mint);
    const transfer = found.named('jettons');
    const notification =
      found.named('TON') ?? transfer?.children.find((child) => child.calls(JETTON_NOTIFICATION));
    if (!notification) throw new NotThis('the router was not told');
    const { sender, amount, asset, otherAsset } = readGiven(notification, interfaces);
    const wallet = transfer ? jettonTransferOf(transfer).senderWallet : null;
    const excesses = found.allNamed('back').map(readRouterPayment);
    const { source: pool, destination: contract } = block.message;
    const describe = () => ({
      source: sender,
      source_secondary: wallet,
      destination: pool,
      destination_secondary: contract,
      ...depositColumns({
        ...{ dex: 'tonco', asset1: asset, amount1: amount },
        ...(isFirst ? { user_jetton_wallet_1: wallet } : { user_jetton_wallet_2: wallet }),
        ...{ target_asset_1: isFirst ? asset : otherAsset, target_amount_1: targets[0] },
        ...{ target_asset_2: isFirst ? otherAsset : asset, target_amount_2: targets[1] },
        ...{ tick_lower: tickLower, tick_upper: tickUpper },
        ...{ nft_index: position?.index ?? null, nft_address: position?.address ?? null },
        ...{ lp_tokens_minted: position?.liquidity ?? null, vault_excesses: excessColumns(excesses) },
      }),
    });
    compose({ type: 'tonco_deposit_liquidity', data: undefined, describe }, [block, ...found.blocks]);
  },
};
