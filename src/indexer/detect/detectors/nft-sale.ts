import { formatRaw } from '../../../chain/address/format-address.ts';
import type { MethodAnswer } from '../../../chain/contracts/method-answer.ts';
import { orNothing, orNotThat, refuse } from '../../../chain/contracts/not-that.ts';
import type { Probe } from '../../../chain/contracts/probe.ts';
import type { CellEntry } from '../../../chain/stack/stack-entry.ts';
import { walkDictionary } from '../../../chain/tlb/dictionary.ts';
import type { ContractColumns, Detector } from '../detector.ts';
import { AnswerColumns } from './answer-columns.ts';

/** FIXP */
const MAGIC = 0x46495850n;
const MAX_PRICES = 1000;

type Sale = ContractColumns<'nft_sales'>;

/** A GetGems sale for a fixed price, of any version. */
export const NFT_SALE: Detector<'nft_sales'> = {
  table: 'nft_sales',
  methods: [['get_sale_data'], ['get_fix_price_data_v4']],
  detect: async (probe) => (await orNothing(readOld(probe))) ?? readV4(probe),
};

async function readOld(probe: Probe): Promise<Sale> {
  const answer = (await probe.run('get_sale_data')).atLeast(11);
  if (answer.integer(0) !== MAGIC) return refuse('no sale for a fixed price');
  return { ...readTerms(answer, 1), sold_at: null, sold_query_id: null, jetton_prices: null };
}

async function readV4(probe: Probe): Promise<Sale> {
  const answer = (await probe.run('get_fix_price_data_v4')).atLeast(13);
  const columns = new AnswerColumns(answer);
  return {
    ...readTerms(answer, 0),
    sold_at: columns.int64(10),
    sold_query_id: columns.decimal(11),
    jetton_prices: readPrices(answer.maybeCell(12)),
  };
}

/** What all versions say, from a place in the answer on. */
function readTerms(answer: MethodAnswer, at: number) {
  const columns = new AnswerColumns(answer);
  return {
    is_complete: columns.flag(at),
    created_at: columns.int64(at + 1),
    marketplace: columns.account(at + 2),
    nft: columns.account(at + 3),
    nft_owner: columns.accountOrNull(at + 4),
    full_price: columns.decimal(at + 5),
    marketplace_fee_address: columns.account(at + 6),
    marketplace_fee: columns.decimal(at + 7),
    royalty_address: columns.account(at + 8),
    royalty_amount: columns.decimal(at + 9),
  };
}

/** Prices by the sale's wallets of jettons, which are in the basechain; what follows a price is not looked at. */
function readPrices(dictionary: CellEntry | undefined): Record<string, string> | null {
  if (dictionary === undefined) return null;
  const prices: Record<string, string> = {};
  let count = 0;
  orNotThat(() =>
    walkDictionary(dictionary.cells, dictionary.cell, 256, (hash, value) => {
      if (++count > MAX_PRICES) refuse('too many prices');
      prices[formatRaw({ workchain: 0, hash }, 'upper')] = value.coins().toString();
    }),
  );
  return prices;
}
