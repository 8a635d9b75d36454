import type { DemoWallets } from './demo-wallet.ts';
import type { Story } from './story.ts';

/** Where everything of the demo is, fit for JSON. Addresses are in the form of test networks. */
export interface DemoSummary {
  readonly note: string;
  /** The root hash of the masterchain's zero state in hex: on which chain. */
  readonly chain: string;
  readonly wallets: Readonly<
    Record<string, { readonly address: string; readonly version: string; readonly key_seed: string }>
  >;
  readonly contracts: Readonly<Record<string, string>>;
}

const NOTE =
  'The keys of these wallets are public: the seed of each is given here in hex. Never send anything of value to them.';

/** Lists the wallets and contracts of the demo by their names. */
export function summarize(chain: string, wallets: DemoWallets, contracts: Story['contracts']): DemoSummary {
  const listed = Object.values(wallets).map(
    ({ name, address, version, seed }) =>
      [
        name,
        {
          address: address.toString({ bounceable: false, testOnly: true }),
          version,
          key_seed: seed.toString('hex'),
        },
      ] as const,
  );
  return {
    note: NOTE,
    chain,
    wallets: Object.fromEntries(listed),
    contracts: Object.fromEntries(
      Object.entries(contracts).map(([name, address]) => [name, address.toString({ testOnly: true })]),
    ),
  };
}
