import { existsSync } from 'node:fs';
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../chain/block-id.ts';
import { type CellBag, readBoc } from '../chain/boc/bag.ts';
import { publicZeroState } from '../chain/public-networks.ts';
import { readShardState } from '../chain/tlb/shard-state.ts';
import type { Settings } from '../config/settings.ts';
import { createMasterchainProver } from '../ingest/fetch/packs/masterchain-proof.ts';
import { findBag, findPacks, type PackFolder, readBags } from '../ingest/fetch/packs/pack-folder.ts';
import { createPackIndex } from '../ingest/fetch/packs/pack-index.ts';
import { openZeroState } from '../ingest/fetch/packs/pack-source.ts';
import {
  createEntryReader,
  type Damage,
  describeDamage,
  type OnDamage,
} from '../ingest/fetch/packs/package-file.ts';
import { readBlock } from '../ingest/fetch/packs/prove-range.ts';
import { StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { readGlobalConfig } from '../lite/global-config.ts';
import { chainFolder, chainPaths } from '../localnet/chain/chain-folder.ts';

/** Packs of a network, with what their blocks are proven by. */
export type OpenPacks = Awaited<ReturnType<typeof openPacks>>;

interface OpenPacksOptions {
  readonly settings: Settings;
  readonly folders: readonly string[];
  readonly log: Log;
  /** Whether the index has a block. */
  readonly isIndexed: (id: BlockId) => Promise<boolean>;
}

/** Opens the packs in folders; throws StartError if there are none, or nothing to prove them by. */
export async function openPacks({ settings, folders, log, isIndexed }: OpenPacksOptions) {
  const folder = await findPacks(folders);
  if (folder.slices.length === 0 && folder.others.length === 0)
    throw new StartError(`No pack files below ${folders.join(', ')}: their names end in .pack`);
  const damages = createDamageList(log);
  const network = await readNetwork(settings, folder, log);
  const readZeroState = createZeroStateReader((id) => findZeroState(folder, id));
  const opened = await openPackFolder({
    ...network,
    folder,
    isIndexed,
    readZeroState,
    onDamage: damages.add,
  });
  return { ...opened, damages: damages.texts };
}

/** Collects what is found damaged, each place once. */
export function createDamageList(log: Log) {
  const damages = new Set<string>();
  return {
    add(damage: Damage): void {
      const text = describeDamage(damage);
      // A place is read again when another range of its file is.
      if (damages.has(text)) return;
      damages.add(text);
      log.warn({ ...damage }, 'Damaged or unproven data in a pack');
    },
    /** What was found damaged so far. */
    texts: (): string[] => [...damages],
  };
}

/** Keeps the zero states that were read. */
export function createZeroStateReader(find: (id: BlockId) => Promise<CellBag>) {
  const zeroStates = new Map<string, Promise<CellBag>>();
  return (id: BlockId): Promise<CellBag> => {
    const key = id.fileHash.toString('hex');
    const bag = zeroStates.get(key) ?? find(id);
    zeroStates.set(key, bag);
    // It may be there the next time.
    bag.catch(() => zeroStates.delete(key));
    return bag;
  };
}

interface PackFolderOptions extends Network, Pick<OpenPacksOptions, 'isIndexed'> {
  readonly folder: PackFolder;
  readonly readZeroState: (id: BlockId) => Promise<CellBag>;
  readonly onDamage: OnDamage;
}

/** Opens packs of a network that is known. */
export async function openPackFolder(options: PackFolderOptions) {
  const { folder, zeroState, trusted, isIndexed, readZeroState, onDamage } = options;
  const index = createPackIndex(folder, onDamage);
  const reader = createEntryReader();
  const root = await readZeroState(zeroState).catch(() => undefined);
  const prover = createMasterchainProver({
    zeroState,
    zeroStateRoot: root && { cells: root, cell: root.root },
    trusted,
    isIndexed,
    readProofs: async (seqno) => Promise.all((await index.proofs(seqno)).map(reader.read)),
    async readBlocks(seqno) {
      const entries = await index.masterchainBlocks(seqno);
      const blocks = entries.map(async (entry) => ({
        id: entry.id,
        bytes: await readBlock({ reader, onDamage }, entry),
      }));
      return (await Promise.all(blocks)).flatMap(({ id, bytes }) =>
        bytes === undefined ? [] : [{ id, bytes }],
      );
    },
  });
  return {
    folder,
    index,
    reader,
    prover,
    zeroState,
    readZeroState,
    onDamage,
    close: reader.close,
  };
}

export async function findZeroState(folder: PackFolder, id: BlockId): Promise<CellBag> {
  const bytes = await findBag(folder, id.fileHash);
  if (bytes === undefined)
    throw new StartError(
      `The zero state of workchain ${id.workchain} is in none of the folders: no file has the SHA-256 ${id.fileHash.toString('hex')}`,
    );
  return openZeroState(bytes, id);
}

/** What the blocks of a network are proven by. */
export interface Network {
  readonly zeroState: BlockId;
  /** Blocks that are trusted without proof. */
  readonly trusted: readonly BlockId[];
}

type NetworkSettings = Pick<Settings, 'network' | 'tonConfig' | 'dataDir'>;

/**
 * The path or URL of the config that tells the zero state; undefined for a public network, whose zero state is known. Throws
 * StartError if there is no local chain: ask before the data directory is noted as that of one.
 */
export function configOfPacks({ network, tonConfig, dataDir }: NetworkSettings): string | undefined {
  if (tonConfig !== undefined || publicZeroState(network) !== undefined) return tonConfig;
  const local = chainPaths(chainFolder(dataDir)).globalConfig;
  if (existsSync(local)) return local;
  throw new StartError(
    `NETWORK is localnet, and there is no local chain in DATA_DIR=${dataDir}; for packs of another network ` +
      'set NETWORK to mainnet or testnet, or to custom with TON_CONFIG as its global config',
  );
}

/** The zero state of the network and the blocks that its config trusts; the public ones are known without a config. */
export async function readNetwork(settings: NetworkSettings, folder: PackFolder, log: Log): Promise<Network> {
  const { network, dataDir } = settings;
  const source = configOfPacks(settings);
  if (source !== undefined) {
    const { zeroState, initBlock, hardforks } = await readGlobalConfig({ source, dataDir, log });
    return { zeroState, trusted: [initBlock, ...hardforks] };
  }
  const rootHash = publicZeroState(network);
  for await (const { bytes, fileHash } of readBags(folder)) {
    const found = rootHashOf(bytes);
    if (found === undefined || found.toString('base64') !== rootHash) continue;
    const place = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0 };
    return { zeroState: { ...place, rootHash: found, fileHash }, trusted: [] };
  }
  throw new StartError(
    `The zero state of ${network} is in none of the folders; put it there, or set TON_CONFIG to the global config of ${network}`,
  );
}

/** The root hash of a zero state of the masterchain; undefined for other bags. */
function rootHashOf(bytes: Buffer): Buffer | undefined {
  try {
    const bag = readBoc(bytes);
    const { workchain, seqno } = readShardState(bag, bag.root);
    return workchain === MASTERCHAIN && seqno === 0 ? Buffer.from(bag.hash(bag.root)) : undefined;
  } catch {
    return undefined;
  }
}
