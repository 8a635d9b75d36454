import type { AccountId } from '../tl/names.ts';
import type { Probe } from './probe.ts';
import type { TokenContent } from './token-content.ts';

/** What a collection of NFTs says of itself. */
export interface NftCollection {
  readonly nextItemIndex: bigint;
  readonly content: TokenContent;
  readonly owner: AccountId | undefined;
}

/** Reads a contract as a collection; throws NotThat if it is none. */
export async function readNftCollection(probe: Probe, maxContentBytes?: number): Promise<NftCollection> {
  const answer = (await probe.run('get_collection_data')).atLeast(3);
  return {
    nextItemIndex: answer.integer(0),
    content: answer.content(1, maxContentBytes),
    owner: answer.address(2),
  };
}
