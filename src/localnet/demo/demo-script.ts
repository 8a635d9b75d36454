import { domainStory } from './stories/domains.ts';
import { extraCurrencyStory } from './stories/extra-currency.ts';
import { failureStory } from './stories/failures.ts';
import { jettonStory } from './stories/jettons.ts';
import { libraryStory } from './stories/library.ts';
import { multisigStory } from './stories/multisig.ts';
import { nftStory } from './stories/nfts.ts';
import { vestingStory } from './stories/vesting.ts';
import { walletStory } from './stories/wallets.ts';
import type { Act, OtherDeed, Scene, Story, WalletDeed } from './story.ts';
import { walletAct } from './wallet-act.ts';

const STORIES: readonly ((scene: Scene) => Story)[] = [
  walletStory,
  extraCurrencyStory,
  jettonStory,
  libraryStory,
  nftStory,
  domainStory,
  multisigStory,
  vestingStory,
  failureStory,
];

/** The whole demo. */
export interface DemoScript {
  /** What is done, one round after another. */
  readonly rounds: readonly (readonly Act[])[];
  /** The contracts of all stories by their names. */
  readonly contracts: Story['contracts'];
}

/** Puts the stories together: what a wallet does in a round becomes one message from outside. */
export function writeScript(scene: Scene): DemoScript {
  const stories = STORIES.map((tell) => tell(scene));
  const deeds = stories.flatMap((story) => story.deeds);
  const last = Math.max(...deeds.map(({ round }) => round));
  const rounds: Act[][] = [];
  const sent = new Map<string, number>();
  for (let round = 0; round <= last; round++) {
    const ofRound = deeds.filter((deed) => deed.round === round);
    const others = ofRound.filter((deed): deed is OtherDeed => !('by' in deed));
    const byWallet = Map.groupBy(
      ofRound.filter((deed): deed is WalletDeed => 'by' in deed),
      ({ by }) => by,
    );
    const acts = [...byWallet].map(([wallet, own]) => {
      const seqno = sent.get(wallet.name) ?? 0;
      sent.set(wallet.name, seqno + 1);
      const what = own.map((deed) => deed.what).join(' ');
      return walletAct(
        wallet,
        seqno,
        what,
        own.flatMap(({ sends }) => sends),
      );
    });
    rounds.push([...others, ...acts]);
  }
  return { rounds, contracts: Object.assign({}, ...stories.map(({ contracts }) => contracts)) };
}
