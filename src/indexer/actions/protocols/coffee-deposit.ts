import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { blockThat, call } from '../pattern.ts';
import { readAccount } from '../read-body.ts';
import type { Rule } from '../rule.ts';
import {
  COFFEE_DEPLOY,
  COFFEE_DEPOSIT_LOG,
  COFFEE_PAY_OUT,
  coffeeOut,
  readCoffeeMinted,
  readCoffeeOut,
  readCoffeePool,
} from './coffee-bodies.ts';
import { depositColumns, excessColumns } from './dex-liquidity.ts';
import { JETTON_INTERNAL_TRANSFER, jettonTransferOf } from './jetton-transfer.ts';

const NATIVE_DEPOSIT = 0xc0ffee04;
/** A vault asks for the contract in which the two sides of a deposit meet. */
const DEPOSITORY_REQUEST = 0xc0ffee27;
/** That contract has both sides. */
const DEPOSIT_TO_POOL = 0xc0ffee29;

function readRequest(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const amount = body.coins();
  body.refSlice();
  const pool = readCoffeePool(body.refSlice());
  return { amount, pool, sender: readAccount(body) };
}

/** One side of a deposit at swap.coffee; the side that completes it brings the shares. */
export const coffeeDeposit: Rule = {
  name: 'swap.coffee deposit',
  test: (block) => block.calls(DEPOSITORY_REQUEST),
  around: {
    each: call(COFFEE_DEPLOY, {
      each: call(DEPOSIT_TO_POOL, {
        next: [
          call(JETTON_INTERNAL_TRANSFER),
          call(COFFEE_DEPOSIT_LOG, { as: 'log' }),
          call(COFFEE_PAY_OUT, { each: coffeeOut, optional: true }),
        ],
        optional: true,
      }),
      as: 'depository',
    }),
    previous: blockThat((block) => block.type === 'jetton_transfer' || block.calls(NATIVE_DEPOSIT), {
      as: 'in',
    }),
  },
  build(block, found) {
    const first = found.named('in')!;
    const { asset, senderWallet: wallet } =
      first.type === 'jetton_transfer' ? jettonTransferOf(first) : { asset: null, senderWallet: null };
    const { amount, pool, sender } = readRequest(block);
    if (!pool.includes(asset)) return;
    // The asset of this side stands first among the wanted ones, but at its own place among the given ones.
    const isFirst = asset === pool[0];
    const targets = isFirst ? pool : pool.toReversed();
    const log = found.named('log');
    const minted = log ? readCoffeeMinted(log) : null;
    const out = found.named('out');
    const contract = found.named('depository')!.message.destination;
    const describe = () => ({
      source: sender,
      destination: log?.message.source ?? null,
      destination_secondary: contract,
      ...depositColumns({
        dex: 'coffee',
        ...(isFirst
          ? { asset1: asset, amount1: amount, user_jetton_wallet_1: wallet }
          : { asset2: asset, amount2: amount, user_jetton_wallet_2: wallet }),
        ...{ target_asset_1: targets[0]!, target_asset_2: targets[1]! },
        ...{ lp_tokens_minted: minted, vault_excesses: excessColumns(out ? [readCoffeeOut(out)] : []) },
      }),
    });
    compose({ type: 'coffee_deposit_liquidity', data: undefined, describe }, [block, ...found.blocks]);
  },
};
