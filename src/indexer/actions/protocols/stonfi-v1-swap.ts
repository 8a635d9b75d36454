import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import type { Interfaces } from '../interfaces.ts';
import { blockOf, call } from '../pattern.ts';
import { readAccount, readSomeAccount, tryRead } from '../read-body.ts';
import { NotThis, type Rule } from '../rule.ts';
import { type DexTransfer, dexTransferOf, swapBlock } from './jetton-swap.ts';
import { type JettonTransferData, jettonTransferOf } from './jetton-transfer.ts';

const SWAP = 0x25938561;
const PAYMENT_REQUEST = 0xf93bb43f;
const OK = 0xc64370e5;
const OK_REFERRAL = 0x45078540;
const NO_LIQUIDITY = 0x5ffe1295;
const RESERVE_ERROR = 0x38976e9b;

function readSwap(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const from = readAccount(body);
  const tokenWallet = readSomeAccount(body);
  const amount = body.coins();
  return { from, tokenWallet, amount, realUser: readAccount(body.refSlice()) };
}

/** What a transfer to the router asks for in its payload. */
function readWish({ request }: JettonTransferData) {
  const payload = request.payloadOpcode === SWAP ? request.payload() : undefined;
  if (!payload) return undefined;
  return tryRead(() => {
    payload.skip(32);
    const wallet = readSomeAccount(payload);
    payload.coins();
    return { wallet, user: readAccount(payload) };
  });
}

interface Payment {
  readonly block: Block;
  readonly exit: number;
  readonly amount: bigint;
  readonly wallet: string;
}

function readPayment(block: Block): Payment {
  const body = block.bodyAfterOpcode();
  body.uint64();
  skipMsgAddress(body);
  const exit = body.uint(32);
  const sides = body.refSlice();
  const first = { amount: sides.coins(), wallet: readAccount(sides) };
  const second = { amount: sides.coins(), wallet: readAccount(sides) };
  const { amount, wallet } = first.amount > 0n ? first : second;
  if (wallet === null) throw new NotThis('a payment from no wallet');
  return { block, exit, amount, wallet };
}

/** The payment to the one who swaps; of several the largest, the others being shares of others. */
function payoutOf(payments: readonly Payment[]): Payment {
  const own = payments.filter(({ exit }) => exit === OK || exit === NO_LIQUIDITY || exit === RESERVE_ERROR);
  if (own.length === 0) throw new NotThis('nothing is paid out');
  return own.reduce((most, one) => (one.amount > most.amount ? one : most));
}

function outgoingOf(payout: Payment, receiver: string | null, interfaces: Interfaces): DexTransfer {
  const transfer = payout.block.next.find(({ type }) => type === 'jetton_transfer');
  if (!transfer) throw new NotThis('nothing is paid out');
  const asset = interfaces.jettonWallet(payout.wallet)?.jetton ?? null;
  const side = { ...dexTransferOf(transfer), asset, amount: payout.amount };
  return jettonTransferOf(transfer).hasInternalTransfer
    ? side
    : { ...side, destination: receiver, destinationWallet: null };
}

/** A swap by the first version of STON.fi. TON stays a jetton there: the form in which it is traded. */
export const stonfiV1Swap: Rule = {
  name: 'STON.fi v1 swap',
  test: (block) => block.type === 'jetton_transfer',
  around: { each: call(SWAP, { each: call(PAYMENT_REQUEST, { each: blockOf('jetton_transfer') }) }) },
  build(block, found, { interfaces }) {
    const swap = readSwap(found.call(SWAP)!);
    const payments = found.blocks.filter((one) => one.calls(PAYMENT_REQUEST)).map(readPayment);
    const payout = payoutOf(payments);
    const transfer = jettonTransferOf(block);
    const wish = readWish(transfer);
    const dexWallet = interfaces.jettonWallet(swap.tokenWallet);
    if (!dexWallet) throw new NotThis('the wallet of the exchange is not known');
    const destinationWallet = wish?.wallet ?? payout.wallet;
    const data = {
      dex: 'stonfi' as const,
      sender: swap.realUser,
      incoming: {
        asset: dexWallet.jetton,
        amount: swap.amount,
        source: swap.realUser,
        sourceWallet: transfer.senderWallet,
        destination: dexWallet.owner,
        destinationWallet: swap.tokenWallet,
      },
      outgoing: outgoingOf(payout, wish ? wish.user : swap.from, interfaces),
      destinationAsset: interfaces.jettonWallet(destinationWallet)?.jetton,
      destinationWallet,
    };
    const ofReferral = payments.filter(({ exit }) => exit === OK_REFERRAL);
    const notOurs = new Set(ofReferral.flatMap((payment) => [...payment.block.walk()]));
    const members = found.blocks.filter((one) => !notOurs.has(one));
    compose(swapBlock(data, payout.exit !== OK), [block, ...members]);
  },
};
