import { type Cell, Dictionary } from '@ton/core';
import { Failure } from '../lib/errors.ts';
import { type ChainBlock, readChainBlock } from './chain-block.ts';
import type { ChainReader } from './chain-reader.ts';
import { type BlockId, readBytes, sameBlock } from './core-readers.ts';

/** A masterchain block and the shard blocks that it commits for the first time. */
export interface ChainSeqno {
  readonly mcSeqno: number;
  readonly masterchain: ChainBlock;
  readonly blocks: readonly ChainBlock[];
  readonly globalVersion: number;
  /** The account of the elector: 32 bytes; undefined if the configuration has none. */
  readonly elector?: Buffer | undefined;
}

const GLOBAL_VERSION = 8;
const ELECTOR = 1;

/** The seqnos of a range in order, with their blocks. Each block has the hashes of the one before, and the last is proven. */
export async function* readChain(
  chain: ChainReader,
  from: number,
  to: number,
): AsyncGenerator<ChainSeqno, void> {
  const end = await chain.masterchainId(to);
  const masterchainBlock = async (seqno: number): Promise<ChainBlock> =>
    readBlock(chain, seqno === to ? end : await chain.lookUp(seqno));
  let before: ChainBlock | undefined = from > 1 ? await masterchainBlock(from - 1) : undefined;
  let config: ConfigFacts | undefined;
  let next = masterchainBlock(from);
  for (let mcSeqno = from; mcSeqno <= to; mcSeqno++) {
    const masterchain = await next;
    next = mcSeqno < to ? masterchainBlock(mcSeqno + 1) : next;
    // It is awaited later; until then a failure must not count as unhandled.
    next.catch(() => {});
    if (!sameBlock(masterchain.previous[0]!, before?.id ?? chain.zeroState))
      throw new Failure(
        'conflict',
        `the chain changed meanwhile: masterchain block ${mcSeqno} does not follow ${mcSeqno - 1}`,
      );
    if (config === undefined || masterchain.isKey) config = factsIn(await configAt(chain, masterchain));
    const shardBlocks = await newShardBlocks(chain, masterchain.tops, before?.tops ?? []);
    yield { mcSeqno, masterchain, blocks: [masterchain, ...shardBlocks], ...config };
    before = masterchain;
  }
}

async function readBlock(chain: ChainReader, id: BlockId): Promise<ChainBlock> {
  return readChainBlock(id, await chain.block(id));
}

/** Walks back from the tops to the blocks that were committed before, or to zero states. */
async function newShardBlocks(chain: ChainReader, tops: readonly BlockId[], topsBefore: readonly BlockId[]) {
  const known = new Set(topsBefore.map(keyOf));
  const blocks: ChainBlock[] = [];
  let wave = tops;
  while (wave.length > 0) {
    const fresh = wave.filter((id) => id.seqno > 0 && !known.has(keyOf(id)));
    for (const id of fresh) known.add(keyOf(id));
    // Blocks after a split have the same one before them.
    const ids = new Map(fresh.map((id) => [keyOf(id), id]));
    const read = await Promise.all([...ids.values()].map((id) => readBlock(chain, id)));
    blocks.push(...read);
    wave = read.flatMap(({ previous }) => previous);
  }
  return blocks;
}

/** From the key block or zero state that defines the configuration: servers keep all blocks, but not old states. */
async function configAt(chain: ChainReader, block: ChainBlock): Promise<Cell> {
  if (block.config !== undefined) return block.config;
  const keySeqno = Number(block.columns.prev_key_block_seqno);
  if (keySeqno === 0) return chain.firstConfig();
  return configAt(chain, await readBlock(chain, await chain.masterchainId(keySeqno)));
}

type ConfigFacts = Pick<ChainSeqno, 'globalVersion' | 'elector'>;

function factsIn(config: Cell): ConfigFacts {
  const params = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), config);
  const elector = params.get(ELECTOR);
  return {
    globalVersion: params.get(GLOBAL_VERSION)?.beginParse().skip(8).loadUint(32) ?? 0,
    elector: elector && readBytes(elector.beginParse()),
  };
}

function keyOf({ rootHash }: BlockId): string {
  return rootHash.toString('hex');
}
