import { type Address, beginCell, toNano } from '@ton/core';
import {
  libraryReference,
  onChainContent,
  type TransferOptions,
  textComment,
} from '../contracts/contract.ts';
import {
  burnJettons,
  jettonMinter,
  jettonWallet,
  jettonWalletCode,
  mintJettons,
  transferJettons,
} from '../contracts/jetton.ts';
import { probe, probeSetLibrary } from '../contracts/probe.ts';
import type { DemoWallet } from './demo-wallets.ts';
import { deploy, type Story, type StoryContext, send, step } from './story.ts';

/** A jetton is minted, transferred with comments and payloads, and partly burnt. */
export function jettonStory({
  wallets: { alice, bob, carol, dave, erin, frank, grace },
}: StoryContext): Story {
  const content = onChainContent({
    name: 'Demo jetton',
    symbol: 'DEMO',
    decimals: '9',
    description: 'The jetton of the demo of a local chain',
  });
  const minter = jettonMinter({ admin: alice.address, content });
  const walletOf = ({ address }: DemoWallet): Address =>
    jettonWallet({ minter: minter.address, owner: address }).address;
  const mint = ({ address: to }: DemoWallet, amount: string) => {
    const forwardPayload = textComment('Your first jettons');
    const forward = { forwardTon: toNano('0.01'), forwardPayload, responseTo: alice.address };
    const body = mintJettons({ to, amount: toNano(amount), ton: toNano('0.1'), ...forward });
    return send(minter.address, '0.2', body);
  };
  const transfer = (from: DemoWallet, to: DemoWallet, amount: string, more?: Partial<TransferOptions>) => {
    const usual = { to: to.address, responseTo: from.address, forwardTon: toNano('0.02') };
    return send(walletOf(from), '0.15', transferJettons({ amount: toNano(amount), ...usual, ...more }));
  };
  const order = beginCell()
    .storeUint(0x0de00001, 32)
    .storeUint(7, 64)
    .storeRef(beginCell().storeStringTail('an order of goods'))
    .endCell();
  const longComment = textComment('For the concert tickets; the rest follows next week');

  return {
    contracts: {
      'jetton minter': minter.address,
      'jetton wallet of alice': walletOf(alice),
      'jetton wallet of bob': walletOf(bob),
      'jetton wallet of carol': walletOf(carol),
    },
    steps: [
      step(2, alice, 'alice makes a jetton for herself, bob and carol.', [
        deploy(minter, '1'),
        mint(alice, '1000000'),
        mint(bob, '1000'),
        mint(carol, '500'),
      ]),
      step(
        3,
        alice,
        'alice sends jettons to frank without a word, and to grace with a payload for a program.',
        [
          transfer(alice, frank, '10', { forwardTon: 0n }),
          transfer(alice, grace, '5', { forwardPayload: order }),
        ],
      ),
      step(
        3,
        carol,
        'carol sends jettons to dave with a comment in a cell of its own, and to erin with a short one.',
        [
          transfer(carol, dave, '100', { forwardPayload: longComment }),
          transfer(carol, erin, '50', { forwardPayload: textComment('Thanks'), payloadInline: true }),
        ],
      ),
      step(4, carol, 'carol burns jettons.', [
        send(walletOf(carol), '0.1', burnJettons({ amount: toNano('25'), responseTo: carol.address })),
      ]),
      step(4, dave, 'dave tries to send more jettons than he has.', [transfer(dave, bob, '1000000')]),
    ],
  };
}

/** A library is published in the masterchain; the wallets of a jetton have only its hash as their code. */
export function libraryStory({ wallets: { bank, alice, carol, dave } }: StoryContext): Story {
  const library = jettonWalletCode();
  const walletCode = libraryReference(library);
  const publisher = probe({ owner: bank.address, workchain: -1 });
  const content = onChainContent({ name: 'Library jetton', symbol: 'LIB', decimals: '6' });
  const minter = jettonMinter({ admin: alice.address, content, walletCode });
  const carols = jettonWallet({ minter: minter.address, owner: carol.address, walletCode }).address;
  const toDave = transferJettons({
    to: dave.address,
    amount: 200_000_000n,
    responseTo: carol.address,
    forwardTon: toNano('0.02'),
    forwardPayload: textComment('From one library to another'),
  });

  return {
    contracts: {
      'library publisher': publisher.address,
      'library jetton minter': minter.address,
      'library jetton wallet of carol': carols,
    },
    steps: [
      step(1, bank, 'The bank publishes the code of a jetton wallet as a library.', [
        // Storage in the masterchain is a thousand times as expensive.
        deploy(publisher, '10000', probeSetLibrary('public', library)),
      ]),
      step(3, alice, 'alice makes a jetton whose wallets have the library for their code.', [
        deploy(minter, '1'),
        send(
          minter.address,
          '0.2',
          mintJettons({ to: carol.address, amount: 700_000_000n, ton: toNano('0.1') }),
        ),
      ]),
      step(4, carol, 'carol sends some of that jetton to dave.', [send(carols, '0.15', toDave)]),
    ],
  };
}
