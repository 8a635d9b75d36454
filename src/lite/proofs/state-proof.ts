import type { BlockId } from '../../chain/block-id.ts';
import { readStateUpdate } from '../../chain/tlb/block-state-update.ts';
import { type McStateExtra, readMcStateExtra } from '../../chain/tlb/mc-state-extra.ts';
import { readShardState, type ShardState } from '../../chain/tlb/shard-state.ts';
import { checkHeader, type ProvenHeader } from './block-header.ts';
import { type FoundCell, hashOf, openProof } from './open-proof.ts';
import { blockText, type CheckOptions, hashText, refuse } from './proof-scope.ts';

/** The state of a shard after a block, as far as a proof shows it. */
export interface ProvenState extends FoundCell {
  readonly header: ProvenHeader;
  readonly state: ShardState;
}

/** Checks that a cell is the state after a block whose header is given. */
export function checkState(
  headerCell: FoundCell,
  stateCell: FoundCell,
  block: BlockId,
  options: CheckOptions,
): ProvenState {
  const header = checkHeader(headerCell, block, options);
  const { newHash } = readStateUpdate(header.cells, header.root.stateUpdate);
  if (options.verify && !hashOf(stateCell).equals(newHash))
    refuse(
      `state hash mismatch in block header of ${blockText(block)} : header declares ${hashText(newHash)} expected ${hashText(hashOf(stateCell))}`,
    );
  const { cells, cell } = stateCell;
  return { cells, cell, header, state: readShardState(cells, cell) };
}

/** The same for proofs that come in two bags. */
export function checkStateProofs(
  headerProof: Buffer,
  stateProof: Buffer,
  block: BlockId,
  options: CheckOptions,
): ProvenState {
  return checkState(openProof(headerProof, options), openProof(stateProof, options), block, options);
}

/** What only the state of the masterchain has. */
export function masterchainPart({ cells, state }: ProvenState): McStateExtra {
  if (state.custom < 0) refuse('the state is not that of the masterchain');
  return readMcStateExtra(cells, state.custom);
}
