import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import Type from 'typebox';
import { toAccountBytes } from '../chain/address.ts';
import type { Tables } from '../db/tables/tables.ts';
import { defineOperation, type Operation, type Parameter } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import { readMasterchainEnds } from '../index/read/blocks.ts';
import { type AuctionRow, readAuctions } from '../index/read/dns.ts';
import type { ListWindow } from '../index/read/lists.ts';
import { readNftItems } from '../index/read/nfts.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { quoted } from '../lib/wrong-value.ts';
import { addressInfoFields, loadAddressBookFields, loadMetadataFields } from './address-book.ts';
import type { V3Call } from './call.ts';
import { recordedExample } from './examples.ts';
import { type ListLimits, sortParam, windowParams, withDefaultLimit } from './list-parameters.ts';
import { type NftItemJson, nftItemSchema, toNftItems } from './nfts.ts';
import { addressKind, booleanParam, MAX_INT64, stringParam } from './parameter-kinds.ts';
import { invalidParameter, type ParameterKind, scalarParam } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { formatAccount, Nullable } from './values.ts';

const DEFAULT_LIMIT = 100;
const NO_BIDDER = 'bidder address is required';
const WRONG_STATE = 'state must be one of: all, won, bidding';
const BOTH = 'use either after or offset, not both';

/** Auctions of domains in which somebody is the highest bidder. */
export function createDnsActiveAuctions(limits: ListLimits): Operation<V3Call> {
  return defineOperation({
    name: 'dns/activeAuctions',
    methods: ['GET'],
    tag: 'dns',
    summary: 'Auctions of domains by highest bidder',
    description:
      'Auctions of .ton domains in which an account is the highest bidder now, the one that ends first comes first. One that has ended is listed until it is claimed. Ended means: at the time of the newest indexed masterchain block.',
    parameters: {
      bidder: bidderParam(),
      state: stateParam(),
      include_nft_items: booleanParam({ description: 'Also the NFT items of the domains.', fallback: false }),
      after: stringParam({ description: 'Where the page starts: `next_cursor` of the previous page.' }),
      ...windowParams(withDefaultLimit(limits, DEFAULT_LIMIT)),
      sort: sortParam({ description: 'Has no effect.' }),
    },
    result: Type.Object(
      {
        auctions: Type.Array(auctionSchema),
        ...addressInfoFields,
        next_cursor: Nullable(PlainText({ description: 'Null on the last page.' })),
      },
      { title: 'DNSAuctionsResponse' },
    ),
    cache: 'head',
    examples: [
      recordedExample('dns/activeAuctions'),
      { title: 'Nothing given', params: {}, failure: { code: 422, text: NO_BIDDER } },
      {
        title: 'An unknown state',
        params: { bidder: '{alice}', state: 'lost' },
        failure: { code: 422, text: WRONG_STATE },
      },
      {
        title: 'Two ways to say where the page starts',
        params: { bidder: '{alice}', after: 'MDAwMDAwMDAwMDE3OTAwMDM2MDA6MA', offset: 1 },
        failure: { code: 422, text: BOTH },
      },
    ],
    handler: (params, call: V3Call) => {
      const page = toAuctionPage(params);
      const { bidder, state, include_nft_items: hasItems } = params;
      const isEnded = state === 'all' ? undefined : state === 'won';
      return readIndex(call, async (db) => {
        const now = Number((await readMasterchainEnds(db))?.last.gen_utime ?? 0);
        const rows = await readAuctions(db, { filter: { bidder, isEnded, now }, page });
        const nextCursor = rows.length === page.limit ? cursorOf(rows.at(-1)!) : null;
        if (nextCursor !== null) call.notes.nextCursor = nextCursor;
        const items = hasItems ? await loadItems(db, rows) : undefined;
        const accounts = rows.map(({ account }) => account);
        return {
          auctions: rows.map((row) => toAuction(row, now, items?.json.get(bytesKey(row.account)))),
          ...(await loadAddressBookFields(call, db, [bidder, ...accounts])),
          ...(await loadMetadataFields(call, db, [...accounts, ...(items?.collections ?? [])])),
          next_cursor: nextCursor,
        };
      });
    },
  });
}

/** Addresses that are not those of accounts, in the spelling of v3. */
const NOT_STANDARD =
  /^(?:null|addr_none|ext\$[0-9]{1,3}:[0-9A-Fa-f]*|var\$-?[0-9]+:[0-9]{1,3}:[0-9A-Fa-f]*)$/;

