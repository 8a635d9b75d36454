import { type Address, Dictionary, internal, toNano } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ContractState, textComment } from '../../../src/localnet/contracts/contract.ts';
import { addToWhitelist, vestingSend, vestingWallet } from '../../../src/localnet/contracts/vesting.ts';
import {
  addressOf,
  at,
  cellOf,
  exitCode,
  hops,
  numberOf,
  type Person,
  type SmallChain,
  startSmallChain,
} from '../support/small-chain.ts';

const { publicKey } = keyPairFromSeed(Buffer.alloc(32, 5));
const DAY = 86_400;

let net: SmallChain;
let sender: Person;
let owner: Person;
let pool: Person;
let other: Person;
let vesting: ContractState;
let start: number;

beforeAll(async () => {
  net = await startSmallChain();
  [sender, owner, pool, other] = await net.people('sender', 'owner', 'pool', 'other');
  start = net.chain.now!;
  vesting = vestingWallet({
    publicKey,
    startTime: start,
    totalDuration: 100 * DAY,
    unlockPeriod: 10 * DAY,
    cliffDuration: 20 * DAY,
    totalAmount: toNano('100'),
    sender: sender.address,
    owner: owner.address,
  });
  await net.send(sender, vesting.address, toNano('100'), undefined, vesting.init);
  net.save();
});

beforeEach(() => net.reset());

const whitelist = (who: Person, ...addresses: [Address, ...Address[]]) =>
  net.send(who, vesting.address, toNano('0.1'), addToWhitelist(addresses, 3n));

const spend = (who: Person, to: Address, value: string, body = textComment('d')) =>
  net.send(who, vesting.address, toNano('0.1'), vestingSend(internal({ to, value: toNano(value), body })));

describe('a vesting wallet', () => {
  it('returns its data', async () => {
    const result = await whitelist(sender, pool.address, other.address, owner.address);
    expect(hops(result).at(-1)).toEqual([`${sender.address}`, 0xf258a69b]);
    const stack = await net.get(vesting.address, 'get_vesting_data');
    expect(stack.slice(0, 5).map(numberOf)).toEqual([
      BigInt(start),
      BigInt(100 * DAY),
      BigInt(10 * DAY),
      BigInt(20 * DAY),
      toNano('100'),
    ]);
    expect(stack.slice(5, 7).map(addressOf)).toEqual([`${sender.address}`, `${owner.address}`]);
    const listed = Dictionary.loadDirect(
      Dictionary.Keys.Buffer(33),
      Dictionary.Values.BigInt(1),
      cellOf(stack[7]),
    ).keys();
    expect(listed.map((key) => key.subarray(1).toString('hex')).sort()).toEqual(
      [pool, other, owner].map(({ address }) => address.hash.toString('hex')).sort(),
    );
  });

  it.each([
    ['before the cliff', 19, '100'],
    ['at the cliff', 20, '80'],
    ['half way', 55, '50'],
    ['in the end', 101, '0'],
  ])('locks the remaining amount %s', async (_, days, locked) => {
    const [amount] = await net.get(vesting.address, 'get_locked_amount', [
      { type: 'int', value: BigInt(start + days * DAY) },
    ]);
    expect(numberOf(amount)).toBe(toNano(locked));
  });

  it('accepts whitelist entries from its sender only', async () => {
    await whitelist(owner, pool.address);
    expect((await net.get(vesting.address, 'get_vesting_data'))[7]).toEqual({ type: 'null' });
  });

  it('sends locked funds to its whitelist only', async () => {
    await whitelist(sender, pool.address);
    const staked = await spend(owner, pool.address, '60');
    expect(hops(staked).map(([to, op]) => [to, op])).toContainEqual([`${pool.address}`, 0]);
    expect(hops(staked)).toContainEqual([`${owner.address}`, 0xf7733acd]);
    expect(hops(await spend(owner, other.address, '10')).map(([to]) => to)).not.toContain(`${other.address}`);
    // Anything but what pools understand is refused.
    const refused = await spend(owner, pool.address, '1', textComment('hello'));
    expect(exitCode(at(refused, vesting.address))).toBe(104);
  });

  it('sends unlocked funds to anybody', async () => {
    net.chain.now = start + 55 * DAY;
    expect(hops(await spend(owner, other.address, '49')).map(([to]) => to)).toContain(`${other.address}`);
  });
});
