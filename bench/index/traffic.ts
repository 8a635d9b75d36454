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

/** The payments that a chain is filled with. */
export interface Traffic {
  /** Masterchain blocks, not counting those of the preparation. */
  readonly blocks: number;
  /** Payments between wallets per block. A payment is two transactions; a jetton transfer is five. */
  readonly payments: number;
  /** Every nth payment is a jetton transfer; 0 for none. */
  readonly jettonsEvery: number;
}

const FUNDED_AT_ONCE = 4;
const MIN_WALLETS = 50;
const PROGRESS_MS = 10_000;

/**
 * Fills a chain: wallets pay each other in every block, every second payment with a comment. Jetton transfers notify the
 * receiver and return excess fees.
 */
export async function makeTraffic(
  chain: LocalChain,
  { blocks, payments, jettonsEvery }: Traffic,
): Promise<void> {
  const wallets = Array.from({ length: Math.max(payments, MIN_WALLETS) }, (_, i) => new TestWallet(i));
  const faucet = faucetOf(chain.genesis);
  await chain.steps(3);
  for (let at = 0; at < wallets.length; at += FUNDED_AT_ONCE)
    await chain.step([
      faucet(wallets.slice(at, at + FUNDED_AT_ONCE).map(({ address }) => payment(address, 1000n * TON))),
    ]);
  const jettonTransfer = jettonsEvery === 0 ? undefined : await createJetton(chain, wallets);
  const pay = (from: TestWallet, to: TestWallet, number: number) => {
    if (jettonTransfer !== undefined && number % jettonsEvery === 0) return jettonTransfer(from, to, number);
    return payment(to.address, TON / 100n, number % 2 === 0 ? comment(number) : undefined);
  };
  let number = 0;
  let reportedMs = performance.now();
  for (let block = 0; block < blocks; block++) {
    const externals = Array.from({ length: payments }, () => {
      const from = wallets[number % wallets.length]!;
      const to = wallets[(number * 7 + 1) % wallets.length]!;
      return from.send([pay(from, to, number++)]);
    });
    await chain.step(externals);
    if (performance.now() - reportedMs < PROGRESS_MS) continue;
    reportedMs = performance.now();
    console.error(`${block + 1} of ${blocks} blocks made`);
  }
  // Messages between shards arrive a block later.
  await chain.steps(3);
}

/** Mints a new jetton to every wallet; returns a function that creates transfer messages. */
async function createJetton(chain: LocalChain, wallets: readonly TestWallet[]) {
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
  return (from: TestWallet, to: TestWallet, number: number) =>
    internal({
      to: walletOf(from),
      value: TON / 5n,
      body: transferJettons({
        to: to.address,
        amount: TON / 100n,
        responseTo: from.address,
        forwardTon: TON / 50n,
        forwardPayload: comment(number),
      }),
    });
}

function comment(number: number) {
  return beginCell().storeUint(0, 32).storeStringTail(`payment ${number}`).endCell();
}