/** The contract has one text for an absent bidder and for one that cannot bid. */
function bidderParam(): Parameter<Buffer> {
  const description = 'The highest bidder.';
  const address = scalarParam(addressKind, { description, required: true, missingText: NO_BIDDER });
  return {
    ...address,
    read: (input) => {
      const last = input.values.at(-1);
      if (typeof last === 'string' && NOT_STANDARD.test(last.trim()))
        throw invalidParameter(input.name, NO_BIDDER);
      return toAccountBytes(address.read(input));
    },
  };
}

const STATES = ['all', 'won', 'bidding'] as const;
type State = (typeof STATES)[number];

function stateParam(): Parameter<State> {
  const kind: ParameterKind<State> = {
    schema: Type.String({ enum: [...STATES] }),
    convert: (text) => STATES.find((state) => state === text),
    empty: 'absent',
    refusal: () => WRONG_STATE,
  };
  const description = 'Auctions that have ended and are not claimed (`won`), open ones (`bidding`), or all.';
  return scalarParam(kind, { description, fallback: 'all' });
}

interface AuctionPageParams {
  readonly limit: number;
  readonly offset: number;
  readonly after: string | undefined;
  readonly cursor: string | undefined;
}

/** `after` is the contract's name for a cursor; the cursors are the same. */
function toAuctionPage({ limit, offset, after, cursor }: AuctionPageParams): ListWindow {
  if (after !== undefined) {
    if (offset > 0) throw invalidParameter('after', BOTH);
    return { limit, offset, after: decodeCursor(after) ?? refuse('after', 'invalid after cursor') };
  }
  if (cursor === undefined) return { limit, offset };
  const wrong = `cursor is not one of this list in this order: ${quoted(cursor)}`;
  return { limit, offset, after: decodeCursor(cursor) ?? refuse('cursor', wrong) };
}

function refuse(name: string, text: string): never {
  throw invalidParameter(name, text);
}

const TIME_DIGITS = 20;
const CURSOR = /^([0-9]{20}):(.+)$/s;

function cursorOf({ auction_end_time: end, account }: AuctionRow): string {
  const text = `${end.padStart(TIME_DIGITS, '0')}:${formatAccount(account)}`;
  return Buffer.from(text).toString('base64url');
}

/** The end of an auction and the address of its item; the contract checks only the form. */
function decodeCursor(cursor: string): readonly string[] | undefined {
  if (!/^[\w-]+$/.test(cursor)) return undefined;
  const [, digits, address] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  if (digits === undefined || address === undefined || address.includes('\0')) return undefined;
  const end = BigInt(digits);
  return [String(end < MAX_INT64 ? end : MAX_INT64), address];
}

/** The NFT items of auctions, and their collections. */
interface AuctionItems {
  readonly json: ReadonlyMap<string, NftItemJson>;
  readonly collections: readonly (Buffer | null)[];
}

async function loadItems(db: Kysely<Tables>, auctions: readonly AuctionRow[]): Promise<AuctionItems> {
  const accounts = auctions.map(({ account }) => account);
  if (accounts.length === 0) return { json: new Map(), collections: [] };
  const rows = await readNftItems(db, {
    accounts,
    owners: [],
    collections: [],
    indexes: [],
    bySeller: false,
    isByLastChange: false,
    page: { limit: accounts.length, offset: 0 },
  });
  const items = await toNftItems(db, rows);
  return {
    json: new Map(rows.map(({ account }, i) => [bytesKey(account), items[i]!])),
    collections: rows.map(({ collection }) => collection),
  };
}

const auctionSchema = Type.Object(
  {
    nft_item_address: PlainText(),
    domain: Type.String(),
    max_bid_address: PlainText(),
    max_bid_amount: Nullable(PlainText({ description: 'Nanotons.' })),
    auction_end_time: PlainText({ description: 'Unix time.' }),
    last_fill_up_time: Nullable(PlainText({ description: 'Unix time of the last bid or renewal.' })),
    finished: Type.Boolean({ description: 'The auction has ended and is not claimed.' }),
    nft_item: Type.Optional(nftItemSchema),
  },
  { title: 'DNSAuction' },
);

function toAuction(
  row: AuctionRow,
  now: number,
  item: NftItemJson | undefined,
): Static<typeof auctionSchema> {
  return {
    nft_item_address: formatAccount(row.account),
    domain: row.domain,
    max_bid_address: formatAccount(row.max_bid_address),
    max_bid_amount: row.max_bid_amount,
    auction_end_time: row.auction_end_time,
    last_fill_up_time: row.last_fill_up_time,
    finished: BigInt(row.auction_end_time) <= BigInt(now),
    ...(item && { nft_item: item }),
  };
}
