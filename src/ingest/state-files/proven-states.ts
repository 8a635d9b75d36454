import { type BlockId, isMasterchain, MASTERCHAIN, shardText, WHOLE_SHARD } from '../../chain/block-id.ts';
import { readBoc } from '../../chain/boc/bag.ts';
import { readBlockExtra, readBlockRoot } from '../../chain/tlb/block.ts';
import { configParam, readWorkchains } from '../../chain/tlb/config.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-block.ts';
import { readMcStateExtra } from '../../chain/tlb/masterchain-state.ts';
import { readShardHashes } from '../../chain/tlb/shard-hashes.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import { StartError } from '../../lib/errors.ts';
import { type FetchContext, onServer } from '../../lite/fetch-context.ts';
import { getBlockBytes } from '../../lite/methods/blocks.ts';
import { fetchProvenBlock } from '../fetch/masterchain-blocks.ts';
import type { ShardStateFiles, StatesAtBlock } from './find-state-files.ts';
import { type ProvenState, stateAfterBlock } from './shard-state.ts';
import { type OpenStateFileOptions, openStateFile, type StateFile } from './state-file.ts';
import { StateFileError } from './state-file-error.ts';

/** The proven blocks that states are compared with. */
export interface StateBlocks {
  masterchainBlock(seqno: number): Promise<Buffer>;
  /** A block that a proven one refers to. */
  shardBlock(id: BlockId, mcSeqno: number): Promise<Buffer>;
}

/** Blocks of lite servers: those of the masterchain are proven by links from the head. */
export function liteBlocks(context: Pick<FetchContext, 'pool' | 'check' | 'signal'>): StateBlocks {
  const { check } = context;
  return {
    masterchainBlock: async (seqno) => (await fetchProvenBlock(context, seqno)).bytes,
    shardBlock: (id, mcSeqno) => onServer(context, mcSeqno, ({ query }) => getBlockBytes(query, id, check)),
  };
}

/** The files of a state with what its block says of it. */
export interface StateToImport {
  readonly files: ShardStateFiles;
  readonly proven: ProvenState;
}

/**
 * Finds out what the states at a masterchain block must be, by that block and the shard blocks that it refers to; throws
 * StartError if a shard has no file.
 */
export async function proveStates(
  { mcSeqno, shards }: StatesAtBlock,
  blocks: StateBlocks,
): Promise<StateToImport[]> {
  const bytes = await blocks.masterchainBlock(mcSeqno);
  const bag = readBoc(bytes);
  const { masterchain } = readBlockExtra(bag, readBlockRoot(bag, bag.root).extra);
  const tops = readShardHashes(bag, readMasterchainExtra(bag, masterchain).shardHashes);
  const states = [stateAfterBlock({ cells: bag, cell: bag.root })];
  for (const top of tops) {
    const block = readBoc(await blocks.shardBlock(top, mcSeqno));
    states.push(stateAfterBlock({ cells: block, cell: block.root }));
  }
  return states.map((proven) => {
    const files = shards.find(
      ({ workchain, shard }) => workchain === proven.workchain && shard === proven.shard,
    );
    if (files !== undefined) return { files, proven };
    const name = isMasterchain(proven)
      ? 'masterchain'
      : `shard ${proven.workchain},${shardText(proven.shard)}`;
    throw new StartError(
      `The state of the ${name} at masterchain block ${mcSeqno} is in none of the folders`,
    );
  });
}

const WORKCHAINS_PARAM = 12;

/**
 * Finds the zero states of a network among bags of cells by their hashes: that of the masterchain is known, and names the
 * others in its configuration. Throws if one is missing; a damaged file may be the missing one, so it is named then.
 */
export async function proveZeroStates(
  paths: readonly string[],
  masterchain: Pick<BlockId, 'rootHash'>,
  options: OpenStateFileOptions,
): Promise<StateToImport[]> {
  const found = new Map<string, string>();
  let others: ReturnType<typeof readWorkchains> = [];
  let fault: StateFileError | undefined;
  for (const path of paths) {
    const file = await openStateFile(path, options).catch((error: unknown) => {
      if (!(error instanceof StateFileError)) throw error;
      fault ??= error;
      return undefined;
    });
    if (file === undefined) continue;
    try {
      found.set(file.hash.toString('hex'), path);
      if (file.hash.equals(masterchain.rootHash)) others = workchainsOf(file);
    } finally {
      file.close();
    }
  }
  const wanted = [
    { workchain: MASTERCHAIN, hash: masterchain.rootHash },
    ...others.map(({ workchain, zeroStateRootHash: hash }) => ({ workchain, hash })),
  ];
  return wanted.map(({ workchain, hash }) => {
    const path = found.get(hash.toString('hex'));
    const place = { workchain, shard: WHOLE_SHARD };
    if (path !== undefined)
      return { files: { ...place, path, parts: undefined }, proven: { ...place, seqno: 0, hash } };
    throw (
      fault ??
      new StartError(
        `The zero state of workchain ${workchain} (${hash.toString('hex')}) is in none of the folders`,
      )
    );
  });
}

function workchainsOf({ cells, read }: StateFile) {
  return read((root) => {
    const { config } = readMcStateExtra(cells, readShardState(cells, root).custom);
    const param = configParam(cells, config, WORKCHAINS_PARAM);
    return param < 0 ? [] : readWorkchains(cells, param);
  });
}
