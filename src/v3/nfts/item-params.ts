import type { NftItemFilters } from '../../db/queries/nft-items.ts';
import type { Parameter, ParameterValues } from '../../http/operation.ts';
import { pageParams } from '../page.ts';
import { accountsParam } from '../params/accounts.ts';
import { booleanParam } from '../params/boolean.ts';
import { refuse } from '../params/kind.ts';
import type { PageLimits } from '../params/limit.ts';
import { listParam } from '../params/list.ts';
import { plainStringKind } from '../params/plain-string.ts';

const MAX_INDEXES = 1000;
/** Those of the largest number that a contract can give. */
const MAX_DIGITS = 78;
/** Stands for all numbers that no NFT has. */
const TOO_LARGE = `1${'0'.repeat(MAX_DIGITS)}`;

/** Refusals of the combinations of filters that have no order to answer in. */
export const REFUSALS = {
  severalCollections: 'exact one owner_address required for multiple collection_address',
  indexAlone: 'index parameter is not allowed without the collection_address',
  indexOfSeveral: 'index parameter is not allowed with more than one collection_address',
  noDigits: 'index should contain digits only',
};

/** The parameters of the list of NFTs. */
export function nftItemParams(limits: PageLimits) {
  return {
    address: accountsParam({ description: 'NFTs with these addresses.' }),
    owner_address: accountsParam({ description: 'NFTs of these owners.' }),
    collection_address: accountsParam({
      description: 'NFTs of these collections; several need exactly one owner.',
    }),
    index: indexParam(),
    include_on_sale: booleanParam({
      description: 'NFTs that are for sale belong to the seller. Matters with `owner_address` only.',
      fallback: false,
    }),
    sort_by_last_transaction_lt: booleanParam({
      description: 'Those that changed last come first.',
      fallback: false,
    }),
    ...pageParams(limits),
  };
}

/** What the parameters ask for; refuses combinations that cannot be answered in an order. */
export function nftItemFilters(
  params: Omit<ParameterValues<ReturnType<typeof nftItemParams>>, 'limit' | 'offset' | 'cursor'>,
): NftItemFilters {
  const { address: accounts, owner_address: owners, collection_address: collections, index } = params;
  if (index.length > 0 && collections.length === 0) throw refuse('index', REFUSALS.indexAlone);
  if (index.length > 0 && collections.length > 1) throw refuse('index', REFUSALS.indexOfSeveral);
  if (collections.length > 1 && owners.length !== 1)
    throw refuse('collection_address', REFUSALS.severalCollections);
  return {
    ...{ accounts, owners, collections, indexes: index },
    countsSellers: params.include_on_sale && owners.length > 0,
    isByLastChange: params.sort_by_last_transaction_lt,
  };
}

function indexParam(): Parameter<readonly string[]> {
  const list = listParam(plainStringKind, {
    description: 'NFTs of the collection with these indexes; repeat the name for several.',
    max: MAX_INDEXES,
  });
  return {
    ...list,
    read: (input) =>
      list.read(input).map((text) => {
        if (!/^[0-9]+$/.test(text)) throw refuse(input.name, REFUSALS.noDigits);
        const digits = text.replace(/^0+(?=.)/, '');
        return digits.length > MAX_DIGITS ? TOO_LARGE : digits;
      }),
  };
}
