import { beginCell, internal } from '@ton/core';
import { onChainContent } from '../../src/localnet/contracts/contract.ts';
import {
  jettonMinter,
  jettonWallet,
  mintJettons,
  transferJettons,
} from '../../src/localnet/contracts/jetton.ts';
import {
  faucetOf,
  type LocalChain,
  payment,
  TestWallet,
  TON,
} from '../../test/localnet/support/local-chain.ts';

/** What a chain is filled with. */
export interface Traffic {
  /** Masterchain blocks, those for preparation not counted. */
  readonly blocks: number;
  /** Payments from wallet to wallet in each of them; one is two transactions, or five if it is one of jettons. */
  readonly payments: number;
  /** Every so many payments one of jettons; 0 for none. */
  readonly jettonsEvery: number;
}

const FUNDED_AT_ONCE = 4;
const LEAST_WALLETS = 50;
const TELL_EVERY_MS = 10_000;

/**
 * Fills a chain: wallets pay each other, every other payment with a comment, block after block. Payments of jettons
 * have a notice for the receiver, and what is left of their fees goes back.
 */
export async function makeTraffic(
  chain: LocalChain,
  { blocks, payments, jettonsEvery }: Traffic,
): Promise<void> {
  const wallets = Array.from({ length: Math.max(payments, LEAST_WALLETS) }, (_, i) => new TestWallet(i));
  const faucet = faucetOf(chain.genesis);
  await chain.steps(3);
  for (let at = 0; at < wallets.length; at += FUNDED_AT_ONCE)
    await chain.step([
      faucet(wallets.slice(at, at + FUNDED_AT_ONCE).map(({ address }) => payment(address, 1000n * TON))),
    ]);
  const jettons = jettonsEvery === 0 ? undefined : await makeJetton(chain, wallets);
  const pay = (from: TestWallet, to: TestWallet, turn: number) => {
    if (jettons !== undefined && turn % jettonsEvery === 0) return jettons(from, to, turn);
    return payment(to.address, TON / 100n, turn % 2 === 0 ? comment(turn) : undefined);
  };
  let turn = 0;
  let toldMs = performance.now();
  for (let block = 0; block < blocks; block++) {
    const externals = Array.from({ length: payments }, () => {
      const from = wallets[turn % wallets.length]!;
      const to = wallets[(turn * 7 + 1) % wallets.length]!;
      return from.send([pay(from, to, turn++)]);
    });
    await chain.step(externals);
    if (performance.now() - toldMs < TELL_EVERY_MS) continue;
    toldMs = performance.now();
    console.error(`the chain has ${block + 1} of ${blocks} blocks`);
  }
  // Messages between shards arrive a block later.
  await chain.steps(3);
}

/** Gives each wallet some of a new jetton; the result is the message by which one pays another with it. */
async function makeJetton(chain: LocalChain, wallets: readonly TestWallet[]) {
  const [bank] = wallets;
  const content = onChainContent({ name: 'Bench jetton', symbol: 'BENCH', decimals: '9' });
  const minter = jettonMinter({ admin: bank!.address, content });
  const walletOf = ({ address: owner }: TestWallet) =>
    jettonWallet({ minter: minter.address, owner }).address;
  await chain.step([bank!.send([internal({ to: minter.address, value: TON, init: minter.init })])]);
  for (let at = 0; at < wallets.length; at += FUNDED_AT_ONCE) {
    const mints = wallets.slice(at, at + FUNDED_AT_ONCE).map(({ address: to }) => {
      const body = mintJettons({ to, amount: 1000n * TON, ton: TON / 10n, responseTo: bank!.address });
      return internal({ to: minter.address, value: TON / 5n, body });
    });
    await chain.step([bank!.send(mints)]);
  }
  await chain.steps(3);
  return (from: TestWallet, to: TestWallet, turn: number) =>
    internal({
      to: walletOf(from),
      value: TON / 5n,
      body: transferJettons({
        to: to.address,
        amount: TON / 100n,
        responseTo: from.address,
        forwardTon: TON / 50n,
        forwardPayload: comment(turn),
      }),
    });
}

function comment(number: number) {
  return beginCell().storeUint(0, 32).storeStringTail(`payment ${number}`).endCell();
}
