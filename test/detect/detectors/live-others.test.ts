import { type Address, internal, toNano } from '@ton/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { methodIdByName, readMethodIds } from '../../../src/chain/contracts/method-ids.ts';
import { parseOrder } from '../../../src/chain/contracts/multisig-order.ts';
import { undefinedOnMismatch } from '../../../src/chain/contracts/probe.ts';
import type { Detector } from '../../../src/detect/detection.ts';
import { NFT_AUCTION, NFT_SALE } from '../../../src/detect/detectors/nft-sales.ts';
import { MULTISIG, MULTISIG_ORDER, VESTING } from '../../../src/detect/detectors/wallets.ts';
import type { ContractColumns } from '../../../src/index/write/write-contracts.ts';
import { type ContractState, textComment } from '../../../src/localnet/contracts/contract.ts';
import {
  approveOrder,
  multisigOrder,
  multisigWallet,
  newOrder,
  packOrder,
} from '../../../src/localnet/contracts/multisig.ts';
import { nftSale } from '../../../src/localnet/contracts/nft.ts';
import { addToWhitelist, vestingWallet } from '../../../src/localnet/contracts/vesting.ts';
import { type Person, type SmallChain, startSmallChain } from '../../localnet/support/small-chain.ts';
import { boc } from '../../vm/built-data.ts';
import { key, somebody } from '../support/stack-items.ts';
import { openTestProbes, type TestProbes } from '../support/test-probe.ts';

const KNOWN = { zones: [], poolFactory: undefined };
const NOW = 1_800_000_000;

let net: SmallChain;
let probes: TestProbes;
let [ann, ben, cid]: Person[] = [];
beforeAll(async () => {
  net = await startSmallChain();
  [ann, ben, cid] = await net.people('ann', 'ben', 'cid');
  probes = openTestProbes({ utime: NOW });
});
afterAll(() => probes.close());

/** Adds a contract with its current state, at its own or another address, and detects it. */
async function read(detector: Detector, from: Address, account = from): Promise<ContractColumns | undefined> {
  const { accountState } = await net.chain.getContract(from);
  if (accountState?.type !== 'active') throw new Error('not there');
  const { code, data } = accountState.state;
  const probe = probes.put({ account, code: code!, data: data! });
  const found = await undefinedOnMismatch(detector.detect(probe, KNOWN));
  // Detectors only run if the code has their methods.
  const ids = new Set(readMethodIds(boc(code!)));
  const hasMethods = detector.methods.some((names) => names.every((name) => ids.has(methodIdByName(name))));
  if (found !== undefined) expect(hasMethods).toBe(true);
  return found;
}

const deploy = ({ address, init }: ContractState) => net.send(ann!, address, toNano('10'), undefined, init);

it('detects a deployed sale and no other interface', async () => {
  const terms = {
    item: somebody(1),
    seller: somebody(2),
    marketplace: ann!.address,
    price: 500n,
    createdAt: NOW - 5,
    feeAddress: somebody(3),
    feeShare: 5000,
    royaltyAddress: somebody(4),
    royaltyShare: 250,
  };
  const sale = nftSale(terms);
  await deploy(sale);
  const found = {
    is_complete: false,
    created_at: BigInt(NOW - 5),
    marketplace: key(ann!.address),
    nft: key(somebody(1)),
    nft_owner: key(somebody(2)),
    full_price: 500n,
    marketplace_fee_address: key(somebody(3)),
    marketplace_fee: 5000n,
    royalty_address: key(somebody(4)),
    royalty_amount: 250n,
    sold_at: 0n,
    sold_query_id: 0n,
    jetton_prices: null,
  };
  expect(await read(NFT_SALE, sale.address)).toEqual(found);
  for (const other of [NFT_AUCTION, MULTISIG, MULTISIG_ORDER, VESTING])
    expect(await read(other, sale.address)).toBeUndefined();
});

it('detects a multisig and an order during its lifetime', async () => {
  const [signers, proposers] = [[ann!.address, ben!.address], [cid!.address]];
  const wallet = multisigWallet({ threshold: 2, signers, proposers });
  await deploy(wallet);
  const multisig = { threshold: 2n, signers: signers.map(key), proposers: proposers.map(key) };
  expect(await read(MULTISIG, wallet.address)).toEqual({ ...multisig, next_order_seqno: 0n });

  const order = multisigOrder(wallet.address, 0n);
  // Anyone can deploy an order that was not initialised.
  await deploy(order);
  expect(await read(MULTISIG_ORDER, order.address)).toBeUndefined();

  const message = internal({ to: cid!.address, value: 7n, body: textComment('for you') });
  const steps = packOrder([{ kind: 'send', mode: 1, message }]);
  const proposal = newOrder({ by: 'signer', index: 0, expiration: NOW + 3600, order: steps });
  await net.send(ann!, wallet.address, toNano('1'), proposal);
  expect(await read(MULTISIG, wallet.address)).toEqual({ ...multisig, next_order_seqno: 1n });
  const started = {
    multisig: key(wallet.address),
    order_seqno: 0n,
    threshold: 2n,
    sent_for_execution: false,
    signers: multisig.signers,
    approvals_mask: 1n,
    approvals_num: 1n,
    expiration_date: BigInt(NOW + 3600),
    order_boc: expect.any(Buffer),
  };
  const found = await read(MULTISIG_ORDER, order.address);
  expect(found).toEqual(started);
  expect(parseOrder((found as { order_boc: Buffer }).order_boc)).toMatchObject([
    { kind: 'send', value: 7n, destination: { hash: cid!.address.hash }, content: { comment: 'for you' } },
  ]);

  await net.send(ben!, order.address, toNano('1'), approveOrder(1));
  const done = { ...started, sent_for_execution: true, approvals_mask: 3n, approvals_num: 2n };
  expect(await read(MULTISIG_ORDER, order.address)).toEqual(done);
  // The same at another address, which the multisig does not confirm.
  expect(await read(MULTISIG_ORDER, order.address, somebody(9))).toBeUndefined();
});

it('detects a multisig with arbitrary order seqnos and without proposers', async () => {
  const wallet = multisigWallet({ threshold: 1, signers: [ben!.address], anySeqno: true });
  await deploy(wallet);
  expect(await read(MULTISIG, wallet.address)).toEqual({
    next_order_seqno: -1n,
    threshold: 1n,
    signers: [key(ben!.address)],
    proposers: [],
  });
});

it('detects a vesting wallet with and without a whitelist', async () => {
  const wallet = vestingWallet({
    publicKey: Buffer.alloc(32, 7),
    startTime: NOW,
    totalDuration: 1000,
    unlockPeriod: 100,
    cliffDuration: 200,
    totalAmount: 10n ** 12n,
    sender: ann!.address,
    owner: ben!.address,
  });
  await deploy(wallet);
  const found = {
    start_time: BigInt(NOW),
    total_duration: 1000n,
    unlock_period: 100n,
    cliff_duration: 200n,
    total_amount: 10n ** 12n,
    sender: key(ann!.address),
    owner: key(ben!.address),
  };
  expect(await read(VESTING, wallet.address)).toEqual({ ...found, whitelist: [] });
  expect([...VESTING.codes!]).toEqual([wallet.init.code.hash().toString('hex')]);

  await net.send(ann!, wallet.address, toNano('1'), addToWhitelist([somebody(8), somebody(3)]));
  expect(await read(VESTING, wallet.address)).toEqual({
    ...found,
    whitelist: [somebody(3), somebody(8)].map(key),
  });
});
