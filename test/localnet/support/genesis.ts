import type { createGenesis } from '../../../src/localnet/genesis/create-genesis.ts';

/** The zero states of a chain and its keys. */
export type Genesis = Readonly<Awaited<ReturnType<typeof createGenesis>>>;
