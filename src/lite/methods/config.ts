import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { readBlockId, writeBlockId } from '../../chain/tl/ids.ts';
import { hasBit, isGiven, type LiteMethodCodec, type TlType } from '../../chain/tl/tl.ts';
import { readBlockExtra } from '../../chain/tlb/block.ts';
import { configParam } from '../../chain/tlb/config.ts';
import { dictionaryEntries } from '../../chain/tlb/dictionary.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-block.ts';
import { readMcStateInfo } from '../../chain/tlb/masterchain-state.ts';
import { type Ask, askProvable } from './ask.ts';
import {
  type CellRef,
  type CheckOptions,
  checkHeader,
  checkStateProofs,
  isMasterchainBlock,
  masterchainExtra,
  openProof,
  type ProvenState,
  refuse,
  runProofCheck,
} from './proofs.ts';

/** `liteServer.configInfo`: configuration parameters as Merkle proofs. */
export interface ConfigInfo {
  readonly mode: number;
  readonly id: BlockId;
  readonly stateProof: Buffer;
  readonly configProof: Buffer;
}

/** `liteServer.validatorStats`: counts of blocks that validators made, as Merkle proofs. */
export interface ValidatorStats {
  readonly mode: number;
  readonly id: BlockId;
  readonly count: number;
  readonly complete: boolean;
  readonly stateProof: Buffer;
  readonly dataProof: Buffer;
}

const configInfo: TlType<ConfigInfo> = {
  name: 'liteServer.configInfo',
  id: 0xae7b272f,
  write(w, info) {
    w.uint(info.mode);
    writeBlockId(w, info.id);
    w.bytes(info.stateProof);
    w.bytes(info.configProof);
  },
  read: (r) => ({ mode: r.uint(), id: readBlockId(r), stateProof: r.bytes(), configProof: r.bytes() }),
};

const validatorStats: TlType<ValidatorStats> = {
  name: 'liteServer.validatorStats',
  id: 0xb9f796d8,
  write(w, stats) {
    w.uint(stats.mode);
    writeBlockId(w, stats.id);
    w.int(stats.count);
    w.bool(stats.complete);
    w.bytes(stats.stateProof);
    w.bytes(stats.dataProof);
  },
  read: (r) => ({
    mode: r.uint(),
    id: readBlockId(r),
    count: r.int(),
    complete: r.bool(),
    stateProof: r.bytes(),
    dataProof: r.bytes(),
  }),
};

/** Request of `getConfigAll`. */
interface GetConfigAll {
  readonly method: 'getConfigAll';
  readonly mode: number;
  readonly id: BlockId;
}

/** `liteServer.getConfigAll`: the whole configuration at a block. */
export const getConfigAllCodec: LiteMethodCodec<GetConfigAll, ConfigInfo> = {
  name: 'liteServer.getConfigAll',
  id: 0x911b26b7,
  answer: configInfo,
  write(w, request) {
    w.uint(request.mode);
    writeBlockId(w, request.id);
  },
  read: (r) => ({ method: 'getConfigAll', mode: r.uint(), id: readBlockId(r) }),
};

/** Request of `getConfigParams`; parameter numbers are signed. */
interface GetConfigParams {
  readonly method: 'getConfigParams';
  readonly mode: number;
  readonly id: BlockId;
  readonly paramList: readonly number[];
}

/** `liteServer.getConfigParams`: chosen parameters at a block. */
export const getConfigParamsCodec: LiteMethodCodec<GetConfigParams, ConfigInfo> = {
  name: 'liteServer.getConfigParams',
  id: 0x2a111c19,
  answer: configInfo,
  write(w, request) {
    w.uint(request.mode);
    writeBlockId(w, request.id);
    w.vector(request.paramList, (writer, param) => writer.int(param));
  },
  read: (r) => ({
    method: 'getConfigParams',
    mode: r.uint(),
    id: readBlockId(r),
    paramList: r.vector(4, (reader) => reader.int()),
  }),
};

/** Request of `getValidatorStats`; bit 0 of the mode goes with `startAfter`, bit 2 with `modifiedAfter` (unix seconds). */
export interface GetValidatorStats {
  readonly method: 'getValidatorStats';
  readonly mode: number;
  readonly id: BlockId;
  readonly limit: number;
  readonly startAfter?: Buffer | undefined;
  readonly modifiedAfter?: number | undefined;
}

/** `liteServer.getValidatorStats`: how many blocks validators made. */
export const getValidatorStatsCodec: LiteMethodCodec<GetValidatorStats, ValidatorStats> = {
  name: 'liteServer.getValidatorStats',
  id: 0x091a58bc,
  answer: validatorStats,
  write(w, request) {
    const { mode } = request;
    w.uint(mode);
    writeBlockId(w, request.id);
    w.int(request.limit);
    if (isGiven(mode, 0, request.startAfter, 'startAfter')) w.int256(request.startAfter);
    if (isGiven(mode, 2, request.modifiedAfter, 'modifiedAfter')) w.uint(request.modifiedAfter);
  },
  read(r) {
    const mode = r.uint();
    return {
      method: 'getValidatorStats',
      mode,
      id: readBlockId(r),
      limit: r.int(),
      startAfter: hasBit(mode, 0) ? r.int256() : undefined,
      modifiedAfter: hasBit(mode, 2) ? r.uint() : undefined,
    };
  },
};

