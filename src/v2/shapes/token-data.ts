import Type, { type Static } from 'typebox';
import { TOKEN_ATTRIBUTES, type TokenContent } from '../../chain/contracts/token-content.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { PlainText } from '../../http/serializer.ts';
import type { TokenData } from '../reads/token-data.ts';
import { friendlyAddress } from './account-address.ts';
import { BocText, bocText } from './cell-bytes.ts';
import { DnsRecordSet, dnsRecordSet } from './dns-record.ts';

/** What a token of one kind says of itself. */
type Data<Kind extends TokenData['kind']> = Extract<TokenData, { readonly kind: Kind }>;

const Int256 = () => PlainText({ pattern: '^-?[0-9]+$' });
const OptionalAddress = () => Type.Optional(PlainText());

const OffChain = Type.Object({ type: Type.Literal('offchain'), data: Type.String() });
const OnChain = Type.Object({
  type: Type.Literal('onchain'),
  data: Type.Partial(Type.Record(Type.Enum(TOKEN_ATTRIBUTES), Type.String())),
});
const Content = Type.Union([OffChain, OnChain]);
const DomainContent = Type.Object({ domain: Type.String(), data: DnsRecordSet });

const JettonMasterShape = Type.Object({
  '@type': Type.Literal('ext.tokens.jettonMasterData'),
  address: PlainText(),
  contract_type: Type.Literal('jetton_master'),
  total_supply: Int256(),
  mintable: Type.Boolean(),
  admin_address: OptionalAddress(),
  jetton_content: Content,
  jetton_wallet_code: BocText(),
});

const JettonWalletShape = Type.Object({
  '@type': Type.Literal('ext.tokens.jettonWalletData'),
  address: PlainText(),
  contract_type: Type.Literal('jetton_wallet'),
  balance: Int256(),
  owner: PlainText(),
  jetton: PlainText(),
  mintless_is_claimed: Type.Optional(Type.Boolean()),
  jetton_wallet_code: BocText(),
});

const NftCollectionShape = Type.Object({
  '@type': Type.Literal('ext.tokens.nftCollectionData'),
  address: PlainText(),
  contract_type: Type.Literal('nft_collection'),
  next_item_index: Int256(),
  owner_address: OptionalAddress(),
  collection_content: Content,
});

const NftItemShape = Type.Object({
  '@type': Type.Literal('ext.tokens.nftItemData'),
  address: PlainText(),
  contract_type: Type.Literal('nft_item'),
  init: Type.Boolean(),
  index: Int256(),
  collection_address: OptionalAddress(),
  owner_address: OptionalAddress(),
  content: Type.Union([OffChain, OnChain, DomainContent]),
});

/** What a contract of a token says of itself. */
export const TokenDataShape = Type.Union([
  JettonMasterShape,
  JettonWalletShape,
  NftCollectionShape,
  NftItemShape,
]);

/** Writes what a contract of a token says of itself; `address` is shown as it was asked for. */
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
    ...named('admin_address', data.admin),
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
    ...named('owner_address', data.owner),
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
    ...named('collection_address', data.collection),
    ...named('owner_address', data.owner),
    content:
      domain === undefined
        ? content(data.content)
        : { domain: domain.name, data: dnsRecordSet(domain.records) },
  };
}

/** An address under a name, or nothing at all where there is none. */
function named<Name extends string>(name: Name, address: AccountId | undefined): { [K in Name]?: string } {
  return address === undefined ? {} : ({ [name]: friendlyAddress(address) } as { [K in Name]: string });
}

function content(shown: TokenContent): Static<typeof Content> {
  return shown.type === 'offchain'
    ? { type: 'offchain', data: shown.uri }
    : { type: 'onchain', data: { ...shown.attributes } };
}
