import type { Log } from '../../lib/log.ts';
import { openFaucets } from '../genesis/faucet.ts';
import type { DemoChain } from './demo-chain.ts';
import { writeScript } from './demo-script.ts';
import { type DemoSummary, summarize } from './demo-summary.ts';
import { openDemoWallets } from './demo-wallet.ts';

export interface DemoOptions {
  readonly chain: DemoChain;
  /** Keeps the summary where people find it. */
  readonly save: (summary: DemoSummary) => Promise<void>;
  readonly log: Log;
}

/**
 * Fills a chain with everything that there is to see. What the chain shows as done is not done again, so an
 * interrupted demo is taken up where it was, and a finished one is left alone.
 */
export async function runDemo({ chain, save, log }: DemoOptions): Promise<DemoSummary> {
  const wallets = openDemoWallets();
  const faucets = await openFaucets();
  const { rounds, contracts } = writeScript({ wallets, faucets, beginning: chain.beginning });
  // What an interrupted demo left on its way.
  await chain.deliver([]);
  for (const [round, acts] of rounds.entries()) {
    const open = acts.filter((act) => !act.isDone(chain));
    if (open.length === 0) continue;
    try {
      await chain.deliver(open.map((act) => act.message(chain)));
    } catch (error) {
      throw new Error(`the demo stopped in round ${round}: ${(error as Error).message}`, { cause: error });
    }
    log.info({ round, what: open.map(({ what }) => what) }, 'A part of the demo is on the local chain');
  }
  const summary = summarize(chain.id, wallets, contracts);
  await save(summary);
  const { wallets: named, ...rest } = summary;
  const addresses = Object.entries(named).map(([name, { address }]) => [name, address]);
  log.info(
    { ...Object.fromEntries(addresses), ...rest.contracts },
    'The demo is on the local chain at these addresses',
  );
  return summary;
}
