import type { BlockId } from '../../chain/block-id.ts';
import { Failure } from '../../lib/failure.ts';
import { blockText } from './proof-scope.ts';

/**
 * An account in a workchain that does not exist. The server proved that, so it is no liar; yet clients know the case
 * by the text of a failed proof.
 */
export class NoSuchShard extends Failure {
  constructor(shardBlock: BlockId) {
    super(
      'lite_server',
      `VALIDATE_ACCOUNT_STATEshard block id ${blockText(shardBlock)} in answer is invalid`,
    );
    this.name = 'NoSuchShard';
  }
}
