import { Address, internal } from '@ton/core';
import { expect, it } from 'vitest';
import { writeScript } from '../../../src/localnet/demo/demo-script.ts';
import { openDemoWallets } from '../../../src/localnet/demo/demo-wallet.ts';
import { walletAct } from '../../../src/localnet/demo/wallet-act.ts';
import { openFaucets } from '../../../src/localnet/genesis/faucet.ts';
import { BEGINNING } from './demo-ground.ts';

it('is the same on every chain that began at the same time', async () => {
  const faucets = await openFaucets();
  const write = () => writeScript({ wallets: openDemoWallets(), faucets, beginning: BEGINNING });
  const chain = { id: '', beginning: BEGINNING, now: () => BEGINNING, account: () => undefined };
  const messages = () =>
    write().rounds.map((acts) =>
      acts
        .filter(({ what }) => what.startsWith('The bank') || what.includes(' greets '))
        .map((act) =>
          act
            .message({ ...chain, deliver: async () => undefined })
            .hash()
            .toString('hex'),
        ),
    );
  expect(messages()).toEqual(messages());
  expect(messages().map(({ length }) => length)).toEqual([0, 1, 11, 0, 0]);
  const addresses = () => Object.entries(write().contracts).map(String);
  expect(addresses()).toEqual(addresses());
});

it('has wallets send no more at once than they can', () => {
  const { judy, erin } = openDemoWallets();
  const message = internal({ to: new Address(0, Buffer.alloc(32)), value: 1n });
  expect(() => walletAct(judy, 0, 'Too much.', [message, message])).toThrow('judy sends 2 messages');
  expect(() => walletAct(erin, 0, 'Too much.', Array(5).fill(message))).toThrow('of at most 4');
});
