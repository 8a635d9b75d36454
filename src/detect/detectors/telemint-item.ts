import { isUtf8 } from 'node:buffer';
import { readNftItem } from '../../chain/contracts/nft.ts';
import {
  type ContractReader,
  type MethodResult,
  mismatchOnCellError,
  throwMismatch,
  undefinedOnMismatch,
} from '../../chain/contracts/probe.ts';
import { MAX_STORED_CONTENT_BYTES, readSnake } from '../../chain/contracts/token-content.ts';
import { openEntry } from '../../chain/stack/entries.ts';
import type { Detector } from '../detection.ts';
import { ResultColumns } from './result-columns.ts';

const NO_AUCTION = { bidder: null, bid: 0n, bid_ts: 0n, min_bid: 0n, end_time: 0n };

/** A Fragment NFT item. Without an auction config its beneficiary is null, which is a mismatch. */
export const TELEMINT_ITEM: Detector<'telemint_items'> = {
  table: 'telemint_items',
  methods: [['get_nft_data', 'get_telemint_token_name', 'get_telemint_auction_config', 'royalty_params']],
  async detect(probe) {
    await readNftItem(probe, MAX_STORED_CONTENT_BYTES);
    const [name, auction, terms, royalty] = await Promise.all([
      probe.run('get_telemint_token_name'),
      undefinedOnMismatch(readAuction(probe)),
      probe.run('get_telemint_auction_config'),
      probe.run('royalty_params'),
    ]);
    return {
      token_name: readName(name),
      ...(auction ?? NO_AUCTION),
      ...readTerms(terms.atLeast(6)),
      ...readRoyalty(royalty.atLeast(3)),
    };
  },
};

function readName(result: MethodResult): string {
  const bytes = mismatchOnCellError(() => readSnake(openEntry(result.part(0)), MAX_STORED_CONTENT_BYTES));
  if (bytes === undefined || !isUtf8(bytes)) return throwMismatch('text expected');
  return bytes.toString('utf8').replaceAll('\0', '');
}

async function readAuction(probe: ContractReader) {
  const result = (await probe.run('get_telemint_auction_state')).atLeast(5);
  const columns = new ResultColumns(result);
  return {
    bidder: readParty(result),
    bid: columns.decimal(1),
    bid_ts: columns.int64(2),
    min_bid: columns.decimal(3),
    end_time: columns.int64(4),
  };
}

function readTerms(result: MethodResult) {
  const columns = new ResultColumns(result);
  return {
    beneficiary: readParty(result),
    initial_min_bid: columns.decimal(1),
    max_bid: columns.decimal(2),
    min_bid_step: columns.decimal(3),
    min_extend_time: columns.int64(4),
    duration: columns.int64(5),
  };
}

function readRoyalty(result: MethodResult) {
  const columns = new ResultColumns(result);
  return {
    royalty_numerator: columns.int64(0),
    royalty_denominator: columns.int64(1),
    royalty_destination: columns.account(2),
  };
}

/** The account at index 0; none is addr_none or an empty cell. */
function readParty(result: MethodResult): Buffer | null {
  const bits = mismatchOnCellError(() => openEntry(result.part(0)).bitsLeft);
  return bits === 0 ? null : new ResultColumns(result).accountOrNull(0);
}
