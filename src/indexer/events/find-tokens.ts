import { type HashKey, keyOf } from '../hash-key.ts';
import { type InTransaction, run } from './in-transaction.ts';

/** What is known of accounts that events are of. */
export interface KnownTokens {
  /** The jettons that accounts are wallets of. */
  readonly wallets: ReadonlyMap<HashKey, Buffer>;
  readonly items: ReadonlyMap<HashKey, ItemPlace>;
  /** Accounts of which it must still be found out what they are, at least in their newest state. */
  readonly unknown: ReadonlySet<HashKey>;
}

/** An NFT, as far as its transfers say it. */
export interface ItemPlace {
  readonly collection: Buffer | undefined;
  readonly index: bigint;
}

/** Each table by its key: a join might be made by reading a table of a hundred million rows. */
const FIND = `
select account, 'wallet' as role, jetton, null::bytea as collection, null::numeric as index
from jetton_wallets where account = any($1::bytea[])
union all select account, 'item', null, collection, index from nft_items where account = any($1::bytea[])
union all select account, 'unknown', null, null, null from missing_cells where account = any($1::bytea[])`;

interface TokenRow {
  readonly account: Buffer;
  readonly role: 'wallet' | 'item' | 'unknown';
  readonly jetton: Buffer | null;
  readonly collection: Buffer | null;
  readonly index: string | null;
}

/** Looks up what accounts are, as this transaction sees it. */
export async function findTokens(db: InTransaction, accounts: readonly Buffer[]): Promise<KnownTokens> {
  const wallets = new Map<HashKey, Buffer>();
  const items = new Map<HashKey, ItemPlace>();
  const unknown = new Set<HashKey>();
  for (const { account, role, jetton, collection, index } of await run<TokenRow>(db, FIND, [accounts])) {
    const key = keyOf(account);
    if (role === 'wallet') wallets.set(key, jetton!);
    else if (role === 'item') items.set(key, { collection: collection ?? undefined, index: BigInt(index!) });
    else unknown.add(key);
  }
  return { wallets, items, unknown };
}
