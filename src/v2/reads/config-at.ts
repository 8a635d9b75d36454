import type { FoundCell } from '../../lite/proofs/open-proof.ts';
import { getConfigAll } from '../../lite/queries/get-config-all.ts';
import { getConfigParams } from '../../lite/queries/get-config-params.ts';
import type { V2Call } from '../call.ts';
import { latestConfig } from './latest-config.ts';
import { masterchainBlock } from './masterchain-block.ts';
import { openSession } from './open-session.ts';

/** What is wanted of the configuration. */
interface ConfigWish {
  /** The masterchain block as of which; the newest one when left out. */
  readonly seqno: number | undefined;
  /** The only parameters that will be looked at; all of them when left out. */
  readonly params?: readonly number[];
}

/** The configuration as of a masterchain block: the root of its parameters, for `configParam`. */
export async function readConfigAt(call: V2Call, { seqno, params }: ConfigWish): Promise<FoundCell> {
  const session = await openSession(call, { seqno });
  return session.run(async (target) => {
    if (seqno === undefined) return latestConfig(call, target);
    const { check } = call.ports;
    const block = await masterchainBlock(target, seqno, check);
    return params === undefined
      ? getConfigAll(target.query, block, check)
      : getConfigParams(target.query, block, params, check);
  });
}
