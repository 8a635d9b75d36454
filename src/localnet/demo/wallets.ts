import { hash as hashOnce, randomInt } from 'node:crypto';
import { Address, type Cell, internal, toNano } from '@ton/core';
import { externalMessage, textComment } from '../contracts/contract.ts';
import { HIGHLOAD_QUERIES, highloadTransfer } from '../contracts/wallets.ts';
import { EXTRA_CURRENCY_ID } from '../genesis/create-genesis.ts';
import { contractData } from './demo-chain.ts';
import { type DemoWallet, openDemoWallets } from './demo-wallets.ts';
import { type CustomStep, faucetStep, pay, type Story, type StoryContext, step } from './story.ts';

/** Block time may be behind the machine's clock, but not by this much. */
const EARLIER_SECONDS = 60;

/** Every wallet is funded, and deployed by its first message to the next one. */
export function walletStory({ wallets, faucets }: StoryContext): Story {
  const { bank, kate, ...others } = wallets;
  const ordinary = Object.values(others);
  const all = [...ordinary, kate];
  const empty = new Address(0, hashOnce('sha256', 'an account without a contract', 'buffer'));
  const lastGreeting: CustomStep = {
    round: 2,
    what: 'kate greets alice, from a highload wallet.',
    isDone: (chain) => contractData(chain, kate.address) !== undefined,
    message(chain) {
      const body = highloadTransfer({
        secretKey: kate.keys.secretKey,
        queryNumber: 0,
        createdAt: chain.now() - EARLIER_SECONDS,
        message: greeting(kate, wallets.alice),
      });
      return externalMessage(kate, body);
    },
  };
  return {
    contracts: { 'account without a contract': empty },
    steps: [
      faucetStep(faucets.basechain, pay(bank, '1000000', textComment('For the demo')), {
        what: 'The faucet gives money to the bank.',
        isDone: (chain) => chain.account(bank.address) !== undefined,
      }),
      step(
        1,
        bank,
        'The bank gives money to every wallet, and to an account that will never have a contract.',
        [...all, { address: empty }].map((to) => pay(to, '1000')),
      ),
      ...ordinary.map((by, index) => {
        const next = all[index + 1]!;
        return step(2, by, `${by.name} greets ${next.name}.`, [greeting(by, next)]);
      }),
      lastGreeting,
    ],
  };
}

function greeting({ name, version }: DemoWallet<string>, to: DemoWallet<string>) {
  return pay(to, '1', textComment(`Hello from ${name}, a wallet of version ${version}`));
}

/** An extra currency comes from the masterchain to alice, who gives a part of it to bob. */
export function extraCurrencyStory({ wallets: { alice, bob }, faucets }: StoryContext): Story {
  const give = ({ address: to }: DemoWallet, value: string, amount: string, body?: Cell) =>
    internal({ to, value, bounce: false, body, extracurrency: { [EXTRA_CURRENCY_ID]: toNano(amount) } });
  return {
    contracts: {},
    steps: [
      faucetStep(faucets.masterchain, give(alice, '10', '1000'), {
        what: 'The faucet of the masterchain gives some of the extra currency to alice.',
        isDone: (chain) =>
          chain.account(alice.address)?.storage.balance.other?.get(EXTRA_CURRENCY_ID) !== undefined,
      }),
      step(2, alice, 'alice gives some of the extra currency to bob.', [
        give(bob, '1', '250', textComment('Some of my extra currency')),
      ]),
    ],
  };
}

/**
 * Opens a source of messages that can be sent to a chain with the demo at any time, in any order, each once: small
 * transfers from kate to bob. Kate has a highload wallet, which takes messages in any order, while one with a seqno
 * takes only the next one. They are valid for an hour from the given unix time on.
 */
export function openSampleMessages() {
  const { kate, bob } = openDemoWallets();
  const body = (now: number): Cell =>
    highloadTransfer({
      secretKey: kate.keys.secretKey,
      queryNumber: randomInt(HIGHLOAD_QUERIES),
      createdAt: now,
      message: pay(bob, '0.001', textComment('Hello')),
    });
  return {
    /** The body of an external message to kate. */
    body,
    /** The whole external message. */
    external: (now: number) => externalMessage({ address: kate.address }, body(now)),
  };
}
