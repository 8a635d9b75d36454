import { Address, beginCell, Dictionary } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../src/chain/boc/ton-core.ts';
import { Failure } from '../../src/lib/errors.ts';
import { createSuspensions } from '../../src/live/suspensions.ts';
import { createTestApp } from '../support/app.ts';
import type { TestDatabase } from '../support/database.ts';
import { EMPTY_CHAIN } from './support/build-app.ts';
import { readIndexedDemo } from './support/indexed-demo.ts';

const UNTIL = 1_900_000_000;

/** A config whose param 44 lists an account. */
function configWith({ workChain, hash }: Address) {
  const list = Dictionary.empty(Dictionary.Keys.BigUint(288), Dictionary.Values.BitString(0));
  const key = (BigInt.asUintN(32, BigInt(workChain)) << 256n) | BigInt(`0x${hash.toString('hex')}`);
  list.set(key, beginCell().endCell().bits);
  const params = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  params.set(44, beginCell().storeUint(0, 8).storeDict(list).storeUint(UNTIL, 32).endCell());
  const cells = fromCoreCell(beginCell().storeDictDirect(params).endCell());
  return { cells, cell: cells.root };
}

describe('suspended', () => {
  let index: TestDatabase;
  let app: FastifyInstance;
  let listed: string;
  let other: string;
  let isReachable = true;
  let [time, now, reads] = [UNTIL - 1, 0, 0];
  beforeAll(async () => {
    index = await readIndexedDemo();
    const config = async () => {
      reads++;
      if (!isReachable) throw new Failure('no_lite_server', 'none is live');
      return configWith(Address.parse(listed));
    };
    const live = { ...EMPTY_CHAIN, config };
    const suspensions = createSuspensions({ live, clock: () => time, now: () => now });
    const metadataQueue = { add: () => {} };
    app = await createTestApp({ v3: { database: index.database, live, suspensions, metadataQueue } });
    const top = (await app.inject('/api/v3/topAccountsByBalance?limit=2')).json();
    [listed, other] = top.map(({ account }: { account: string }) => account);
  });
  afterAll(async () => {
    await app?.close();
    await index?.drop();
  });

  const get = async (path: string) => (await app.inject(`/api/v3/${path}`)).json();
  const both = async (name: 'accountStates' | 'walletStates', key: string) => {
    const rows = (await get(`${name}?address=${listed},${other}`))[key];
    return [listed, other].map(
      (account) => rows.find(({ address }: { address: string }) => address === account).suspended,
    );
  };

  it('is left out while no lite server has told the config, and asked for again soon', async () => {
    isReachable = false;
    expect(await both('accountStates', 'accounts')).toEqual([undefined, undefined]);
    expect(await both('accountStates', 'accounts')).toEqual([undefined, undefined]);
    expect(reads).toBe(1);
    isReachable = true;
    now += 5000;
    expect(await both('accountStates', 'accounts')).toEqual([true, false]);
  });

  it('is in account and wallet states and in the views of v2', async () => {
    expect(await both('accountStates', 'accounts')).toEqual([true, false]);
    expect(await both('walletStates', 'wallets')).toEqual([true, false]);
    for (const suffix of ['', '&use_v2=true'])
      expect((await get(`addressInformation?address=${listed}${suffix}`)).suspended).toBe(true);
    expect((await get(`addressInformation?address=${other}`)).suspended).toBe(false);
    expect((await get(`walletInformation?address=${listed}&use_v2=true`)).suspended).toBe(true);
  });

  it('ends with the time of the list, and its config is read once a minute', async () => {
    const before = reads;
    time = UNTIL;
    expect(await both('accountStates', 'accounts')).toEqual([false, false]);
    expect(reads).toBe(before);
    now += 60_000;
    await both('accountStates', 'accounts');
    expect(reads).toBe(before + 1);
  });
});
