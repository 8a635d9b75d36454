import type { BlockId } from '../chain/block-id.ts';
import { NoLiteServer } from './errors.ts';
import type { FetchPool } from './fetch-context.ts';

/** A pool without servers, for work that must not read from any. */
export function createNoServers(zeroState: BlockId): FetchPool {
  const refuse = async (): Promise<never> => {
    throw new NoLiteServer('this process reads from no lite server');
  };
  return { zeroState, head: undefined, session: refuse, waitForSeqno: refuse };
}
