import { Address, type Cell, internal, type MessageRelaxed, toNano } from '@ton/core';
import type { SigningKey } from '../../../src/lib/ed25519.ts';
import { externalMessage } from '../../../src/localnet/contracts/contract.ts';
import { newStake, readElectorData } from '../../../src/localnet/contracts/elector.ts';
import { walletTransfer } from '../../../src/localnet/contracts/wallets.ts';
import { contractData, type DemoChain } from '../../../src/localnet/demo/demo-chain.ts';
import { seqnoOf } from '../../../src/localnet/demo/story.ts';
import { validatorSetParam } from '../../../src/localnet/genesis/genesis-config.ts';
import { adminKeys, openFaucets, validatorKeys } from '../../../src/localnet/genesis/keys.ts';
import {
  CONFIG_ID,
  configChangeMessage,
  ELECTOR_ID,
} from '../../../src/localnet/genesis/special-accounts.ts';
import { TestWallet } from './local-chain.ts';

export const ELECTOR = new Address(-1, ELECTOR_ID);
const CONFIG = new Address(-1, CONFIG_ID);
const CURRENT_SET = 34;
const NEVER = 0xffffffff;
/** The work of an election takes a block per step; this many are more than enough. */
const MAX_BLOCKS = 20;

/** Someone who stakes for elections: a masterchain wallet and the key of a validator that the chain can sign with. */
export class TestValidator {
  readonly wallet: TestWallet;
  readonly key: SigningKey;
  readonly adnlAddress: Buffer;

  /** `number` is that of the validator's key; 0 is the validator of the zero state. */
  constructor(number: number) {
    this.wallet = new TestWallet(1000 + number, 'v3r2', -1);
    this.key = validatorKeys(number);
    this.adnlAddress = Buffer.alloc(32, number);
  }

  /** The external message that stakes an amount for an election. */
  stake(electionId: number, nanotons: bigint, queryId = 1n): Cell {
    const { key, adnlAddress } = this;
    const body = newStake({ queryId, electionId, key, holder: this.wallet.address, adnlAddress });
    return this.send(nanotons + toNano('1'), body);
  }

  /** The external message that sends something to the elector. */
  send(value: bigint, body: Cell): Cell {
    return this.wallet.send([internal({ to: ELECTOR, value, bounce: true, body })]);
  }
}

/** Data of the elector at the head. */
export function electorData(chain: DemoChain) {
  return readElectorData(contractData(chain, ELECTOR)!);
}

/** Sends money from the faucet. */
export async function fund(chain: DemoChain, accounts: readonly Address[], nanotons: bigint): Promise<void> {
  const { basechain: faucet } = await openFaucets();
  const { version, secretKey } = faucet;
  for (let at = 0; at < accounts.length; at += 4) {
    const messages = accounts
      .slice(at, at + 4)
      .map((to): MessageRelaxed => internal({ to, value: nanotons, bounce: false }));
    const seqno = seqnoOf(chain, faucet);
    const body = walletTransfer({ version, secretKey, seqno, messages, validUntil: NEVER });
    await chain.deliver([externalMessage({ address: faucet.address }, body)]);
  }
}

/** Gives the current validator set an end so that the elector announces elections at once; returns their id. */
export async function beginElections(chain: DemoChain, validatorNumber: number): Promise<number> {
  const seqno = contractData(chain, CONFIG)!.beginParse().loadUint(32);
  const now = chain.now();
  const set = validatorSetParam(validatorKeys(validatorNumber).publicKey, now, now + 1);
  const order = { admin: adminKeys(), seqno, validUntil: NEVER, change: new Map([[CURRENT_SET, set]]) };
  await chain.deliver([configChangeMessage(order)]);
  return nextElection(chain);
}

/** Id of the open election, which is announced first if it is due. */
export async function nextElection(chain: DemoChain): Promise<number> {
  await mineUntil(chain, () => electorData(chain).election !== undefined);
  return electorData(chain).election!.id;
}

/** Passes the time until the set of an election is the current one. */
export async function finishElection(chain: DemoChain, electionId: number): Promise<void> {
  await chain.advanceTo(electorData(chain).election!.closes);
  await mineUntil(chain, () => electorData(chain).election === undefined);
  await chain.advanceTo(electionId);
  await mineUntil(chain, () => electorData(chain).activeId === electionId);
}

/** Passes the time until the stakes of an election can be recovered; its set must be over. */
export async function awaitUnfreeze(chain: DemoChain, electionId: number): Promise<void> {
  const find = () => electorData(chain).pastElections.find(({ id }) => id === electionId);
  await chain.advanceTo(find()!.unfreezeAt);
  await mineUntil(chain, () => find() === undefined);
}

/** Makes blocks until something is so. */
export async function mineUntil(chain: DemoChain, isSo: () => boolean): Promise<void> {
  for (let blocks = 0; !isSo(); blocks++) {
    if (blocks === MAX_BLOCKS) throw new Error(`not so after ${MAX_BLOCKS} blocks`);
    await chain.mine();
  }
}

/** Funded validators with the numbers of their keys. */
export async function openValidators(chain: DemoChain, numbers: readonly number[]): Promise<TestValidator[]> {
  const validators = numbers.map((number) => new TestValidator(number));
  const accounts = validators.map(({ wallet }) => wallet.address);
  await fund(chain, accounts, toNano('1000000'));
  return validators;
}

/**
 * Holds one election after another; each is of all validators, with stakes that differ. The set of each becomes the
 * current one, so there are as many successive elected sets. Returns the ids of the elections.
 */
export async function holdElections(
  chain: DemoChain,
  validators: readonly TestValidator[],
  count: number,
): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < count; at++) {
    const id = at === 0 ? await beginElections(chain, 0) : await announced(chain);
    ids.push(id);
    const stakes = validators.map((validator, index) =>
      validator.stake(id, toNano(String(10_000 + 1000 * index + 100 * at)), BigInt(at + 1)),
    );
    await chain.deliver(stakes);
    await finishElection(chain, id);
  }
  return ids;
}

/** Passes the time until the next elections are announced. */
async function announced(chain: DemoChain): Promise<number> {
  const before = electorData(chain).activeId;
  for (let time = chain.now(); electorData(chain).election === undefined; time += 60) {
    if (time > before + 86_400) throw new Error('no elections within a day');
    await chain.advanceTo(time);
  }
  return electorData(chain).election!.id;
}
