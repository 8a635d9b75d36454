import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import { Slice } from '../../chain/boc/slice.ts';
import type { GetValidatorStats, ValidatorStats } from '../../chain/tl/config.ts';
import { dictionaryEntries } from '../../chain/tlb/dictionary-entries.ts';
import { readMcStateInfo } from '../../chain/tlb/mc-state-extra.ts';
import { type CheckOptions, proving, refuse } from './proof-scope.ts';
import { checkStateProofs, masterchainPart } from './state-proof.ts';

/** How many blocks a validator made. */
export interface CreatorStats {
  readonly publicKey: Buffer;
  readonly masterchainBlocks: bigint;
  readonly shardBlocks: bigint;
}

/** Counts of a part of the validators, in the order of their keys. */
export interface CreatorsPage {
  readonly creators: readonly CreatorStats[];
  readonly complete: boolean;
}

/** What was asked. */
export type StatsQuestion = Pick<GetValidatorStats, 'mode' | 'limit' | 'startAfter'> & {
  readonly block: BlockId;
};

const MAX_LIMIT = 1000;
const CREATOR_INFO = 4;
const EXCLUSIVE_START = 1;

/** Checks the answer of getValidatorStats. */
export function checkValidatorStats(
  answer: ValidatorStats,
  { block, mode, limit, startAfter }: StatsQuestion,
  options: CheckOptions,
): CreatorsPage {
  return proving('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
    const state = checkStateProofs(answer.stateProof, answer.dataProof, block, options);
    const { blockCreateStats } = readMcStateInfo(state.cells, masterchainPart(state).info);
    if (blockCreateStats === undefined) refuse('cannot extract block create stats from mc state');
    const { root, augmented } = blockCreateStats;
    const creators: CreatorStats[] = [];
    const wanted = Math.min(limit, MAX_LIMIT);
    if (root >= 0) {
      const order = { from: startAfter, inclusive: (mode & 3) !== EXCLUSIVE_START };
      const entries = dictionaryEntries(new Slice(state.cells, root), 256, order);
      for (let next = entries.next(); !next.done; next = entries.next()) {
        creators.push(readCreator(next.value.key, next.value.value, augmented));
        if (creators.length === wanted) break;
      }
    }
    const complete = creators.length < wanted;
    if (creators.length !== answer.count || complete !== answer.complete)
      refuse('the proof shows another number of validators than the answer says');
    return { creators, complete };
  });
}

function readCreator(key: Buffer, value: Slice, augmented: boolean): CreatorStats {
  if (augmented) value.skip(32);
  if (value.uint(4) !== CREATOR_INFO) refuse('invalid CreatorStats record');
  const [masterchainBlocks, shardBlocks] = [readTotal(value), readTotal(value)];
  return { publicKey: Buffer.from(key), masterchainBlocks, shardBlocks };
}

/** Reads Counters: when, in all, and two sums that fade. */
function readTotal(slice: Slice): bigint {
  slice.skip(32);
  const total = slice.uint64();
  slice.skip(128);
  return total;
}
