import { hash as hashOnce, randomInt } from 'node:crypto';
import { Address, type Cell, internal, toNano } from '@ton/core';
import { textComment } from '../contracts/contract.ts';
import { HIGHLOAD_QUERIES, highloadTransfer } from '../contracts/wallets.ts';
import { EXTRA_CURRENCY_ID } from '../genesis/create-genesis.ts';
import { contractData } from './demo-chain.ts';
import { openDemoWallets } from './demo-wallets.ts';
import {
  type CustomStep,
  externalMessage,
  faucetStep,
  type Story,
  type StoryContext,
  step,
  type WalletStep,
} from './story.ts';

const BANK_TON = toNano('1000000');
const WALLET_TON = toNano('1000');
/** Block time may be behind the machine's clock, but not by this much. */
const EARLIER_SECONDS = 60;

/** Every wallet is funded, and deployed by its first message to the next one. */
export function walletStory({ wallets, faucets }: StoryContext): Story {
  const { bank, kate, ...others } = wallets;
  const ordinary = Object.values(others);
  const all = [...ordinary, kate];
  const empty = new Address(0, hashOnce('sha256', 'an account without a contract', 'buffer'));

  const money: CustomStep = faucetStep(
    faucets.basechain,
    internal({ to: bank.address, value: BANK_TON, bounce: false, body: textComment('For the demo') }),
    {
      what: 'The faucet gives money to the bank.',
      isDone: (chain) => chain.account(bank.address) !== undefined,
    },
  );
  const wages: WalletStep = step(
    1,
    bank,
    'The bank gives money to every wallet, and to an account that will never have a contract.',
    [...all.map(({ address }) => address), empty].map((to) =>
      internal({ to, value: WALLET_TON, bounce: false }),
    ),
  );
  const greetings = ordinary.map(
    (by, index): WalletStep => ({
      round: 2,
      what: `${by.name} greets ${all[index + 1]!.name}.`,
      by,
      sends: [greeting(by.name, by.version, all[index + 1]!.address)],
    }),
  );
  const lastGreeting: CustomStep = {
    round: 2,
    what: 'kate greets alice, from a highload wallet.',
    isDone: (chain) => contractData(chain, kate.address) !== undefined,
    message(chain) {
      const body = highloadTransfer({
        secretKey: kate.keys.secretKey,
        queryNumber: 0,
        createdAt: chain.now() - EARLIER_SECONDS,
        message: greeting(kate.name, kate.version, wallets.alice.address),
      });
      return externalMessage(kate, body);
    },
  };
  return {
    contracts: { 'account without a contract': empty },
    steps: [money, wages, ...greetings, lastGreeting],
  };
}

function greeting(name: string, version: string, to: Address) {
  const body = textComment(`Hello from ${name}, a wallet of version ${version}`);
  return internal({ to, value: toNano('1'), bounce: false, body });
}

const GIVEN = toNano('1000');
const PASSED_ON = toNano('250');

/** An extra currency comes from the masterchain to alice, who gives a part of it to bob. */
export function extraCurrencyStory({ wallets: { alice, bob }, faucets }: StoryContext): Story {
  const amount = (value: bigint) => ({ extracurrency: { [EXTRA_CURRENCY_ID]: value } });
  return {
    contracts: {},
    steps: [
      faucetStep(
        faucets.masterchain,
        internal({ to: alice.address, value: toNano('10'), bounce: false, ...amount(GIVEN) }),
        {
          what: 'The faucet of the masterchain gives some of the extra currency to alice.',
          isDone: (chain) =>
            chain.account(alice.address)?.storage.balance.other?.get(EXTRA_CURRENCY_ID) !== undefined,
        },
      ),
      step(2, alice, 'alice gives some of the extra currency to bob.', [
        internal({
          to: bob.address,
          value: toNano('1'),
          bounce: false,
          body: textComment('Some of my extra currency'),
          ...amount(PASSED_ON),
        }),
      ]),
    ],
  };
}

/** Messages that can be sent to a chain with the demo at any time, in any order, each once. */
interface SampleMessages {
  /** The body of an external message to kate; valid for an hour from the given unix time on. */
  body(now: number): Cell;
  /** The whole external message. */
  external(now: number): Cell;
}

const AMOUNT = toNano('0.001');

/**
 * Opens the source of such messages: small transfers from kate to bob. Kate has a highload wallet, which takes messages
 * in any order, while one with a seqno takes only the next one.
 */
export function openSampleMessages(): SampleMessages {
  const { kate, bob } = openDemoWallets();
  const { secretKey } = kate.keys;
  const body = (now: number): Cell =>
    highloadTransfer({
      secretKey,
      queryNumber: randomInt(HIGHLOAD_QUERIES),
      createdAt: now,
      message: internal({ to: bob.address, value: AMOUNT, bounce: false, body: textComment('Hello') }),
    });
  return { body, external: (now) => externalMessage({ address: kate.address }, body(now)) };
}
