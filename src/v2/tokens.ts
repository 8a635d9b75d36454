import type { Static } from 'typebox';
import Type from 'typebox';
import { type AccountId, formatFriendly, formatRaw, type ParsedAddress } from '../chain/address.ts';
import { bocText } from '../chain/boc/writer.ts';
import { type DnsEntry, type DnsRecord, dnsCategoryName } from '../chain/contracts/dns.ts';
import { TOKEN_ATTRIBUTES, type TokenContent } from '../chain/contracts/token-content.ts';
import { PlainText } from '../http/serializer.ts';
import { Failure } from '../lib/errors.ts';
import { readAccountAt } from '../live/accounts.ts';
import { admitGetMethod } from '../live/get-methods.ts';
import { readTokenData, type TokenData } from '../live/tokens.ts';
import { defineV2Operation } from './operation.ts';
import { address, masterchainSeqno } from './parameters.ts';
import { BocText, friendlyAddress, shapeOf, TonlibObject } from './shapes.ts';

const HashHex = () => PlainText({ pattern: '^[0-9a-f]{64}$' });
const SmcAddress = TonlibObject('addr_std', 'SmcAddr', {
  workchain_id: Type.Integer(),
  address: HashHex(),
});

const DnsRecordShape = Type.Union(
  [
    TonlibObject('dns_smc_address', 'DnsRecordSmcAddress', { smc_addr: SmcAddress }),
    TonlibObject('dns_next_resolver', 'DnsRecordNextResolver', { resolver: SmcAddress }),
    TonlibObject('dns_adnl_address', 'DnsRecordAdnlAddress', { adnl_addr: HashHex() }),
    TonlibObject('dns_storage_address', 'DnsRecordStorageAddress', { bag_id: HashHex() }),
  ],
  { title: 'DnsRecord' },
);

/** The records of a domain by the names of their categories, or by the hash of an unknown one in hex. */
const DnsRecordSet = Type.Record(Type.String(), DnsRecordShape, { title: 'DnsRecordSet' });

/** Writes the records of a domain; text records are left out, by contract. */
function dnsRecordSet(entries: readonly DnsEntry[]): Static<typeof DnsRecordSet> {
  const set: Static<typeof DnsRecordSet> = {};
  for (const { category, record } of entries) {
    const written = dnsRecord(record);
    const name = dnsCategoryName(category) ?? category.toString('hex').toUpperCase();
    if (written !== undefined) set[name] = written;
  }
  return set;
}

function dnsRecord(record: DnsRecord): Static<typeof DnsRecordShape> | undefined {
  switch (record.kind) {
    case 'smc_address':
      return { '@type': 'dns_smc_address', smc_addr: smcAddress(record.address) };
    case 'next_resolver':
      return { '@type': 'dns_next_resolver', resolver: smcAddress(record.address) };
    case 'adnl_address':
      return { '@type': 'dns_adnl_address', adnl_addr: record.id.toString('hex') };
    case 'storage_address':
      return { '@type': 'dns_storage_address', bag_id: record.id.toString('hex') };
    default:
      return undefined;
  }
}

function smcAddress({ workchain, hash }: AccountId): Static<typeof SmcAddress> {
  return { '@type': 'addr_std', workchain_id: workchain, address: hash.toString('hex') };
}

type Data<Kind extends TokenData['kind']> = Extract<TokenData, { readonly kind: Kind }>;

const Int256 = () => PlainText({ pattern: '^-?[0-9]+$' });

const OffChain = Type.Object(
  { type: Type.Literal('offchain'), data: Type.String() },
  { title: 'TokenContentOffchain' },
);
const OnChain = Type.Object(
  {
    type: Type.Literal('onchain'),
    data: Type.Partial(Type.Record(Type.Enum(TOKEN_ATTRIBUTES), Type.String()), {
      title: 'TokenContentDict',
    }),
  },
  { title: 'TokenContentOnchain' },
);
const Content = Type.Union([OffChain, OnChain], { title: 'TokenContent' });
const DomainContent = Type.Object({ domain: Type.String(), data: DnsRecordSet }, { title: 'DnsContent' });

/** A token, and the text of its address to show. */
type Shown<Kind extends TokenData['kind']> = Data<Kind> & { readonly shownAddress: string };

const addressField = [
  PlainText(),
  ({ shownAddress }: { readonly shownAddress: string }) => shownAddress,
] as const;
const OptionalAddress = () => Type.Optional(PlainText());
const optionalText = (account: AccountId | undefined) => account && friendlyAddress(account);

