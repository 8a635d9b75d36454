import { Address, internal } from '@ton/core';
import { expect, it } from 'vitest';
import type { DemoChain } from '../../../src/localnet/demo/demo-chain.ts';
import {
  type DemoWallet,
  openDemoWallets,
  openStakerWallets,
} from '../../../src/localnet/demo/demo-wallets.ts';
import { planDemo } from '../../../src/localnet/demo/run-demo.ts';
import { walletStep } from '../../../src/localnet/demo/story.ts';
import { openFaucets } from '../../../src/localnet/genesis/keys.ts';
import { GENESIS_TIME } from '../support/demo-localnet.ts';

it('the demo is equal on chains with the same genesis time', async () => {
  const faucets = await openFaucets();
  const write = () =>
    planDemo({
      wallets: openDemoWallets(),
      stakers: openStakerWallets(),
      faucets,
      genesisTime: GENESIS_TIME,
    });
  const nothing = async () => undefined;
  const chain = {
    id: '',
    genesisTime: GENESIS_TIME,
    now: () => GENESIS_TIME,
    account: () => undefined,
    deliver: nothing,
    advanceTo: nothing,
    mine: nothing,
  };
  const messages = () =>
    write().rounds.map((acts) =>
      acts
        .filter(({ what }) => what.startsWith('The bank') || what.includes(' greets '))
        .map((act) => act.message(chain).hash().toString('hex')),
    );
  expect(messages()).toEqual(messages());
  expect(messages().map(({ length }) => length)).toEqual([0, 1, 11, ...Array(9).fill(0)]);
  const addresses = () => Object.entries(write().contracts).map(String);
  expect(addresses()).toEqual(addresses());
});

it('demo wallets send no more messages at once than their version allows', () => {
  const { judy, erin } = openDemoWallets();
  const message = internal({ to: new Address(0, Buffer.alloc(32)), value: 1n });
  const chain = { now: () => GENESIS_TIME } as DemoChain;
  const send = (by: DemoWallet, count: number) =>
    walletStep(by, 0, 'Too much.', [Array(count).fill(message)]).message(chain);
  expect(() => send(judy, 2)).toThrow('judy sends 2 messages');
  expect(() => send(erin, 5)).toThrow('of at most 4');
});
