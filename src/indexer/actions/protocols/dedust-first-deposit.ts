import type { Slice } from '../../../chain/boc/slice.ts';
import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import type { Interfaces } from '../interfaces.ts';
import { call, type Found } from '../pattern.ts';
import { readAccount } from '../read-body.ts';
import { NotThis, type Rule } from '../rule.ts';
import {
  DEDUST_ASK_FACTORY,
  DEDUST_DEPLOY,
  DEDUST_DEPOSIT_TO_POOL,
  DEDUST_DEPOSIT_TON,
  DEDUST_REJECT,
  DEDUST_TOP_UP,
  type DedustDepositData,
  dedustBrought,
  dedustDepositBlock,
} from './dedust-deposit-parts.ts';
import { readDedustAsset } from './dex-asset.ts';

const DEPOSIT_PAYLOAD = 0x40e108d6;

type Brought = Pick<DedustDepositData, 'sender' | 'sides' | 'targetAssets' | 'targetAmounts'>;

/** The assets of the pool, after the bit that tells its kind. */
function readPoolAssets(slice: Slice) {
  slice.boolean();
  return [readDedustAsset(slice), readDedustAsset(slice)];
}

/** What is wanted of each asset, after the least number of shares. */
function readTargetAmounts(slice: Slice) {
  slice.coins();
  return [slice.coins(), slice.coins()];
}

function readTon(block: Block): Brought {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const amount = body.coins();
  const targetAssets = readPoolAssets(body);
  const targetAmounts = readTargetAmounts(body.refSlice());
  const sides = [{ asset: null, amount, wallet: null }];
  return { sender: block.message.source, sides, targetAssets, targetAmounts };
}

function readJettons(block: Block, found: Found, interfaces: Interfaces): Brought {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const amount = body.coins();
  const sender = readAccount(body);
  const payload = body.refSlice();
  if (payload.uint(32) !== DEPOSIT_PAYLOAD) throw new NotThis('not a transfer for a deposit');
  const targetAssets = readPoolAssets(payload);
  const targetAmounts = readTargetAmounts(payload);
  const vaultWallet = interfaces.jettonWallet(block.message.source ?? '');
  if (!vaultWallet) throw new NotThis('the wallet of the vault is not known');
  const wallet = found.named('internal')!.message.source;
  return { sender, sides: [{ asset: vaultWallet.jetton, amount, wallet }], targetAssets, targetAmounts };
}

/** The side of a deposit at DeDust that comes first: it waits for the other one. */
export const dedustFirstDeposit: Rule = {
  name: 'DeDust deposit, first side',
  test: (block) => block.calls(DEDUST_TOP_UP),
  around: {
    previous: call(DEDUST_ASK_FACTORY, { each: call(DEDUST_DEPLOY), previous: dedustBrought }),
  },
  build(block, found, { interfaces }) {
    // A complete deposit that its own rule did not take.
    if (block.next.some((one) => one.calls(DEDUST_DEPOSIT_TO_POOL, DEDUST_REJECT))) return;
    const brought = found.named('brought')!;
    const data = {
      ...(brought.calls(DEDUST_DEPOSIT_TON) ? readTon(brought) : readJettons(brought, found, interfaces)),
      pool: null,
      contract: block.message.destination,
      minted: null,
      excesses: null,
    };
    compose(dedustDepositBlock('dedust_deposit_liquidity_partial', data, false), [block, ...found.blocks]);
  },
};
