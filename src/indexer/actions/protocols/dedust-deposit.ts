import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import type { Interfaces } from '../interfaces.ts';
import { anyOf, blockOf, call, type Found } from '../pattern.ts';
import { readAccount, readAmount } from '../read-body.ts';
import { NotThis, type Rule } from '../rule.ts';
import {
  DEDUST_ASK_FACTORY,
  DEDUST_DEPLOY,
  DEDUST_DEPOSIT_TO_POOL,
  DEDUST_DEPOSIT_TON,
  DEDUST_REJECT,
  DEDUST_TOP_UP,
  type DedustDepositSide,
  dedustBrought,
  dedustDepositBlock,
} from './dedust-deposit-parts.ts';
import { DEDUST_TON_PAYOUT } from './dedust-swap.ts';
import { readDedustAsset } from './dex-asset.ts';
import type { Excess } from './dex-liquidity.ts';
import { JETTON_INTERNAL_TRANSFER, JETTON_NOTIFICATION, JETTON_TRANSFER } from './jetton-transfer.ts';

const DESTROY = 0xaae79256;
const RETURN_EXCESS = 0x6b0b787f;

const jettonsBack = call(JETTON_TRANSFER, {
  each: call(JETTON_INTERNAL_TRANSFER, { each: call(JETTON_NOTIFICATION, { optional: true }) }),
  optional: true,
  as: 'jettons back',
});
const vaultBack = call(RETURN_EXCESS, {
  next: [jettonsBack, call(DEDUST_TON_PAYOUT, { optional: true, as: 'TON back' })],
  optional: true,
});
const back = [blockOf('ton_transfer', { optional: true }), vaultBack, vaultBack];

function readDepositToPool(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  body.refSlice();
  const owner = readAccount(body);
  body.coins();
  const targets = body.refSlice();
  const read = () => ({ asset: readDedustAsset(targets), amount: targets.coins() });
  const [first, second] = [read(), read()];
  return {
    owner,
    targetAssets: [first.asset, second.asset],
    targetAmounts: [first.amount, second.amount],
  };
}

function readBrought(block: Block, interfaces: Interfaces): Omit<DedustDepositSide, 'wallet'> {
  const amount = readAmount(block);
  if (block.calls(DEDUST_DEPOSIT_TON)) return { asset: null, amount };
  const vaultWallet = interfaces.jettonWallet(block.message.source ?? '');
  if (!vaultWallet) throw new NotThis('the wallet of the vault is not known');
  return { asset: vaultWallet.jetton, amount };
}

/** What came back to the one who deposits, and the blocks of transfers to wallets that are not known. */
function readExcesses(found: Found, owner: string | null, interfaces: Interfaces) {
  const excesses: Excess[] = [];
  for (const { message } of found.allNamed('TON back')) {
    if (message.destination === owner) excesses.push({ asset: null, amount: message.value ?? 0n });
  }
  const unknown = new Set<Block>();
  for (const transfer of found.allNamed('jettons back')) {
    const internal = transfer.next.find((one) => one.calls(JETTON_INTERNAL_TRANSFER));
    const wallet = interfaces.jettonWallet(internal?.message.destination ?? '');
    if (!internal || !wallet) for (const block of transfer.walk()) unknown.add(block);
    else if (wallet.owner === owner) {
      excesses.push({ asset: wallet.jetton, amount: readAmount(internal) });
    }
  }
  return { excesses, unknown };
}

/** The jetton wallet that brought an asset, where it belongs to the one who deposits. */
function walletOf(found: Found, owner: string | null, asset: string | null, interfaces: Interfaces) {
  const request = found.named('request')?.message;
  if (!request || request.source !== owner) return null;
  const { destination } = request;
  return interfaces.jettonWallet(destination ?? '')?.jetton === asset ? destination : null;
}

/** The side that completes a deposit at DeDust: the pool mints shares, or refuses. */
export const dedustDeposit: Rule = {
  name: 'DeDust deposit',
  test: (block) => block.calls(DEDUST_DEPOSIT_TO_POOL),
  around: {
    next: [
      anyOf([
        call(JETTON_INTERNAL_TRANSFER, { each: call(JETTON_NOTIFICATION, { optional: true }), as: 'minted' }),
        call(DEDUST_REJECT, { next: back }),
      ]),
      call(DESTROY, { next: back, optional: true }),
    ],
    previous: call(DEDUST_TOP_UP, {
      previous: call(DEDUST_ASK_FACTORY, {
        each: call(DEDUST_DEPLOY, { optional: true }),
        previous: dedustBrought,
      }),
    }),
  },
  build(block, found, { interfaces }) {
    const { owner, targetAssets, targetAmounts } = readDepositToPool(block);
    const side = readBrought(found.named('brought')!, interfaces);
    const minted = found.named('minted');
    const { excesses, unknown } = readExcesses(found, owner, interfaces);
    const data = {
      sender: owner,
      pool: block.message.destination,
      contract: block.message.source,
      sides: [{ ...side, wallet: walletOf(found, owner, side.asset, interfaces) }],
      targetAssets,
      targetAmounts,
      minted: minted ? readAmount(minted) : null,
      excesses,
    };
    const members = found.blocks.filter((one) => !unknown.has(one));
    compose(dedustDepositBlock('dedust_deposit_liquidity', data, !minted), [block, ...members]);
  },
};
