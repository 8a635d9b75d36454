import type { TokenContent } from '../../chain/contracts/token-content.ts';
import { intEntry } from '../../chain/stack/stack-entry.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import type { V2Call } from '../call.ts';
import type { AccountAt } from './account-at.ts';
import { type Domain, readDomain } from './domain-data.ts';
import { accountBeside, probe, refuse } from './probe.ts';
import { sameAccount } from './same-account.ts';

/** What a collection of NFTs says of itself. */
export interface NftCollection {
  readonly kind: 'nft_collection';
  readonly nextItemIndex: bigint;
  readonly content: TokenContent;
  readonly owner: AccountId | undefined;
}

/** What an NFT says of itself; its collection agrees that it is its item. */
export interface NftItem {
  readonly kind: 'nft_item';
  readonly init: boolean;
  readonly index: bigint;
  readonly collection: AccountId | undefined;
  readonly owner: AccountId | undefined;
  readonly content: TokenContent;
  /** The name that the item is, if it is one. */
  readonly domain: Domain | undefined;
}

/** Reads a contract as a collection; throws NotThat if it is none. */
export async function readNftCollection(call: V2Call, at: AccountAt): Promise<NftCollection> {
  const answer = await probe(call, at, 'get_collection_data', { least: 3 });
  return {
    kind: 'nft_collection',
    nextItemIndex: answer.integer(0),
    content: answer.content(1),
    owner: answer.address(2),
  };
}

/** Reads a contract as an NFT; throws NotThat if it is none. */
export async function readNftItem(call: V2Call, at: AccountAt, account: AccountId): Promise<NftItem> {
  const answer = await probe(call, at, 'get_nft_data', { least: 5 });
  const item = {
    kind: 'nft_item',
    init: answer.integer(0) !== 0n,
    index: answer.integer(1),
    collection: answer.address(2),
    owner: answer.address(3),
  } as const;
  const own = answer.cell(4);
  if (item.collection === undefined) return { ...item, content: answer.content(4), domain: undefined };
  const collection = await accountBeside(call, at, item.collection);
  const index = intEntry(item.index);
  const [place, content, domain] = await Promise.all([
    probe(call, collection, 'get_nft_address_by_index', { args: [index] }),
    probe(call, collection, 'get_nft_content', { args: [index, own] }),
    readDomain(call, at),
  ]);
  if (!sameAccount(place.address(0), account)) refuse('the collection has another item at that index');
  return { ...item, content: content.content(0), domain };
}
