import { sameAccount } from '../address.ts';
import { intEntry } from '../stack/entries.ts';
import { type ContractReader, throwMismatch } from './probe.ts';

export type NftCollection = Readonly<Awaited<ReturnType<typeof readNftCollection>>>;

/** Reads a contract as an NFT collection; throws InterfaceMismatch if it is not one. */
export async function readNftCollection(probe: ContractReader, maxContentBytes?: number) {
  const result = (await probe.run('get_collection_data')).atLeast(3);
  return {
    nextItemIndex: result.integer(0),
    content: result.content(1, maxContentBytes),
    owner: result.address(2),
  };
}

/** The get_nft_data of an NFT item, confirmed by its collection if it has one. */
export type NftItem = Readonly<Awaited<ReturnType<typeof readNftItem>>>;

/** Reads a contract as an NFT item; throws InterfaceMismatch if it is not one. */
export async function readNftItem(probe: ContractReader, maxContentBytes?: number) {
  const result = (await probe.run('get_nft_data')).atLeast(5);
  const item = {
    init: result.integer(0) !== 0n,
    index: result.integer(1),
    collection: result.address(2),
    owner: result.address(3),
  };
  const own = result.cell(4);
  if (item.collection === undefined) return { ...item, content: result.content(4, maxContentBytes) };
  const collection = await probe.beside(item.collection);
  const index = intEntry(item.index);
  const [place, content] = await Promise.all([
    collection.run('get_nft_address_by_index', [index]),
    collection.run('get_nft_content', [index, own]),
  ]);
  if (!sameAccount(place.address(0), probe.account))
    throwMismatch('the collection has another item at that index');
  return { ...item, content: content.content(0, maxContentBytes) };
}
