import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BlockId, MASTERCHAIN, shortBlockName, WHOLE_SHARD } from '../../chain/block-id.ts';
import { StartError } from '../../lib/start-error.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { type ChainStep, createChainStore } from '../store/create-chain-store.ts';
import { type NewBlock, parseBlock, shardTops } from '../store/new-block.ts';
import { readRecordedSignatures } from './recorded-signatures.ts';

/** `<workchain>_<shard, 16 hex digits>_<seqno>.boc` */
const FILE_NAME = /^(-?\d+)_([0-9a-f]{16})_(\d+)\.boc$/;

/**
 * Loads a recorded network: all its blocks from `blocks/`, the zero states from `states/`, and what signatures the
 * answers under `lite/` and `tonlib/` hold, if there are any. Throws StartError where something is missing or does not fit.
 */
export function openRecording(folder: string): ChainStore {
  try {
    const zeroStates = readdirSync(join(folder, 'states'))
      .filter((name) => FILE_NAME.exec(name)?.[3] === '0')
      .map((name) => readFileSync(join(folder, 'states', name)));
    const store = createChainStore({ zeroStates });
    for (const step of recordedSteps(folder)) store.append(step);
    return store;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The recording in ${folder} cannot be replayed: ${reason}`, { cause: error });
  }
}

/** The steps of a recorded chain, one for each masterchain block in turn. */
function* recordedSteps(folder: string): Generator<ChainStep> {
  const signaturesOf = readRecordedSignatures(folder);
  const files = new Set(readdirSync(join(folder, 'blocks')));
  const done = new Set<string>();

  for (let seqno = 1; ; seqno++) {
    const masterchain = newBlock({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno });
    if (masterchain === undefined) return;
    const shards: NewBlock[] = [];
    const parsed = parseBlock(masterchain.load());
    for (const top of shardTops(parsed)) addWithAncestors(top, shards);
    yield { masterchain: { ...masterchain, signatures: signaturesOf(parsed) }, shards };
  }

  function newBlock(place: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>): NewBlock | undefined {
    const name = fileName(place);
    return files.has(name) ? { load: () => readFileSync(join(folder, 'blocks', name)) } : undefined;
  }

  /** Adds a shard block after those before it that are not in the chain yet; there are few. */
  function addWithAncestors(id: BlockId, shards: NewBlock[]): void {
    if (id.seqno === 0 || done.has(fileName(id))) return;
    done.add(fileName(id));
    const block = newBlock(id);
    if (block === undefined) throw new Error(`block ${shortBlockName(id)} is missing`);
    for (const previous of parseBlock(block.load()).previous) addWithAncestors(previous, shards);
    shards.push(block);
  }
}

function fileName({ workchain, shard, seqno }: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>): string {
  return `${workchain}_${BigInt.asUintN(64, shard).toString(16).padStart(16, '0')}_${seqno}.boc`;
}
