import { Address, internal } from '@ton/core';
import { expect, it } from 'vitest';
import { openDemoWallets } from '../../../src/localnet/demo/demo-wallets.ts';
import { planDemo } from '../../../src/localnet/demo/run-demo.ts';
import { walletStep } from '../../../src/localnet/demo/story.ts';
import { openFaucets } from '../../../src/localnet/genesis/keys.ts';
import { GENESIS_TIME } from '../support/demo-localnet.ts';

it('the demo is equal on chains with the same genesis time', async () => {
  const faucets = await openFaucets();
  const write = () => planDemo({ wallets: openDemoWallets(), faucets, genesisTime: GENESIS_TIME });
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
  expect(messages().map(({ length }) => length)).toEqual([0, 1, 11, 0, 0]);
  const addresses = () => Object.entries(write().contracts).map(String);
  expect(addresses()).toEqual(addresses());
});

it('demo wallets send no more messages at once than their version allows', () => {
  const { judy, erin } = openDemoWallets();
  const message = internal({ to: new Address(0, Buffer.alloc(32)), value: 1n });
  expect(() => walletStep(judy, 0, 'Too much.', [message, message])).toThrow('judy sends 2 messages');
  expect(() => walletStep(erin, 0, 'Too much.', Array(5).fill(message))).toThrow('of at most 4');
});
