import { readFileSync } from 'node:fs';
import type { Log } from '../../lib/log.ts';
import { writeDurably } from '../chain/chain-folder.ts';
import type { Localnet } from '../chain/localnet.ts';
import { openFaucets } from '../genesis/keys.ts';
import { createDemoChain, type DemoChain } from './demo-chain.ts';
import { type DemoWallet, openDemoWallets, openStakerWallets } from './demo-wallets.ts';
import { auctionStory, domainStory } from './domains.ts';
import { electionStory } from './elections.ts';
import { failureStory } from './failures.ts';
import { jettonStory, libraryStory } from './jettons.ts';
import { multisigStory } from './multisig.ts';
import { nftStory } from './nfts.ts';
import { nominatorPoolStory } from './nominator-pool.ts';
import {
  type CustomStep,
  type DemoStep,
  type Story,
  type StoryContext,
  type Wait,
  type WalletStep,
  walletStep,
} from './story.ts';
import { vestingStory } from './vesting.ts';
import { extraCurrencyStory, walletStory } from './wallets.ts';

interface DemoOptions {
  readonly chain: DemoChain;
  /** Stores the summary where people find it. */
  readonly save: (summary: DemoSummary) => Promise<void>;
  readonly log: Log;
  /** Called before each round; what it throws ends the demo. */
  readonly assertRunning?: (() => void) | undefined;
}

/**
 * Fills a chain with everything that there is to see. What the chain shows as done is not done again, so an
 * interrupted demo is taken up where it was, and a finished one is left alone.
 */
export async function runDemo({ chain, save, log, assertRunning }: DemoOptions): Promise<DemoSummary> {
  const [wallets, stakers, faucets] = [openDemoWallets(), openStakerWallets(), await openFaucets()];
  const { genesisTime } = chain;
  const { rounds, waits, contracts } = planDemo({ wallets, stakers, faucets, genesisTime });
  // Messages that an interrupted demo left undelivered.
  await chain.deliver([]);
  for (const [round, acts] of rounds.entries()) {
    const open = acts.filter((act) => !act.isDone(chain));
    if (open.length === 0) continue;
    assertRunning?.();
    try {
      for (const wait of waits) if (wait.round === round) await pass(chain, wait);
      await chain.deliver(open.map((act) => act.message(chain)));
    } catch (error) {
      throw new Error(`the demo stopped in round ${round}: ${(error as Error).message}`, { cause: error });
    }
    log.info({ round: round + 1, of: rounds.length }, 'Demo round deployed');
  }
  const summary = summarize(chain.id, [...Object.values(wallets), ...Object.values(stakers)], contracts);
  await save(summary);
  return summary;
}

/** System contracts do one thing per block; this many blocks are more than enough for any of it. */
const MAX_WAIT_BLOCKS = 20;

async function pass(chain: DemoChain, { what, until, isOver }: Wait): Promise<void> {
  if (isOver(chain)) return;
  await chain.advanceTo(until(chain));
  for (let blocks = 0; !isOver(chain); blocks++) {
    if (blocks === MAX_WAIT_BLOCKS) throw new Error(`waited in vain: ${what}`);
    await chain.mine();
  }
}

/** Reads the addresses of the demo from its file; undefined if those of this chain are not there, or not readable. */
export function readDemoSummary(path: string, chain: string): DemoSummary | undefined {
  try {
    const summary: DemoSummary = JSON.parse(readFileSync(path, 'utf8'));
    return summary.chain === chain ? summary : undefined;
  } catch {
    return undefined;
  }
}

/**
 * How far in the past a chain with the demo begins. The demo moves the clock by less than this, and then to the present:
 * were the chain ahead of the machine, wallets of other programs would find their messages expired.
 */
export const DEMO_SECONDS = 8 * 86_400;

/** Runs the demo on a running chain, moves its clock to the present, and writes addresses to a file. */
export async function prepareDemo(
  localnet: Parameters<typeof createDemoChain>[0] & Pick<Localnet, 'status'>,
  { path, ...options }: Pick<DemoOptions, 'log' | 'assertRunning'> & { readonly path: string },
): Promise<DemoSummary> {
  const summary = await runDemo({
    ...options,
    chain: createDemoChain(localnet),
    save: (written) => writeDurably(path, `${JSON.stringify(written, null, 2)}\n`, 0o644),
  });
  const { offsetSeconds } = localnet.status();
  if (offsetSeconds < 0) await localnet.advance(-offsetSeconds);
  return summary;
}

const STORIES: readonly ((scene: StoryContext) => Story)[] = [
  walletStory,
  extraCurrencyStory,
  jettonStory,
  libraryStory,
  nftStory,
  domainStory,
  multisigStory,
  vestingStory,
  failureStory,
  auctionStory,
  electionStory,
  nominatorPoolStory,
];

/** Combines the stories: what a wallet does in a round becomes one external message. */
export function planDemo(scene: StoryContext) {
  const stories = STORIES.map((create) => create(scene));
  const deeds = stories.flatMap((story) => story.steps);
  const last = Math.max(...deeds.map(({ round }) => round));
  const rounds: DemoStep[][] = [];
  const sent = new Map<string, number>();
  for (let round = 0; round <= last; round++) {
    const ofRound = deeds.filter((deed) => deed.round === round);
    const others = ofRound.filter((deed): deed is CustomStep => !('by' in deed));
    const byWallet = Map.groupBy(
      ofRound.filter((deed): deed is WalletStep => 'by' in deed),
      ({ by }) => by,
    );
    const acts = [...byWallet].map(([wallet, own]) => {
      const seqno = sent.get(wallet.name) ?? 0;
      sent.set(wallet.name, seqno + 1);
      const what = own.map((deed) => deed.what).join(' ');
      const sends = own.map((deed) => deed.sends);
      return walletStep(wallet, seqno, what, sends);
    });
    rounds.push([...others, ...acts]);
  }
  return {
    rounds,
    waits: stories.flatMap((story) => story.waits ?? []),
    /** Contracts of all stories by name. */
    contracts: Object.assign({}, ...stories.map(({ contracts }) => contracts)) as Story['contracts'],
  };
}

/** Addresses of the demo, as JSON. Addresses have the testnet flag. */
export type DemoSummary = Readonly<ReturnType<typeof summarize>>;

const NOTE =
  'The keys of these wallets are public: the seed of each is given here in hex. Never send anything of value to them.';

/** `chain` is the root hash of the masterchain's zero state in hex, which identifies the chain. */
function summarize(chain: string, wallets: readonly DemoWallet<string>[], contracts: Story['contracts']) {
  const listed = wallets.map(({ name, address, version, keys }) => {
    const friendly = address.toString({ bounceable: false, testOnly: true });
    return [name, { address: friendly, version, key_seed: keys.seed.toString('hex') }] as const;
  });
  const named = Object.entries(contracts).map(
    ([name, address]) => [name, address.toString({ testOnly: true })] as const,
  );
  return { note: NOTE, chain, wallets: Object.fromEntries(listed), contracts: Object.fromEntries(named) };
}
