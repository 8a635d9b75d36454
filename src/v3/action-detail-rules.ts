import {
  type ActionColumns,
  type DetailContext,
  type DetailFields,
  int,
  type PayloadComment,
  readerOf,
  str,
} from './action-detail-fields.ts';

/** The name of the marketplace whose address is in a column; without an address, of the one that created the collection. */
export function marketplaceOf(path: string): (row: ActionColumns, context: DetailContext) => string | null {
  const read = readerOf(path);
  return (row, { testOnly }) => {
    const address = read(row) ?? row.asset;
    return (testOnly || typeof address !== 'string' ? null : MARKETPLACE_NAMES.get(address)) ?? null;
  };
}

/** Whether an NFT transfer was a purchase. */
export function isPurchase(row: ActionColumns): boolean {
  return row.type === 'nft_purchase' || readIsPurchase(row) === true;
}

const readIsPurchase = readerOf('nft_transfer.is_purchase');

/** The value of a DNS record, under the key of its kind. */
export const dnsValue: DetailFields = {
  sum_type: str('change_dns_record.value_schema'),
  dns_smc_address: str(recordOf('DNSSmcAddress')),
  dns_adnl_address: str(recordOf('DNSAdnlAddress')),
  dns_text: str(recordOf('DNSText')),
  dns_next_resolver_address: str(recordOf('DNSNextResolver')),
  dns_storage_address: str(recordOf('DNSStorageAddress')),
  flags: int('change_dns_record.flags'),
};

function recordOf(kind: string) {
  const readKind = readerOf('change_dns_record.value_schema');
  const readValue = readerOf('change_dns_record.value');
  return (row: ActionColumns) => (readKind(row) === kind ? readValue(row) : null);
}

/** A test whether a swap was on one of these DEXes. */
export function isDex(...names: readonly string[]): (row: ActionColumns) => boolean {
  const read = readerOf('jetton_swap.dex');
  return (row) => names.includes(String(read(row)));
}

/** A value of the group `extra`; in actions of older versions it is in a column. */
export function extraOr(name: string, column: string): (row: ActionColumns) => unknown {
  const [read, readColumn] = [readerOf(`extra.${name}`), readerOf(column)];
  return (row) => read(row) ?? readColumn(row);
}

const readDepositDex = readerOf('dex_deposit_liquidity.dex');

const WITH_DEPOSIT_CONTRACT: readonly unknown[] = ['dedust', 'dedust_v2'];

/** The receiver of deposited liquidity: with DeDust, a deposit contract in front of the pool. */
export function poolOrDeposit(row: ActionColumns): string | null {
  return WITH_DEPOSIT_CONTRACT.includes(readDepositDex(row)) ? row.destination_secondary : row.destination;
}

const readProvider = readerOf('staking.provider');

/** The staking provider; an older name is replaced. */
export function stakingProvider(row: ActionColumns): unknown {
  const provider = readProvider(row);
  return provider === 'tonstakers' ? 'liquid_staking' : provider;
}

/** A column that only stakes of one provider show. */
export function ofProvider(provider: string, path: string): (row: ActionColumns) => unknown {
  const read = readerOf(path);
  return (row) => (stakingProvider(row) === provider ? read(row) : null);
}

const readAssetId = readerOf('evaa_liquidate.asset_id');

/** The jetton of a liquidated asset; null for TON and for unknown assets. */
export function evaaAsset(row: ActionColumns, { testOnly }: DetailContext): string | null {
  return evaaAssetOf(readAssetId(row), testOnly) ?? null;
}

/** Whether the liquidated asset is known. */
export function isKnownEvaaAsset(row: ActionColumns, { testOnly }: DetailContext): boolean {
  return evaaAssetOf(readAssetId(row), testOnly) !== undefined;
}

const readClaimedJettons = readerOf('jvault_claim.claimed_jettons');
const readClaimedAmounts = readerOf('jvault_claim.claimed_amounts');

/** Claimed jettons with their amounts; empty if the two lists differ in length. */
export function claimedRewards(row: ActionColumns): unknown[] {
  const jettons = readClaimedJettons(row);
  const amounts = readClaimedAmounts(row);
  if (!Array.isArray(jettons) || !Array.isArray(amounts) || jettons.length !== amounts.length) return [];
  return jettons.map((jetton, at) => ({ jetton, amount: amounts[at] }));
}

const readPayload = readerOf('nft_transfer.forward_payload');

/** The comment of an NFT transfer. */
export function nftComment(row: ActionColumns, { commentOf }: DetailContext): PayloadComment | undefined {
  const payload = readPayload(row);
  return typeof payload === 'string' ? commentOf(payload) : undefined;
}

/**
 * Names of marketplaces on mainnet by the address of their contract, or by the address of a collection that one
 * marketplace created and sells.
 */
const MARKETPLACE_NAMES: ReadonlyMap<string, string> = new Map([
  ['0:584EE61B2DFF0837116D0FCB5078D93964BCBE9C05FD6A141B1BFCA5D6A43E18', 'getgems'],
  ['0:A3935861F79DAF59A13D6D182E1640210C02F98E3DF18FDA74B8F5AB141ABF18', 'getgems'],
  ['0:EB2EAF97EA32993470127208218748758A88374AD2BBD739FC75C9AB3A3F233D', 'disintar'],
  // The Telegram collections of user names and anonymous numbers.
  ['0:80D78A35F955A14B679FAA887FF4CD5BFC0F43B4A4EEA2A7E6927F3701B273C2', 'fragment'],
  ['0:0E41DC1DC3C9067ED24248580E12B3359818D83DEE0304FABCF80845EAFAFDB2', 'fragment'],
]);

const EVAA_TON = '0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8a';

