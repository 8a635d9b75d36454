import { compose } from '../compose.ts';
import { call } from '../pattern.ts';
import { readAccount } from '../read-body.ts';
import type { Rule } from '../rule.ts';

const GET_STATIC_DATA = 0x2fcb26a2;
const REPORT_STATIC_DATA = 0x8b771735;

/** An NFT is asked for its number and its collection, and tells them. */
export const nftDiscovery: Rule = {
  name: 'NFT discovery',
  test: (block) => block.calls(GET_STATIC_DATA),
  around: { each: call(REPORT_STATIC_DATA, { as: 'report' }) },
  build(block, found) {
    const report = found.named('report');
    if (!report) return;
    const body = report.bodyAfterOpcode();
    body.uint64();
    const index = body.bigUint(256);
    const collection = readAccount(body);
    const { source, destination } = block.message;
    const describe = () => ({
      source,
      asset: collection,
      asset_secondary: destination,
      data: { nft_transfer_data: { nft_item_index: index } },
    });
    compose({ type: 'nft_discovery', data: undefined, describe }, [block, report]);
  },
};
