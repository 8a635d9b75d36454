import type { ActionColumns } from './action-columns.ts';
import { type DetailContext, type DetailFields, int, readerOf, str } from './detail-fields.ts';
import { evaaAssetOf } from './evaa-assets.ts';
import { MARKETPLACE_NAMES } from './marketplace-names.ts';
import type { PayloadComment } from './payload-comment.ts';

/** The name of the marketplace whose address a column has; where there is no address, of the one that made the collection. */
export function marketplaceOf(path: string): (row: ActionColumns, context: DetailContext) => string | null {
  const read = readerOf(path);
  return (row, { testOnly }) => {
    const address = read(row) ?? row.asset;
    return (testOnly || typeof address !== 'string' ? null : MARKETPLACE_NAMES.get(address)) ?? null;
  };
}

/** Whether an NFT was bought. */
export function isPurchase(row: ActionColumns): boolean {
  return row.type === 'nft_purchase' || readIsPurchase(row) === true;
}

const readIsPurchase = readerOf('nft_transfer.is_purchase');

/** The value of a record of a domain, under the key of its kind. */
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
  const [readKind, readValue] = ['value_schema', 'value'].map((name) =>
    readerOf(`change_dns_record.${name}`),
  );
  return (row: ActionColumns) => (readKind!(row) === kind ? readValue!(row) : null);
}

/** Whether a swap was done by a DEX. */
export function isDex(name: string): (row: ActionColumns) => boolean {
  const read = readerOf('jetton_swap.dex');
  return (row) => read(row) === name;
}

const readDepositDex = readerOf('dex_deposit_liquidity.dex');

/** Where liquidity goes: DeDust has a contract for it in front of the pool. */
export function poolOrDeposit(row: ActionColumns): string | null {
  return readDepositDex(row) === 'dedust' ? row.destination_secondary : row.destination;
}

const readProvider = readerOf('staking.provider');

/** Who takes a stake; an older name is replaced. */
export function stakingProvider(row: ActionColumns): unknown {
  const provider = readProvider(row);
  return provider === 'tonstakers' ? 'liquid_staking' : provider;
}

/** A column, for stakes with one provider only. */
export function ofProvider(provider: string, path: string): (row: ActionColumns) => unknown {
  const read = readerOf(path);
  return (row) => (stakingProvider(row) === provider ? read(row) : null);
}

const readAssetId = readerOf('evaa_liquidate.asset_id');

/** The jetton of what was liquidated; null for TON and for assets that are not known. */
export function evaaAsset(row: ActionColumns, { testOnly }: DetailContext): string | null {
  return evaaAssetOf(readAssetId(row), testOnly) ?? null;
}

/** Whether it is known what was liquidated. */
export function isKnownEvaaAsset(row: ActionColumns, { testOnly }: DetailContext): boolean {
  return evaaAssetOf(readAssetId(row), testOnly) !== undefined;
}

const [readJettons, readAmounts] = ['claimed_jettons', 'claimed_amounts'].map((name) =>
  readerOf(`jvault_claim.${name}`),
);

/** Jettons that were claimed with their amounts; none when the two lists do not fit. */
export function claimedRewards(row: ActionColumns): unknown[] {
  const [jettons, amounts] = [readJettons!(row), readAmounts!(row)];
  if (!Array.isArray(jettons) || !Array.isArray(amounts) || jettons.length !== amounts.length) return [];
  return jettons.map((jetton, at) => ({ jetton, amount: amounts[at] }));
}

const readPayload = readerOf('nft_transfer.forward_payload');

/** What a transfer of an NFT says to the new owner. */
export function nftComment(row: ActionColumns, { commentOf }: DetailContext): PayloadComment | undefined {
  const payload = readPayload(row);
  return typeof payload === 'string' ? commentOf(payload) : undefined;
}
