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
import { BocText, friendlyAddress, TonlibObject } from './shapes.ts';

const HashHex = () => PlainText({ pattern: '^[0-9a-f]{64}$' });
const SmcAddress = TonlibObject('addr_std', 'SmcAddr', {
  workchain_id: Type.Integer(),
  address: HashHex(),
});

/** A record of a domain in the data of an NFT. */
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
const OptionalAddress = () => Type.Optional(PlainText());

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

const JettonMasterShape = TonlibObject('ext.tokens.jettonMasterData', 'JettonMasterData', {
  address: PlainText(),
  contract_type: Type.Literal('jetton_master'),
  total_supply: Int256(),
  mintable: Type.Boolean(),
  admin_address: OptionalAddress(),
  jetton_content: Content,
  jetton_wallet_code: BocText(),
});

const JettonWalletShape = TonlibObject('ext.tokens.jettonWalletData', 'JettonWalletData', {
  address: PlainText(),
  contract_type: Type.Literal('jetton_wallet'),
  balance: Int256(),
  owner: PlainText(),
  jetton: PlainText(),
  mintless_is_claimed: Type.Optional(Type.Boolean()),
  jetton_wallet_code: BocText(),
});

const NftCollectionShape = TonlibObject('ext.tokens.nftCollectionData', 'NftCollectionData', {
  address: PlainText(),
  contract_type: Type.Literal('nft_collection'),
  next_item_index: Int256(),
  owner_address: OptionalAddress(),
  collection_content: Content,
});

const NftItemShape = TonlibObject('ext.tokens.nftItemData', 'NftItemData', {
  address: PlainText(),
  contract_type: Type.Literal('nft_item'),
  init: Type.Boolean(),
  index: Int256(),
  collection_address: OptionalAddress(),
  owner_address: OptionalAddress(),
  content: Type.Union([OffChain, OnChain, DomainContent]),
});

const TokenDataShape = Type.Union([JettonMasterShape, JettonWalletShape, NftCollectionShape, NftItemShape], {
  title: 'TokenData',
});

/** Writes the data of a token contract; `address` is the text to show. */
export function tokenData(data: TokenData, address: string): Static<typeof TokenDataShape> {
  switch (data.kind) {
    case 'jetton_master':
      return jettonMaster(data, address);
    case 'jetton_wallet':
      return jettonWallet(data, address);
    case 'nft_collection':
      return nftCollection(data, address);
    case 'nft_item':
      return nftItem(data, address);
  }
}

function jettonMaster(data: Data<'jetton_master'>, address: string): Static<typeof JettonMasterShape> {
  return {
    '@type': 'ext.tokens.jettonMasterData',
    address,
    contract_type: data.kind,
    total_supply: String(data.totalSupply),
    mintable: data.mintable,
    ...optionalAddress('admin_address', data.admin),
    jetton_content: content(data.content),
    jetton_wallet_code: bocText(data.walletCode.cells, data.walletCode.cell),
  };
}

function jettonWallet(data: Data<'jetton_wallet'>, address: string): Static<typeof JettonWalletShape> {
  return {
    '@type': 'ext.tokens.jettonWalletData',
    address,
    contract_type: data.kind,
    balance: String(data.balance),
    owner: friendlyAddress(data.owner),
    jetton: friendlyAddress(data.jetton),
    ...(data.isClaimed !== undefined && { mintless_is_claimed: data.isClaimed }),
    jetton_wallet_code: bocText(data.walletCode.cells, data.walletCode.cell),
  };
}

function nftCollection(data: Data<'nft_collection'>, address: string): Static<typeof NftCollectionShape> {
  return {
    '@type': 'ext.tokens.nftCollectionData',
    address,
    contract_type: data.kind,
    next_item_index: String(data.nextItemIndex),
    ...optionalAddress('owner_address', data.owner),
    collection_content: content(data.content),
  };
}

function nftItem(data: Data<'nft_item'>, address: string): Static<typeof NftItemShape> {
  const { domain } = data;
  return {
    '@type': 'ext.tokens.nftItemData',
    address,
    contract_type: data.kind,
    init: data.init,
    index: String(data.index),
    ...optionalAddress('collection_address', data.collection),
    ...optionalAddress('owner_address', data.owner),
    content:
      domain === undefined
        ? content(data.content)
        : { domain: domain.name, data: dnsRecordSet(domain.records) },
  };
}

/** A member with an address, or no member without one. */
function optionalAddress<Name extends string>(
  name: Name,
  address: AccountId | undefined,
): { [K in Name]?: string } {
  return address === undefined ? {} : ({ [name]: friendlyAddress(address) } as { [K in Name]: string });
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
