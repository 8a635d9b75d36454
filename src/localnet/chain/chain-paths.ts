import { join } from 'node:path';

/** The folder of the local chain in the folder of all data. */
export function chainFolder(dataDir: string): string {
  return join(dataDir, 'localnet');
}

/** What lies where in the folder of a local chain. */
export function chainPaths(folder: string) {
  return {
    /** All that happened, one record after another. */
    chain: join(folder, 'chain'),
    /** Whole states, to start faster. They can be removed. */
    states: join(folder, 'states'),
    snapshots: join(folder, 'snapshots'),
    /** How lite clients find the network. */
    globalConfig: join(folder, 'global.config.json'),
    /** What the demo put into the chain. */
    demo: join(folder, 'demo.json'),
    /** The key by which lite clients know the server. */
    liteKey: join(folder, 'lite-server-key'),
    /** Where a running chain takes commands. */
    control: join(folder, 'control.json'),
  } as const;
}
