import type { MethodAnswer } from '../../../chain/contracts/method-answer.ts';
import { orNothing, refuse } from '../../../chain/contracts/not-that.ts';
import type { Probe } from '../../../chain/contracts/probe.ts';
import type { ContractColumns, Detector } from '../detector.ts';
import { AnswerColumns } from './answer-columns.ts';

/** AUC */
const MAGIC = 0x415543n;

type Auction = ContractColumns<'nft_auctions'>;

/** A GetGems auction, of any version. */
export const NFT_AUCTION: Detector<'nft_auctions'> = {
  table: 'nft_auctions',
  methods: [['get_auction_data_v4'], ['get_sale_data']],
  detect: async (probe) => (await orNothing(readV4(probe))) ?? readOld(probe),
};

async function readV4(probe: Probe): Promise<Auction> {
  const answer = (await probe.run('get_auction_data_v4')).atLeast(26);
  const columns = new AnswerColumns(answer);
  return {
    activated: columns.flag(0),
    ...readTerms(answer),
    step_time: columns.int64(20),
    last_query_id: columns.decimal(21),
    jetton_wallet: columns.accountOrNull(22),
    jetton_master: columns.accountOrNull(23),
    is_broken_state: columns.flag(24),
    public_key: columns.bits256(25),
  };
}

async function readOld(probe: Probe): Promise<Auction> {
  const answer = (await probe.run('get_sale_data')).atLeast(20);
  if (answer.integer(0) !== MAGIC) return refuse('no auction');
  return {
    ...readTerms(answer),
    activated: null,
    step_time: null,
    last_query_id: null,
    jetton_wallet: null,
    jetton_master: null,
    is_broken_state: null,
    public_key: null,
  };
}

/** What all versions say, at the same places. */
function readTerms(answer: MethodAnswer) {
  const columns = new AnswerColumns(answer);
  return {
    end_flag: columns.flag(1),
    end_time: columns.int64(2),
    marketplace: columns.account(3),
    nft: columns.account(4),
    nft_owner: columns.accountOrNull(5),
    last_bid: columns.decimal(6),
    last_member: columns.accountOrNull(7),
    min_step: columns.int64(8),
    marketplace_fee_address: columns.account(9),
    marketplace_fee_factor: columns.int64(10),
    marketplace_fee_base: columns.int64(11),
    royalty_address: columns.account(12),
    royalty_factor: columns.int64(13),
    royalty_base: columns.int64(14),
    max_bid: columns.decimal(15),
    min_bid: columns.decimal(16),
    created_at: columns.int64(17),
    last_bid_at: columns.int64(18),
    is_canceled: columns.flag(19),
  };
}
