import { Address, beginCell, type Cell } from '@ton/core';
import { op, type Step } from './trace-builder.ts';

/** A jetton transfer between two wallets. */
export interface JettonSteps {
  readonly owner: string;
  readonly wallet: string;
  readonly receiver: string;
  readonly receiverWallet: string;
  readonly amount: bigint;
  readonly payload?: Cell;
  /** What the receiver does when it is notified. */
  readonly sends?: readonly Step[];
}

/** The three messages of a jetton transfer, from the owner's request to the notification. */
export function jettonSteps(transfer: JettonSteps): Step {
  const { wallet, receiver, receiverWallet, amount, sends = [] } = transfer;
  const owner = Address.parseRaw(transfer.owner);
  const payload = transfer.payload ?? beginCell().endCell();
  const request = op(0x0f8a7ea5, 7)
    .storeCoins(amount)
    .storeAddress(Address.parseRaw(receiver))
    .storeAddress(owner)
    .storeBit(0)
    .storeCoins(1n)
    .storeBit(1)
    .storeRef(payload);
  const internal = op(0x178d4519, 7)
    .storeCoins(amount)
    .storeAddress(owner)
    .storeAddress(owner)
    .storeCoins(1n)
    .storeBit(1)
    .storeRef(payload);
  const notification = op(0x7362d09c, 7).storeCoins(amount).storeAddress(owner).storeBit(1).storeRef(payload);
  return {
    to: wallet,
    body: request,
    sends: [{ to: receiverWallet, body: internal, sends: [{ to: receiver, body: notification, sends }] }],
  };
}
