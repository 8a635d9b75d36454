import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import type { ConfigInfo } from '../../chain/tl/config.ts';
import { readBlockExtra } from '../../chain/tlb/block-extra.ts';
import { configParam } from '../../chain/tlb/config.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-extra.ts';
import { checkHeader } from './block-header.ts';
import { isMasterchainBlock } from './block-place.ts';
import { type FoundCell, openProof } from './open-proof.ts';
import { type CheckOptions, proving, refuse } from './proof-scope.ts';
import { checkStateProofs, masterchainPart, type ProvenState } from './state-proof.ts';

/** The configuration at a block; `cell` is the root of the dictionary of parameters, for `configParam`. */
export interface ProvenConfig extends FoundCell {
  /** The block whose configuration it is: of one taken from a key block, nothing proves that block. */
  readonly block: BlockId;
  /** The state that it was found in, which shows the blocks before if asked; undefined for one from a key block. */
  readonly state: ProvenState | undefined;
}

/** What was asked about the configuration; `params` is left out for all of it. */
export interface ConfigQuestion {
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
  return proving('VALIDATE_CONFIG', () => {
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
  return { cells: state.cells, cell: masterchainPart(state).config, block, state };
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
