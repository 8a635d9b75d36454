import { readBoc } from '../../../chain/boc/read-boc.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import type { Interfaces } from '../interfaces.ts';
import { call, type Pattern } from '../pattern.ts';
import { readAccount, readSomeAccount, tryRead } from '../read-body.ts';
import { repeated } from '../repeated.ts';
import { NotThis } from '../rule.ts';

/** A staker's wallet tells the pool that its stake has changed. */
export const REQUEST_UPDATE = 0xf5c5baa3;
const REQUEST_UPDATE_REFERRER = 0x55c35b40;
const UPDATE_REFERRER = 0x076ee4e0;
const UPDATE_REWARDS = 0xae9307ce;

/** Those who invited the staker, each told by the one before. */
export const referrers: Pattern = repeated(
  repeated(call(REQUEST_UPDATE_REFERRER), call(UPDATE_REFERRER), { optional: true }),
  undefined,
  { optional: true },
);

/** The pool's answer to the staker's wallet. */
export const updateRewards: Pattern = call(UPDATE_REWARDS);

/** What the data of a staker's wallet say. */
export interface Stake {
  readonly pool: string;
  /** The jetton that is staked; null where the pool's own wallet is not known. */
  readonly asset: string | null;
  /** The jetton that stands for the stake. */
  readonly stakeAsset: string | null;
}

/** The stake that a wallet holds; undefined where its data are not known or not those of such a wallet. */
export function readStake(wallet: string | null, interfaces: Interfaces): Stake | undefined {
  return tryRead(() => {
    const data = openData(interfaces.dataOf(wallet ?? ''));
    return data && readData(data, interfaces);
  });
}

function readData(data: Slice, interfaces: Interfaces): Stake {
  const pool = readSomeAccount(data);
  const stakeAsset = readAccount(data);
  const poolData = openData(interfaces.dataOf(pool));
  if (!poolData) return { pool, asset: null, stakeAsset };
  poolData.skip(1 + 32);
  readAccount(poolData);
  readAccount(poolData);
  const locked = interfaces.jettonWallet(readSomeAccount(poolData));
  if (!locked) throw new NotThis("the pool's own wallet is not known");
  return { pool, asset: locked.jetton, stakeAsset };
}

function openData(boc: Buffer | undefined): Slice | undefined {
  if (!boc) return undefined;
  const bag = readBoc(boc);
  return new Slice(bag, bag.root);
}
