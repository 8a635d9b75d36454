import type { Slice } from '../../../chain/boc/slice.ts';
import type { ActionData } from '../../rules/action.ts';
import { type Block, compose, plainContent } from '../../rules/block.ts';
import type { Interfaces, NftItemRecord } from '../../rules/classifier-input.ts';
import { call, type PatternContext } from '../../rules/pattern.ts';
import { readAccount, tryRead } from '../../rules/read-body.ts';
import type { Rule } from '../../rules/rule.ts';
import { describeEnd, describeListing } from '../nfts/market.ts';
import { isTeleitem } from '../nfts/rules.ts';

const START_AUCTION = 0x487a8e81;
const CANCEL_AUCTION = 0x371638ae;
const DONE = 0xa37a0983;

const RESPONSE: PatternContext = { each: call(DONE, { optional: true }) };

function teleitemAt(block: Block, interfaces: Interfaces): NftItemRecord | undefined {
  const item = interfaces.nftItem(block.message.destination ?? '');
  return item && isTeleitem(item) ? item : undefined;
}

const NO_TERMS: ActionData = { min_bid: 0n, max_bid: 0n };

/** Beneficiary and bid limits. */
function readTerms(config: Slice): ActionData {
  const marketplace_fee_address = readAccount(config);
  const min_bid = config.coins();
  const max_bid = config.coins();
  // Minimum step in percent, extension by late bids, duration.
  config.skip(8 + 32 + 32);
  return { marketplace_fee_address, min_bid, max_bid };
}

/** The owner of a Telegram username or number starts an auction. */
export const teleitemStartAuction: Rule = {
  name: 'teleitem auction started',
  test: (block) => block.calls(START_AUCTION),
  around: RESPONSE,
  build(block, found, { interfaces }) {
    const item = teleitemAt(block, interfaces);
    if (!item) return;
    const body = block.bodyAfterOpcode();
    body.uint64();
    const config = body.refSlice();
    const { source, destination } = block.message;
    const terms = tryRead(() => readTerms(config)) ?? NO_TERMS;
    const columns = describeListing({ item, owner: source, by: null, contract: destination }, null, {
      marketplace: 'fragment',
      mp_fee_factor: 0,
      mp_fee_base: 0,
      royalty_fee_base: 0,
      ...terms,
    });
    const failed = block.node.transaction.aborted;
    compose(plainContent('teleitem_start_auction', columns, failed), [block, ...found.blocks]);
  },
};

/** The owner cancels the auction before the first bid. */
export const teleitemCancelAuction: Rule = {
  name: 'teleitem auction cancelled',
  test: (block) => block.calls(CANCEL_AUCTION),
  around: RESPONSE,
  build(block, found, { interfaces }) {
    const item = teleitemAt(block, interfaces);
    if (!item) return;
    const { source, destination } = block.message;
    const nft = { owner: source, item: destination, collection: item.collection };
    const content = plainContent(
      'teleitem_cancel_auction',
      describeEnd(destination, nft, null),
      block.node.transaction.aborted,
    );
    compose(content, [block, ...found.blocks]);
  },
};
