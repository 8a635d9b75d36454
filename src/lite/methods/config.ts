import { type BlockId, isMasterchainBlock, sameBlock } from '../../chain/block-id.ts';
import type { CellRef, Cells } from '../../chain/boc/cells.ts';
import { readBlockExtra } from '../../chain/tlb/block.ts';
import { configParam } from '../../chain/tlb/config.ts';
import { readMasterchainExtra } from '../../chain/tlb/masterchain-block.ts';
import type { LiteResponseOf } from './codec.ts';
import {
  type CheckOptions,
  checkHeader,
  checkStateProofs,
  masterchainExtra,
  openProof,
  type ProvenState,
  type QueryServer,
  queryProvable,
  refuse,
  runProofCheck,
} from './proofs.ts';

export type ConfigInfo = LiteResponseOf<'getConfigAll'>;

/** Bits of the mode: the blocks before, which get-methods may read; the config of the last key block, without a state. */
export const CONFIG_WITH_PREVIOUS_BLOCKS = 0x80;
export const CONFIG_FROM_KEY_BLOCK = 0x8000;

export async function getConfigAll(query: QueryServer, block: BlockId, options: CheckOptions, mode = 0) {
  const response = await queryProvable(query, 'getConfigAll', { mode, id: block }, 'VALIDATE_CONFIG');
  return checkConfig(response, { block, mode }, options);
}

/** Some config params at a masterchain block; one that is missing does not exist. */
export async function getConfigParams(
  query: QueryServer,
  block: BlockId,
  params: readonly number[],
  options: CheckOptions,
  mode = 0,
) {
  const request = { mode, id: block, paramList: params };
  const response = await queryProvable(query, 'getConfigParams', request, 'VALIDATE_CONFIG');
  return checkConfig(response, { block, mode, params }, options);
}

/** The configuration at a block; `cell` is the root of the dictionary of params, for `configParam`. */
interface ProvenConfig extends CellRef {
  /** The block of the configuration; if that is a key block, nothing proves the block. */
  readonly block: BlockId;
  /** The state with the configuration, and with the previous blocks if the mode asks for them; undefined for a key block. */
  readonly state: ProvenState | undefined;
}

/** The query; without `params`, the whole configuration. */
interface ConfigQuery {
  readonly block: BlockId;
  readonly mode: number;
  readonly params?: readonly number[];
}

/** Checks the response of getConfigAll or getConfigParams: everything that was queried is there without gaps. */
export function checkConfig(response: ConfigInfo, query: ConfigQuery, options: CheckOptions): ProvenConfig {
  return runProofCheck('VALIDATE_CONFIG', () => {
    const config =
      query.mode & CONFIG_FROM_KEY_BLOCK
        ? keyBlockConfig(response, query, options)
        : stateConfig(response, query, options);
    const { cells, cell } = config;
    if (query.params === undefined) checkWhole(cells, cell);
    else
      for (const index of query.params) {
        const param = configParam(cells, cell, index);
        if (param >= 0) checkWhole(cells, param);
      }
    return config;
  });
}

function stateConfig(response: ConfigInfo, { block }: ConfigQuery, options: CheckOptions): ProvenConfig {
  if (!sameBlock(response.id, block)) refuse('Liteserver responded with wrong block');
  const state = checkStateProofs(response.stateProof, response.configProof, block, options);
  return { cells: state.cells, cell: masterchainExtra(state).config, block, state };
}

function keyBlockConfig(response: ConfigInfo, { block }: ConfigQuery, options: CheckOptions): ProvenConfig {
  const { id } = response;
  if (!isMasterchainBlock(id) || id.seqno > block.seqno) refuse('the key block is not one before the block');
  if (response.stateProof.length > 0) refuse('unexpected state proof');
  const { cells, root } = checkHeader(openProof(response.configProof, options), id, options);
  const { masterchain } = readBlockExtra(cells, root.extra);
  const { config } = masterchain < 0 ? { config: undefined } : readMasterchainExtra(cells, masterchain);
  if (config === undefined) refuse('the block is not a key block');
  return { cells, cell: config.root, block: id, state: undefined };
}

/** Callers get the cells themselves, so nothing may be pruned. */
function checkWhole(cells: Cells, cell: number): void {
  if (cells.levelMask(cell) !== 0) refuse('a part of the configuration is left out');
}
