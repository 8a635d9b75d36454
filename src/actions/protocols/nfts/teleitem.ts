import type { ActionData } from '../../rules/action.ts';
import { type Block, compose, plainContent } from '../../rules/block.ts';
import type { Interfaces, NftItemRecord } from '../../rules/classifier-input.ts';
import { call, type PatternContext } from '../../rules/pattern.ts';
import { tryRead } from '../../rules/read-body.ts';
import type { Rule } from '../../rules/rule.ts';
import { teleitem } from './layouts.ts';
import { describeEnd, describeListing } from './market.ts';
import { isTeleitem } from './rules.ts';

const RESPONSE: PatternContext = { each: call(teleitem.ok, { optional: true }) };

function teleitemAt(block: Block, interfaces: Interfaces): NftItemRecord | undefined {
  const item = interfaces.nftItem(block.message.destination ?? '');
  return item && isTeleitem(item) ? item : undefined;
}

const NO_TERMS: ActionData = { min_bid: 0n, max_bid: 0n };

/** The owner of a Telegram username or number starts an auction. */
export const teleitemStartAuction: Rule = {
  name: 'teleitem auction started',
  calls: [teleitem.msg_start_auction],
  around: RESPONSE,
  build(block, match, { interfaces }) {
    const item = teleitemAt(block, interfaces);
    if (!item) return;
    const config = teleitem.msg_start_auction.read(block).auction_config;
    const { source, destination } = block.message;
    const terms = tryRead(() => {
      const { beneficiary_address, initial_min_bid, max_bid } = config.through('duration');
      return { marketplace_fee_address: beneficiary_address, min_bid: initial_min_bid, max_bid };
    });
    const columns = describeListing({ item, owner: source, by: null, contract: destination }, null, {
      marketplace: 'fragment',
      mp_fee_factor: 0,
      mp_fee_base: 0,
      royalty_fee_base: 0,
      ...(terms ?? NO_TERMS),
    });
    const failed = block.node.transaction.aborted;
    compose(plainContent('teleitem_start_auction', columns, failed), [block, ...match.blocks]);
  },
};

/** The owner cancels the auction before the first bid. */
export const teleitemCancelAuction: Rule = {
  name: 'teleitem auction cancelled',
  calls: [teleitem.msg_cancel_auction],
  around: RESPONSE,
  build(block, match, { interfaces }) {
    const item = teleitemAt(block, interfaces);
    if (!item) return;
    const { source, destination } = block.message;
    const nft = { owner: source, item: destination, collection: item.collection };
    const content = plainContent(
      'teleitem_cancel_auction',
      describeEnd(destination, nft, null),
      block.node.transaction.aborted,
    );
    compose(content, [block, ...match.blocks]);
  },
};
