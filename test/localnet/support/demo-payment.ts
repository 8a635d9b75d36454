import { type Address, beginCell, type Cell, external, internal, storeMessage, toNano } from '@ton/core';
import { WalletContractV4 } from '@ton/ton';
import { transferJettons } from '../../../src/localnet/contracts/jetton.ts';
import { openDemoWallets } from '../../../src/localnet/demo/demo-wallets.ts';

/** The wallet of the demo that pays. */
export const BOB = openDemoWallets().bob;

/** Bob of the demo sends a TON and some of his jettons: always the same message for the same seqno. */
export function bobsPayment(options: {
  readonly seqno: number;
  readonly to: Address;
  /** `jetton wallet of bob` in demo.json. */
  readonly jettonWallet: Address;
  /** Unix seconds; never expires if left out. */
  readonly validUntil?: number;
}): { readonly message: Cell; readonly hash: string } {
  const wallet = WalletContractV4.create({ workchain: 0, publicKey: BOB.keys.publicKey });
  const { to } = options;
  const body = wallet.createTransfer({
    seqno: options.seqno,
    secretKey: BOB.keys.secretKey,
    timeout: options.validUntil ?? 0xffffffff,
    messages: [
      internal({ to, value: toNano('1'), bounce: false, body: 'hello' }),
      internal({
        to: options.jettonWallet,
        value: toNano('0.15'),
        body: transferJettons({ to, amount: 5n, responseTo: BOB.address, forwardTon: 1n }),
      }),
    ],
  });
  const message = beginCell()
    .store(storeMessage(external({ to: wallet.address, body })))
    .endCell();
  return { message, hash: message.hash().toString('base64') };
}
