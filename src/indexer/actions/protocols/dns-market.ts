import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import type { Interfaces, NftItemRecord } from '../interfaces.ts';
import { blockOf } from '../pattern.ts';
import { plainContent } from '../plain-content.ts';
import type { Rule } from '../rule.ts';
import { isTonDomain } from './nft-kinds.ts';
import { FILL_UP } from './nft-notice.ts';

const RELEASE = 0x4ed14b65;

function tonDomain(address: string | null, interfaces: Interfaces): NftItemRecord | undefined {
  const item = interfaces.nftItem(address ?? '');
  return item && isTonDomain(item) ? item : undefined;
}

function readQueryId(block: Block): bigint | null {
  const body = block.bodyAfterOpcode();
  return body.bitsLeft >= 64 ? body.uint64() : null;
}

/** A domain that was not renewed in time goes back to auction. */
export const dnsRelease: Rule = {
  name: 'domain released',
  test: (block) => block.calls(RELEASE),
  build(block, _found, { interfaces }) {
    const { source, destination, value } = block.message;
    const item = tonDomain(destination, interfaces);
    if (!item) return;
    const columns = {
      source,
      destination,
      value,
      asset: item.collection,
      data: { nft_transfer_data: { query_id: readQueryId(block), nft_item_index: item.index } },
    };
    compose(plainContent('dns_release', columns, block.node.transaction.aborted), [block]);
  },
};

/** A domain whose auction is over sends the money to its zone when its new owner first uses it. */
export const dnsPurchase: Rule = {
  name: 'domain purchase',
  test: (block) => block.calls(FILL_UP),
  around: { previous: blockOf('call_contract', { as: 'use' }) },
  build(block, found, { interfaces }) {
    const { source, value } = block.message;
    const item = tonDomain(source, interfaces);
    const use = found.named('use');
    if (!item || !use) return;
    const columns = {
      destination: use.message.source,
      asset: item.collection,
      asset_secondary: item.address,
      data: {
        nft_transfer_data: {
          query_id: readQueryId(block),
          is_purchase: true,
          price: value,
          payout_amount: value,
          nft_item_index: item.index,
        },
      },
    };
    compose(plainContent('dns_purchase', columns, block.node.transaction.aborted), [block]);
  },
};
