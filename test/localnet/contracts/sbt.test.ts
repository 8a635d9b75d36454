import { beginCell, toNano } from '@ton/core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ContractState, onChainContent } from '../../../src/localnet/contracts/contract.ts';
import { nftCollection, nftItem, transferItem } from '../../../src/localnet/contracts/nft.ts';
import { deployItem } from '../support/contract-messages.ts';
import { destroySbt, newSbt, proveOwnership, requestOwner, revokeSbt, sbtItemCode } from '../support/sbt.ts';
import {
  addressOf,
  at,
  exitCode,
  numberOf,
  type Person,
  type SmallChain,
  startSmallChain,
} from '../support/small-chain.ts';

const content = onChainContent({ name: 'A diploma' });
const payload = beginCell().storeUint(7, 32).endCell();

let net: SmallChain;
let school: Person;
let alice: Person;
let bob: Person;
let item: ContractState;

beforeAll(async () => {
  net = await startSmallChain();
  [school, alice, bob] = await net.people('school', 'alice', 'bob');
  const collection = nftCollection({
    owner: school.address,
    content,
    royalty: { numerator: 0, denominator: 1, destination: school.address },
    itemCode: sbtItemCode(),
  });
  await net.send(school, collection.address, toNano('0.5'), undefined, collection.init);
  item = nftItem({ collection: collection.address, index: 0, itemCode: sbtItemCode() });
  const first = newSbt(alice.address, content, school.address);
  await net.send(
    school,
    collection.address,
    toNano('0.2'),
    deployItem({ index: 0, ton: toNano('0.1'), item: first }),
  );
  net.save();
});

beforeEach(() => net.reset());

describe('an SBT item', () => {
  it('returns its data', async () => {
    const [init, index, , owner] = await net.get(item.address, 'get_nft_data');
    expect([numberOf(init), numberOf(index), addressOf(owner)]).toEqual([-1n, 0n, `${alice.address}`]);
    expect(addressOf((await net.get(item.address, 'get_authority_address'))[0])).toBe(`${school.address}`);
    expect(numberOf((await net.get(item.address, 'get_revoked_time'))[0])).toBe(0n);
  });

  it('cannot be transferred', async () => {
    const result = await net.send(alice, item.address, toNano('0.1'), transferItem({ to: bob.address }));
    expect(exitCode(at(result, item.address))).toBe(413);
  });

  it('proves its owner to a contract, on request of the owner only', async () => {
    const question = { queryId: 2n, destination: bob.address, payload, withContent: true };
    const refused = await net.send(bob, item.address, toNano('0.1'), proveOwnership(question));
    expect(exitCode(at(refused, item.address))).toBe(401);
    const result = await net.send(alice, item.address, toNano('0.1'), proveOwnership(question));
    const body = at(result, bob.address)!.inMessage!.body.beginParse();
    expect([body.loadUint(32), body.loadUintBig(64), body.loadUintBig(256)]).toEqual([0x0524c7ae, 2n, 0n]);
    expect(`${body.loadAddress()}`).toBe(`${alice.address}`);
    expect([body.loadRef().equals(payload), body.loadUint(64)]).toEqual([true, 0]);
    expect(body.loadMaybeRef()!.equals(content)).toBe(true);
  });

  it('reports its owner to anybody', async () => {
    const question = { queryId: 3n, destination: school.address, payload, withContent: false };
    const result = await net.send(bob, item.address, toNano('0.1'), requestOwner(question));
    const body = at(result, school.address)!.inMessage!.body.beginParse();
    expect([body.loadUint(32), body.loadUintBig(64), body.loadUintBig(256)]).toEqual([0x0dd607e3, 3n, 0n]);
    expect([`${body.loadAddress()}`, `${body.loadAddress()}`]).toEqual([
      `${bob.address}`,
      `${alice.address}`,
    ]);
  });

  it('is revoked by its authority once', async () => {
    const revoke = async (who: Person) =>
      exitCode(at(await net.send(who, item.address, toNano('0.05'), revokeSbt()), item.address));
    expect([await revoke(alice), await revoke(school), await revoke(school)]).toEqual([401, 0, 403]);
    expect(numberOf((await net.get(item.address, 'get_revoked_time'))[0])).toBe(BigInt(net.chain.now!));
  });

  it('is destroyed by its owner', async () => {
    const refused = await net.send(bob, item.address, toNano('0.05'), destroySbt());
    expect(exitCode(at(refused, item.address))).toBe(401);
    await net.send(alice, item.address, toNano('0.05'), destroySbt());
    expect(addressOf((await net.get(item.address, 'get_nft_data'))[3])).toBe('null');
    expect(addressOf((await net.get(item.address, 'get_authority_address'))[0])).toBe('null');
  });
});
