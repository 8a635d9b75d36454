/** Root hashes of the masterchain zero states of the public networks, in base64: each identifies its network. */
const ZERO_STATES = {
  mainnet: 'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=',
  testnet: 'gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg=',
};

/** The public network with a zero state; undefined for all others. */
export function publicNetworkOf(rootHash: Buffer): string | undefined {
  const text = rootHash.toString('base64');
  return Object.entries(ZERO_STATES).find(([, hash]) => hash === text)?.[0];
}

/** The root hash of the zero state of a network, in base64; undefined if it is not a public one. */
export function publicZeroState(network: string): string | undefined {
  return network === 'mainnet' || network === 'testnet' ? ZERO_STATES[network] : undefined;
}