/** Bit of the mode that asks for the blocks before, which get-methods may read. */
export const CONFIG_WITH_PREVIOUS_BLOCKS = 128;

/** The whole configuration at a masterchain block. */
export async function getConfigAll(
  ask: Ask,
  block: BlockId,
  options: CheckOptions,
  mode = 0,
): Promise<ProvenConfig> {
  const answer = await askProvable(
    ask,
    getConfigAllCodec,
    { method: 'getConfigAll', mode, id: block },
    'VALIDATE_CONFIG',
  );
  return checkConfig(answer, { block, mode }, options);
}

/** Chosen parameters of the configuration at a masterchain block; one that is not there does not exist. */
export async function getConfigParams(
  ask: Ask,
  block: BlockId,
  params: readonly number[],
  options: CheckOptions,
  mode = 0,
): Promise<ProvenConfig> {
  const request = { method: 'getConfigParams', mode, id: block, paramList: params } as const;
  const answer = await askProvable(ask, getConfigParamsCodec, request, 'VALIDATE_CONFIG');
  return checkConfig(answer, { block, mode, params }, options);
}

const WITH_START = 1;

/** How many blocks validators made, by their public keys after a given one; servers count 1000 at most. */
export async function getValidatorStats(
  ask: Ask,
  block: BlockId,
  { limit, startAfter }: { readonly limit: number; readonly startAfter?: Buffer },
  options: CheckOptions,
): Promise<CreatorsPage> {
  const mode = startAfter === undefined ? 0 : WITH_START;
  const question = { mode, limit, startAfter };
  const request = { method: 'getValidatorStats', id: block, ...question } as const;
  const answer = await askProvable(ask, getValidatorStatsCodec, request, 'VALIDATE_BLOCK_PROOF');
  return checkValidatorStats(answer, { block, ...question }, options);
}

/** The configuration at a block; `cell` is the root of the dictionary of parameters, for `configParam`. */
interface ProvenConfig extends CellRef {
  /** The block whose configuration it is: of one taken from a key block, nothing proves that block. */
  readonly block: BlockId;
  /** The state that it was found in, which shows the blocks before if asked; undefined for one from a key block. */
  readonly state: ProvenState | undefined;
}

/** What was asked about the configuration; `params` is left out for all of it. */
interface ConfigQuestion {
  readonly block: BlockId;
  readonly mode: number;
  readonly params?: readonly number[];
}

/** Asks for the configuration of the last key block, which needs no state. */
const FROM_KEY_BLOCK = 0x8000;

/** Checks the answer of getConfigAll or getConfigParams. Everything that was asked for is there without gaps. */
export function checkConfig(
  answer: ConfigInfo,
  question: ConfigQuestion,
  options: CheckOptions,
): ProvenConfig {
  return runProofCheck('VALIDATE_CONFIG', () => {
    const config =
      question.mode & FROM_KEY_BLOCK
        ? keyBlockConfig(answer, question, options)
        : stateConfig(answer, question, options);
    const { cells, cell } = config;
    if (question.params === undefined) checkWhole(cells, cell);
    else
      for (const index of question.params) {
        const param = configParam(cells, cell, index);
        if (param >= 0) checkWhole(cells, param);
      }
    return config;
  });
}

function stateConfig(answer: ConfigInfo, { block }: ConfigQuestion, options: CheckOptions): ProvenConfig {
  if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
  const state = checkStateProofs(answer.stateProof, answer.configProof, block, options);
  return { cells: state.cells, cell: masterchainExtra(state).config, block, state };
}

function keyBlockConfig(answer: ConfigInfo, { block }: ConfigQuestion, options: CheckOptions): ProvenConfig {
  const { id } = answer;
  if (!isMasterchainBlock(id) || id.seqno > block.seqno) refuse('the key block is not one before the block');
  if (answer.stateProof.length > 0) refuse('unexpected state proof');
  const { cells, root } = checkHeader(openProof(answer.configProof, options), id, options);
  const { masterchain } = readBlockExtra(cells, root.extra);
  const { config } = masterchain < 0 ? { config: undefined } : readMasterchainExtra(cells, masterchain);
  if (config === undefined) refuse('the block is not a key block');
  return { cells, cell: config.root, block: id, state: undefined };
}

/** What is handed on must be the cells themselves, with nothing left out. */
function checkWhole(cells: Cells, cell: number): void {
  if (cells.levelMask(cell) !== 0) refuse('a part of the configuration is left out');
}

/** How many blocks a validator made. */
interface CreatorStats {
  readonly publicKey: Buffer;
  readonly masterchainBlocks: bigint;
  readonly shardBlocks: bigint;
}

/** Counts of a part of the validators, in the order of their keys. */
interface CreatorsPage {
  readonly creators: readonly CreatorStats[];
  readonly complete: boolean;
}

/** What was asked. */
type StatsQuestion = Pick<GetValidatorStats, 'mode' | 'limit' | 'startAfter'> & {
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
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
    const state = checkStateProofs(answer.stateProof, answer.dataProof, block, options);
    const { blockCreateStats } = readMcStateInfo(state.cells, masterchainExtra(state).info);
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
