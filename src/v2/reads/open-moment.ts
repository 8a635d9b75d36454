import type { BlockId } from '../../chain/block-id.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import type { ProvenAccount } from '../../lite/proofs/account-state.ts';
import type { LibrarySource } from '../../vm/run-with-libraries.ts';
import type { V2Call } from '../call.ts';
import { accountAtBlock } from './account-at.ts';
import { latestConfig } from './latest-config.ts';
import { masterchainBlock } from './masterchain-block.ts';
import { openSession, type SessionWish } from './open-session.ts';
import type { LatestConfig } from './prepared-config.ts';
import { RunLibraries } from './run-libraries.ts';

/** The chain at one masterchain block: all that messages can be run with. */
export interface Moment {
  readonly block: BlockId;
  account(account: AccountId): Promise<ProvenAccount>;
  config(): Promise<LatestConfig>;
  /** Those of the newest block, also for an older one: a library is its hash. */
  readonly libraries: LibrarySource;
}

/** Opens the chain at the newest masterchain block, or at the one of a seqno. */
export async function openMoment(call: V2Call, wish: SessionWish = {}): Promise<Moment> {
  const session = await openSession(call, wish);
  const block = await session.run((target) => masterchainBlock(target, wish.seqno, call.ports.check));
  return {
    block,
    account: (account) => session.run((target) => accountAtBlock(call, target, block, account)),
    config: () => session.run(({ query }) => latestConfig(call, { query, reference: block })),
    libraries: new RunLibraries(call, {
      query: (request, options) => session.run(({ query }) => query(request, options)),
    }),
  };
}
