import { type ActionColumns, readerOf } from './action-columns.ts';
import {
  type DetailContext,
  type DetailFields,
  int,
  type PayloadComment,
  str,
} from './action-detail-fields.ts';
import EVAA_ASSETS from './evaa-assets.json' with { type: 'json' };

/** The name of the marketplace whose address is in a column; without an address, of the one that created the collection. */
export function marketplaceOf(path: string): (row: ActionColumns, context: DetailContext) => string | null {
  const read = readerOf(path);
  return (row, { testOnly }) => {
    const address = read(row) ?? row.asset;
    return (testOnly || typeof address !== 'string' ? null : MARKETPLACE_NAMES.get(address)) ?? null;
  };
}

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

export function ofProvider(provider: string, path: string): (row: ActionColumns) => unknown {
  const read = readerOf(path);
  return (row) => (stakingProvider(row) === provider ? read(row) : null);
}

const readAssetId = readerOf('evaa_liquidate.asset_id');

/** The jetton of a liquidated asset; null for TON and for unknown assets. */
export function evaaAsset(row: ActionColumns, { testOnly }: DetailContext): string | null {
  return evaaAssetOf(readAssetId(row), testOnly) ?? null;
}

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

/** The jetton of an EVAA asset by its id: null for TON, undefined if unknown. */
function evaaAssetOf(id: unknown, testOnly: boolean): string | null | undefined {
  if (id === EVAA_TON) return null;
  const assets: Readonly<Record<string, string>> = testOnly ? EVAA_ASSETS.testnet : EVAA_ASSETS.mainnet;
  return typeof id === 'string' && Object.hasOwn(assets, id) ? assets[id] : undefined;
}