const jettonMaster = shapeOf<Shown<'jetton_master'>>()('ext.tokens.jettonMasterData', 'JettonMasterData', {
  address: addressField,
  contract_type: [Type.Literal('jetton_master'), ({ kind }) => kind],
  total_supply: [Int256(), ({ totalSupply }) => String(totalSupply)],
  mintable: [Type.Boolean(), ({ mintable }) => mintable],
  admin_address: [OptionalAddress(), ({ admin }) => optionalText(admin)],
  jetton_content: [Content, (data) => content(data.content)],
  jetton_wallet_code: [BocText(), ({ walletCode: { cells, cell } }) => bocText(cells, cell)],
});

const jettonWallet = shapeOf<Shown<'jetton_wallet'>>()('ext.tokens.jettonWalletData', 'JettonWalletData', {
  address: addressField,
  contract_type: [Type.Literal('jetton_wallet'), ({ kind }) => kind],
  balance: [Int256(), ({ balance }) => String(balance)],
  owner: [PlainText(), ({ owner }) => friendlyAddress(owner)],
  jetton: [PlainText(), ({ jetton }) => friendlyAddress(jetton)],
  mintless_is_claimed: [Type.Optional(Type.Boolean()), ({ isClaimed }) => isClaimed],
  jetton_wallet_code: [BocText(), ({ walletCode: { cells, cell } }) => bocText(cells, cell)],
});

const nftCollection = shapeOf<Shown<'nft_collection'>>()(
  'ext.tokens.nftCollectionData',
  'NftCollectionData',
  {
    address: addressField,
    contract_type: [Type.Literal('nft_collection'), ({ kind }) => kind],
    next_item_index: [Int256(), ({ nextItemIndex }) => String(nextItemIndex)],
    owner_address: [OptionalAddress(), ({ owner }) => optionalText(owner)],
    collection_content: [Content, (data) => content(data.content)],
  },
);

const nftItem = shapeOf<Shown<'nft_item'>>()('ext.tokens.nftItemData', 'NftItemData', {
  address: addressField,
  contract_type: [Type.Literal('nft_item'), ({ kind }) => kind],
  init: [Type.Boolean(), ({ init }) => init],
  index: [Int256(), ({ index }) => String(index)],
  collection_address: [OptionalAddress(), ({ collection }) => optionalText(collection)],
  owner_address: [OptionalAddress(), ({ owner }) => optionalText(owner)],
  content: [
    Type.Union([OffChain, OnChain, DomainContent]),
    ({ domain, ...data }) =>
      domain === undefined
        ? content(data.content)
        : { domain: domain.name, data: dnsRecordSet(domain.records) },
  ],
});

const TokenDataShape = Type.Union(
  [jettonMaster.schema, jettonWallet.schema, nftCollection.schema, nftItem.schema],
  { title: 'TokenData' },
);

/** Writes the data of a token contract; `shownAddress` is the text to show. */
export function tokenData(data: TokenData, shownAddress: string): Static<typeof TokenDataShape> {
  switch (data.kind) {
    case 'jetton_master':
      return jettonMaster.write({ ...data, shownAddress });
    case 'jetton_wallet':
      return jettonWallet.write({ ...data, shownAddress });
    case 'nft_collection':
      return nftCollection.write({ ...data, shownAddress });
    case 'nft_item':
      return nftItem.write({ ...data, shownAddress });
  }
}

function content(given: TokenContent): Static<typeof Content> {
  return given.type === 'offchain'
    ? { type: 'offchain', data: given.uri }
    : { type: 'onchain', data: { ...given.attributes } };
}

/** The address in the form of the request: raw in upper case, or friendly with its flags. */
function canonicalAddress(address: ParsedAddress): string {
  return address.form === 'friendly' ? formatFriendly(address, address) : formatRaw(address, 'upper');
}

export const getTokenData = defineV2Operation({
  name: 'getTokenData',
  tag: 'accounts',
  summary: 'Get the data of a jetton or NFT contract',
  description:
    'Tries the contract as a jetton master, a jetton wallet, an NFT collection and an NFT, in this order. A jetton wallet must be confirmed by its master, an NFT by its collection. Domains have their DNS records.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: TokenDataShape,
  errors: [{ code: 409, when: 'The contract is neither a jetton nor an NFT' }],
  // Get-methods always see the newest config.
  cache: 'head',
  handler: async ({ address, seqno }, call) => {
    admitGetMethod(call);
    const at = await readAccountAt(call, address, seqno);
    const data = await readTokenData(call, at);
    const text = canonicalAddress(address);
    if (data === undefined) throw new Failure('conflict', `Smart contract ${text} is not Jetton or NFT`);
    return tokenData(data, text);
  },
});
