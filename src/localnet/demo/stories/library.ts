import { internal, toNano } from '@ton/core';
import { onChainContent } from '../../contracts/content.ts';
import { libraryReference } from '../../contracts/contract-state.ts';
import {
  jettonMinter,
  jettonWallet,
  jettonWalletCode,
  mintJettons,
  transferJettons,
} from '../../contracts/jetton.ts';
import { textComment } from '../../contracts/message-parts.ts';
import { probe, probeSetLibrary } from '../../contracts/probe.ts';
import type { Scene, Story } from '../story.ts';

/** A library is published in the masterchain, and the wallets of a jetton have nothing but its hash for their code. */
export function libraryStory({ wallets: { bank, alice, carol, dave } }: Scene): Story {
  const library = jettonWalletCode();
  const walletCode = libraryReference(library);
  const publisher = probe({ owner: bank.address, workchain: -1 });
  const minter = jettonMinter({
    admin: alice.address,
    content: onChainContent({ name: 'Library jetton', symbol: 'LIB', decimals: '6' }),
    walletCode,
  });
  const carols = jettonWallet({ minter: minter.address, owner: carol.address, walletCode }).address;

  return {
    contracts: {
      'library publisher': publisher.address,
      'library jetton minter': minter.address,
      'library jetton wallet of carol': carols,
    },
    deeds: [
      {
        round: 1,
        what: 'The bank publishes the code of a jetton wallet as a library.',
        by: bank,
        sends: [
          internal({
            to: publisher.address,
            // Storage in the masterchain is a thousand times as dear.
            value: toNano('10000'),
            init: publisher.init,
            body: probeSetLibrary('public', library),
          }),
        ],
      },
      {
        round: 3,
        what: 'alice makes a jetton whose wallets have the library for their code.',
        by: alice,
        sends: [
          internal({ to: minter.address, value: toNano('1'), init: minter.init }),
          internal({
            to: minter.address,
            value: toNano('0.2'),
            body: mintJettons({ to: carol.address, amount: 700_000_000n, ton: toNano('0.1') }),
          }),
        ],
      },
      {
        round: 4,
        what: 'carol sends some of that jetton to dave.',
        by: carol,
        sends: [
          internal({
            to: carols,
            value: toNano('0.15'),
            body: transferJettons({
              to: dave.address,
              amount: 200_000_000n,
              responseTo: carol.address,
              forwardTon: toNano('0.02'),
              forwardPayload: textComment('From one library to another'),
            }),
          }),
        ],
      },
    ],
  };
}
