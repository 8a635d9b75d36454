import { beginCell } from '@ton/core';
import {
  faucetOf,
  type LocalChain,
  payment,
  TestWallet,
  TON,
} from '../../test/localnet/collate/local-chain.ts';

/** What a chain is filled with. */
export interface Traffic {
  /** Masterchain blocks, those for preparation not counted. */
  readonly blocks: number;
  /** Payments from wallet to wallet in each of them; each is two transactions. */
  readonly payments: number;
}

const FUNDED_AT_ONCE = 4;
const LEAST_WALLETS = 50;
const TELL_EVERY_MS = 10_000;

/** Fills a chain: wallets pay each other, every other payment with a comment, block after block. */
export async function makeTraffic(chain: LocalChain, { blocks, payments }: Traffic): Promise<void> {
  const wallets = Array.from({ length: Math.max(payments, LEAST_WALLETS) }, (_, i) => new TestWallet(i));
  const faucet = faucetOf(chain.genesis);
  await chain.steps(3);
  for (let at = 0; at < wallets.length; at += FUNDED_AT_ONCE)
    await chain.step([
      faucet(wallets.slice(at, at + FUNDED_AT_ONCE).map(({ address }) => payment(address, 1000n * TON))),
    ]);
  let turn = 0;
  let toldMs = performance.now();
  for (let block = 0; block < blocks; block++) {
    const externals = Array.from({ length: payments }, () => {
      const from = wallets[turn % wallets.length]!;
      const to = wallets[(turn * 7 + 1) % wallets.length]!;
      return from.send([payment(to.address, TON / 100n, turn++ % 2 === 0 ? comment(turn) : undefined)]);
    });
    await chain.step(externals);
    if (performance.now() - toldMs < TELL_EVERY_MS) continue;
    toldMs = performance.now();
    console.error(`the chain has ${block + 1} of ${blocks} blocks`);
  }
  // Messages between shards arrive a block later.
  await chain.steps(3);
}

function comment(number: number) {
  return beginCell().storeUint(0, 32).storeStringTail(`payment ${number}`).endCell();
}
