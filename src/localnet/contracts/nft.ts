import { type Address, beginCell, type Cell, Dictionary, type Slice } from '@ton/core';
import {
  beginBody,
  type ContractState,
  compiledCode,
  contractState,
  type ForwardOptions,
  storeForward,
} from './contract.ts';

/** A new collection of NFTs or SBTs. */
export function nftCollection(options: {
  readonly owner: Address;
  readonly content: Cell;
  /** Common prefix of the items' content URLs. */
  readonly baseUri?: string;
  readonly royalty: {
    readonly numerator: number;
    readonly denominator: number;
    readonly destination: Address;
  };
  /** Default: the code of an ordinary item. */
  readonly itemCode?: Cell;
}): ContractState {
  const { numerator, denominator, destination } = options.royalty;
  const common = beginCell()
    .storeStringTail(options.baseUri ?? '')
    .endCell();
  const royalty = beginCell().storeUint(numerator, 16).storeUint(denominator, 16).storeAddress(destination);
  const data = beginCell()
    .storeAddress(options.owner)
    .storeUint(0, 64)
    .storeRef(beginCell().storeRef(options.content).storeRef(common))
    .storeRef(options.itemCode ?? compiledCode('nft-item'))
    .storeRef(royalty)
    .endCell();
  return contractState(compiledCode('nft-collection'), data);
}

/** Item of a collection by index. */
export function nftItem(options: {
  readonly collection: Address;
  readonly index: number | bigint;
  readonly itemCode?: Cell;
}): ContractState {
  const data = beginCell().storeUint(options.index, 64).storeAddress(options.collection).endCell();
  return contractState(options.itemCode ?? compiledCode('nft-item'), data);
}

/** Initial data of an item: owner and content, either full or as a URL suffix. */
export function newItem(owner: Address, content: Cell | string): Cell {
  const cell = typeof content === 'string' ? beginCell().storeStringTail(content).endCell() : content;
  return beginCell().storeAddress(owner).storeRef(cell).endCell();
}

/** Mints several items. */
export function deployItems(
  items: ReadonlyMap<bigint, { readonly ton: bigint; readonly item: Cell }>,
  queryId?: bigint,
): Cell {
  const entries = Dictionary.empty<bigint, { readonly ton: bigint; readonly item: Cell }>(
    Dictionary.Keys.BigUint(64),
    {
      serialize: ({ ton, item }, builder) => builder.storeCoins(ton).storeRef(item),
      parse: (slice: Slice) => ({ ton: slice.loadCoins(), item: slice.loadRef() }),
    },
  );
  for (const [index, entry] of items) entries.set(index, entry);
  return beginBody(2, queryId).storeRef(beginCell().storeDict(entries)).endCell();
}

/** Transfers an item. */
export function transferItem(
  options: ForwardOptions & {
    readonly queryId?: bigint;
    readonly to: Address;
    readonly responseTo?: Address;
    readonly customPayload?: Cell;
  },
): Cell {
  return beginBody(0x5fcc3d14, options.queryId)
    .storeAddress(options.to)
    .storeAddress(options.responseTo)
    .storeMaybeRef(options.customPayload)
    .store(storeForward(options))
    .endCell();
}
