import { hash as hashOnce } from 'node:crypto';
import { Address, internal, toNano } from '@ton/core';
import { highloadTransfer } from '../../contracts/highload-wallet.ts';
import { textComment } from '../../contracts/message-parts.ts';
import { dataOf } from '../demo-chain.ts';
import { faucetDeed } from '../faucet-deed.ts';
import type { OtherDeed, Scene, Story, WalletDeed } from '../story.ts';
import { externalMessage } from '../wallet-act.ts';

const BANK_TON = toNano('1000000');
const WALLET_TON = toNano('1000');
/** Blocks may be made at a time before that of the machine's clock, but not by this much. */
const EARLIER_SECONDS = 60;

/** Everybody gets money, and deploys a wallet by greeting the next one. */
export function walletStory({ wallets, faucets }: Scene): Story {
  const { bank, kate, ...others } = wallets;
  const ordinary = Object.values(others);
  const all = [...ordinary, kate];
  const empty = new Address(0, hashOnce('sha256', 'an account without a contract', 'buffer'));

  const money: OtherDeed = faucetDeed(
    faucets.basechain,
    internal({ to: bank.address, value: BANK_TON, bounce: false, body: textComment('For the demo') }),
    {
      what: 'The faucet gives money to the bank.',
      isDone: (chain) => chain.account(bank.address) !== undefined,
    },
  );
  const wages: WalletDeed = {
    round: 1,
    what: 'The bank gives money to every wallet, and to an account that will never have a contract.',
    by: bank,
    sends: [...all.map(({ address }) => address), empty].map((to) =>
      internal({ to, value: WALLET_TON, bounce: false }),
    ),
  };
  const greetings = ordinary.map(
    (by, index): WalletDeed => ({
      round: 2,
      what: `${by.name} greets ${all[index + 1]!.name}.`,
      by,
      sends: [greeting(by.name, by.version, all[index + 1]!.address)],
    }),
  );
  const lastGreeting: OtherDeed = {
    round: 2,
    what: 'kate greets alice, from a highload wallet.',
    isDone: (chain) => dataOf(chain, kate.address) !== undefined,
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
    deeds: [money, wages, ...greetings, lastGreeting],
  };
}

function greeting(name: string, version: string, to: Address) {
  const body = textComment(`Hello from ${name}, a wallet of version ${version}`);
  return internal({ to, value: toNano('1'), bounce: false, body });
}
