import { hash as hashOnce } from 'node:crypto';
import { beginCell, Dictionary, type TupleItem } from '@ton/core';
import { offChainContent } from '../../localnet/support/contract-messages.ts';
import { address, bytes, cell, int, somebody } from './stack-items.ts';

/** The addresses of the probed contract and of others that it names. */
export const SELF = somebody(1);
export const PARENT = somebody(2);
export const OWNER = somebody(3);

export const CONTENT = cell(offChainContent('https://example.test/1.json'));
export const CODE = cell(beginCell().storeUint(5, 8).endCell());

/** A contract with all token interfaces. */
export const TOKENS: Readonly<Record<string, readonly TupleItem[]>> = {
  get_jetton_data: [int(1000), int(-1), address(OWNER), CONTENT, CODE],
  get_wallet_data: [int(7), address(OWNER), address(PARENT), CODE],
  get_collection_data: [int(-1), CONTENT, address(OWNER)],
  get_nft_data: [int(-1), int(5), address(PARENT), address(OWNER), CONTENT],
  get_domain: [bytes('name')],
  get_full_domain: [bytes('me\0t\0name\0')],
  dnsresolve: [int(8), { type: 'null' }],
  get_telemint_token_name: [bytes('name')],
  get_telemint_auction_state: [address(OWNER), int(1), int(2), int(3), int(4)],
  get_telemint_auction_config: [address(OWNER), int(10), int(20), int(5), int(60), int(3600)],
  royalty_params: [int(1), int(20), address(OWNER)],
};

/** Its jetton master and its collection, which confirm it. */
export const PARENTS: Readonly<Record<string, readonly TupleItem[]>> = {
  get_wallet_address: [address(SELF)],
  get_nft_address_by_index: [address(SELF)],
  get_nft_content: [CONTENT],
};

/** On-chain content with the given values. */
export function contentOf(values: Readonly<Record<string, ReturnType<typeof beginCell>>>): TupleItem {
  const dictionary = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const [name, value] of Object.entries(values))
    dictionary.set(hashOnce('sha256', name, 'buffer'), value.endCell());
  return cell(beginCell().storeUint(0, 8).storeDict(dictionary).endCell());
}

/** A text attribute in chunked format. */
export function chunked(...parts: string[]): ReturnType<typeof beginCell> {
  const chunks = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
  parts.forEach((part, i) => {
    chunks.set(i, beginCell().storeBuffer(Buffer.from(part)).endCell());
  });
  return beginCell().storeUint(1, 8).storeDict(chunks);
}