const EVAA_MAINNET_ASSETS: ReadonlyMap<string, string> = new Map([
  [
    '0xb387968236197958ca4ac55e9b5be38e688c7631af84c86756431f49a878ef33',
    '0:729C13B6DF2C07CBF0A06AB63D34AF454F3D320EC1BCD8FB5C6D24D0806A17C2',
  ],
  [
    '0x83d916c68510802104d1f75aa6ce30eb1e477aede0d380eee2188e0e56581fc6',
    '0:7E30FC2B7751BA58A3642F3FD59D5E96A810DDD78D8A310BFE8353BEF10500DF',
  ],
  [
    '0x495668e908644f30322b997de8faaafc21f05aa52f8982f042dac1fe0b4d09d0',
    '0:CD872FA7C5816052ACDF5332260443FAEC9AACC8C21CCA4D92E7F47034D11892',
  ],
  [
    '0x3313e2f57ba870af34480350c789b0987d15b43a53172bfce294de21e7d724e7',
    '0:BDF3FA8098D129B54B4F73B5BAC5D1E1FD91EB054169C3916DFC8CCD536D1000',
  ],
  [
    '0xca9006bd3fb03d355daeeff93b24be90afaa6e3ca0073ff5720f8a852c933278',
    '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE',
  ],
  [
    '0xe025e6a575f174da6d62577c1fe204ccaa5d1e47c55c6b20c67daee56c357b60',
    '0:3E5FFCA8DDFCF36C36C9FF46F31562AAB51B9914845AD6C26CBDE649D58A5588',
  ],
  [
    '0x9c77a4d798a8f500dcfb877a07227c4ca9d6782504cdc7ce2ad0051e5641c032',
    '0:8D636010DD90D8C0902AC7F9F397D8BD5E177F131EE2CCA24CE894F15D19CEEA',
  ],
  [
    '0x6bfa124cc1343d14ba57ded299f6f514f5f26777099e3c378922ce4081ecbf91',
    '0:AEA78C710AE94270DC263A870CF47B4360F53CC5ED38E3DB502E9E9AFB904B11',
  ],
  [
    '0xe08b1f092e7240fb61bf8249d71aa635102acdd50122138105c35dd2896b5331',
    '0:FE72F474373E97032441BDB873F9A6D3AD10BAB08E6DBC7BEFA5E42B695F5400',
  ],
  [
    '0x70930360b81e5f4ef2e06d2bf64978b44d4b87fb85d78788e001cdf8812d13d1',
    '0:AFC49CB8786F21C87045B19EDE78FC6B46C51048513F8E9A6D44060199C1BF0C',
  ],
  [
    '0x8be3365cabaa6a0f90d2e64f03fa78268c135fe0b0758b576b447e9b2068d75d',
    '0:2F956143C461769579BAEF2E32CC2D7BC18283F40D20BB03E432CD603AC33FFC',
  ],
  [
    '0xb372eaca5210612d285f3fdd30e87a0c3a443f1bb7578e16da72563241997ca1',
    '0:1F1798F724C2296652E6002BFB51BED11FB5A689532E5788AF7203581EF367A8',
  ],
  [
    '0xb8a51f42ccbb912d973e58a22dda26decc7dfc83718c325c24432045ad78dc5a',
    '0:E8CB571401B1AADB9DEFC1FA0F72A4A5A0E0D5016903067891D763C91541E72B',
  ],
  [
    '0xc585bac25948a5feea8f2a9e052eb45995882b15dfb784b37cd271cc163f3aea',
    '0:5EE20B5240CC4CE51A4C60BAF8C9D358EF617C26463E89C6571B534972C8EEF1',
  ],
  [
    '0xd9496f9b279a4e26c49eb65d5c47c79b6dfdea16c9baefa9158a7dfbbbcac04a',
    '0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC',
  ],
  [
    '0x4a4bae807cc87355de2ead44b21a739d9d35e9bba9a217f5cc9c0108197ad137',
    '0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D',
  ],
]);

const EVAA_TESTNET_ASSETS: ReadonlyMap<string, string> = new Map([
  [
    '0xb387968236197958ca4ac55e9b5be38e688c7631af84c86756431f49a878ef33',
    '0:5EE20B5240CC4CE51A4C60BAF8C9D358EF617C26463E89C6571B534972C8EEF1',
  ],
  [
    '0x83d916c68510802104d1f75aa6ce30eb1e477aede0d380eee2188e0e56581fc6',
    '0:DA639C946AD6271DE8BBDC706A457FCEC7D2CAD979D1ED7B8263D3050B620D6D',
  ],
  [
    '0x495668e908644f30322b997de8faaafc21f05aa52f8982f042dac1fe0b4d09d0',
    '0:B70EEC37760F24F7CC5FE52EC19BB60E595279416F219B788BA857C97DAFE0F6',
  ],
  [
    '0xb8a51f42ccbb912d973e58a22dda26decc7dfc83718c325c24432045ad78dc5a',
    '0:E8CB571401B1AADB9DEFC1FA0F72A4A5A0E0D5016903067891D763C91541E72B',
  ],
  [
    '0xc585bac25948a5feea8f2a9e052eb45995882b15dfb784b37cd271cc163f3aea',
    '0:5EE20B5240CC4CE51A4C60BAF8C9D358EF617C26463E89C6571B534972C8EEF1',
  ],
]);

/** The jetton of an EVAA asset: null for TON, undefined if unknown. */
function evaaAssetOf(id: unknown, testOnly: boolean): string | null | undefined {
  if (id === EVAA_TON) return null;
  const assets = testOnly ? EVAA_TESTNET_ASSETS : EVAA_MAINNET_ASSETS;
  return typeof id === 'string' ? assets.get(id) : undefined;
}
