import Type from 'typebox';
import { toAccountBytes } from '../chain/address.ts';
import type { Db } from '../db/tables/tables.ts';
import type { Parameter } from '../http/operation.ts';
import { PlainText } from '../http/serializer.ts';
import { readMasterchainEnds } from '../index/read/blocks.ts';
import {
  type AuctionRow,
  DNS_RECORD_KEYS,
  type DnsFilter,
  readAuctions,
  readDnsRecords,
} from '../index/read/dns.ts';
import type { ListWindow } from '../index/read/lists.ts';
import { readNftItems } from '../index/read/nfts.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { quoted } from '../lib/wrong-value.ts';
import {
  addressInfoFields,
  loadAddressBookFields,
  loadMetadataFields,
  withAddressBook,
} from './address-book.ts';
import { readList, sortParam, type WindowParams, windowParams, withDefaultLimit } from './list-parameters.ts';
import { type NftItemJson, nftItem, toNftItems } from './nfts.ts';
import { defineV3Operation, type ListLimits } from './operation.ts';
import {
  addressKind,
  addressOrNullParam,
  booleanParam,
  stringParam,
  toAccountOrNull,
} from './parameter-kinds.ts';
import { invalidParameter, MAX_INT64, type ParameterKind, scalarParam } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { account, base64, defineRow, flag, member, nullable, plainAddress, text, words } from './row-json.ts';
import { formatAccount, Nullable } from './values.ts';

export const createDnsRecords = (limits: ListLimits) =>
  defineV3Operation({
    name: 'dns/records',
    tag: 'dns',
    summary: 'DNS records',
    description: 'Domains of .ton and .t.me with their records, shortest domain first.',
    parameters: {
      wallet: addressOrNullParam('Domains that resolve to this wallet; `addr_none` counts as absent.'),
      domain: stringParam('The domain with this name, such as `alice.ton`.'),
      ...windowParams(limits),
    },
    result: withAddressBook('DNSRecordsResponse', { records: Type.Array(dnsRecord.schema) }),
    handler: (params, call) => {
      const { domain } = params;
      const filter = toFilter({ wallet: toAccountOrNull(params.wallet) ?? undefined, domain });
      return readList(call, params, {
        keys: DNS_RECORD_KEYS,
        read: (db, page) => readDnsRecords(db, { filter, page }),
        show: async (rows, db) => ({
          records: rows.map(dnsRecord.write),
          ...(await loadAddressBookFields(call, db, dnsRecord.accountsOf(rows))),
        }),
      });
    },
  });

function toFilter({ wallet, domain }: { wallet: Buffer | undefined; domain: string | undefined }): DnsFilter {
  if (wallet !== undefined && domain !== undefined)
    throw invalidParameter('domain', 'provide either wallet address or domain, not both');
  if (wallet !== undefined) return { wallet };
  if (domain === undefined) throw invalidParameter('wallet', 'either wallet address or domain is required');
  return { domain };
}

const dnsRecord = defineRow('DNSRecord', {
  nft_item_address: account('account'),
  nft_item_owner: nullable(account('owner')),
  domain: words('domain'),
  dns_next_resolver: nullable(plainAddress('next_resolver')),
  dns_wallet: nullable(account('wallet')),
  dns_site_adnl: nullable(base64('site_adnl', 'Base64.')),
  dns_storage_bag_id: nullable(base64('storage_bag_id', 'Base64.')),
});

const DEFAULT_LIMIT = 100;
const NO_BIDDER = 'bidder address is required';

export const createDnsActiveAuctions = (limits: ListLimits) =>
  defineV3Operation({
    name: 'dns/activeAuctions',
    tag: 'dns',
    summary: 'Auctions of domains by highest bidder',
    description:
      'Auctions of .ton domains in which an account is the highest bidder now, the one that ends first comes first. One that has ended is listed until it is claimed. Ended means: at the time of the newest indexed masterchain block.',
    parameters: {
      bidder: bidderParam(),
      state: stateParam(),
      include_nft_items: booleanParam('Also the NFT items of the domains.', { fallback: false }),
      after: stringParam('Where the page starts: `next_cursor` of the previous page.'),
      ...windowParams(withDefaultLimit(limits, DEFAULT_LIMIT)),
      sort: sortParam('Has no effect.'),
    },
    result: Type.Object(
      {
        auctions: Type.Array(auction.schema),
        ...addressInfoFields,
        next_cursor: Nullable(PlainText({ description: 'Null on the last page.' })),
      },
      { title: 'DNSAuctionsResponse' },
    ),
    handler: (params, call) => {
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
          auctions: rows.map((row) =>
            auction.write({
              ...row,
              finished: BigInt(row.auction_end_time) <= BigInt(now),
              item: items?.json.get(bytesKey(row.account)),
            }),
          ),
          ...(await loadAddressBookFields(call, db, [bidder, ...accounts])),
          ...(await loadMetadataFields(call, db, [...accounts, ...(items?.collections ?? [])])),
          next_cursor: nextCursor,
        };
      });
    },
  });

/** Addresses that are not those of accounts, in the spelling of v3. */
const NOT_STANDARD =
  /^(?:null|addr_none|ext\$[0-9]{1,3}:[0-9A-Fa-f]*|var\$-?[0-9]+:[0-9]{1,3}:[0-9A-Fa-f]*)$/;

/** The contract has one text for an absent bidder and for one that cannot bid. */
function bidderParam(): Parameter<Buffer> {
  const description = 'The highest bidder.';
  const address = scalarParam(addressKind, description, { required: true, missingText: NO_BIDDER });
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
    refusal: () => 'state must be one of: all, won, bidding',
  };
  const description = 'Auctions that have ended and are not claimed (`won`), open ones (`bidding`), or all.';
  return scalarParam(kind, description, { fallback: 'all' });
}

/** `after` is the contract's name for a cursor; the cursors are the same. */
function toAuctionPage(params: WindowParams & { readonly after: string | undefined }): ListWindow {
  const { limit, offset, after, cursor } = params;
  if (after !== undefined) {
    if (offset > 0) throw invalidParameter('after', 'use either after or offset, not both');
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

async function loadItems(db: Db, auctions: readonly AuctionRow[]) {
  const accounts = auctions.map(({ account }) => account);
  if (accounts.length === 0) return undefined;
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

const auction = defineRow('DNSAuction', {
  nft_item_address: account('account'),
  domain: words('domain'),
  max_bid_address: account('max_bid_address'),
  max_bid_amount: nullable(text('max_bid_amount', 'Nanotons.')),
  auction_end_time: text('auction_end_time', 'Unix time.'),
  last_fill_up_time: nullable(text('last_fill_up_time', 'Unix time of the last bid or renewal.')),
  finished: flag('finished', 'The auction has ended and is not claimed.'),
  nft_item: member(
    Type.Optional(nftItem.schema),
    ({ item }: { readonly item: NftItemJson | undefined }) => item,
  ),
});
