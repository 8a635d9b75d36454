import type { ActionData } from '../../rules/action.ts';
import type { Block } from '../../rules/block.ts';
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

/** The rules of Telegram usernames and numbers. */
export const teleitemRules: readonly Rule[] = [
  // The owner of a Telegram username or number starts an auction.
  {
    type: 'teleitem_start_auction',
    calls: [teleitem.msg_start_auction],
    around: RESPONSE,
    build(block, _match, { interfaces }) {
      const item = teleitemAt(block, interfaces);
      if (!item) return undefined;
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
      return { ...columns, success: !block.node.transaction.aborted };
    },
  },
  // The owner cancels the auction before the first bid.
  {
    type: 'teleitem_cancel_auction',
    calls: [teleitem.msg_cancel_auction],
    around: RESPONSE,
    build(block, _match, { interfaces }) {
      const item = teleitemAt(block, interfaces);
      if (!item) return undefined;
      const { source, destination } = block.message;
      const nft = { owner: source, item: destination, collection: item.collection };
      return { ...describeEnd(destination, nft, null), success: !block.node.transaction.aborted };
    },
  },
];
