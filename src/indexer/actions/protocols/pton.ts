import type { Slice } from '../../../chain/boc/slice.ts';
import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { Block } from '../block.ts';
import type { Interfaces } from '../interfaces.ts';
import { anyOf, blockOf, call, type Pattern } from '../pattern.ts';
import { readMaybeRef } from '../read-body.ts';
import type { PaidOut } from './dex-liquidity.ts';
import { type DexTransfer, dexTransferOf } from './jetton-swap.ts';
import { JETTON_NOTIFICATION, jettonTransferOf, PTON_MASTERS } from './jetton-transfer.ts';

/** The wallet of TON in the form of a jetton is given TON, or gives it. */
export const PTON_TRANSFER = 0x01f3835d;

interface PtonTransfer {
  readonly amount: bigint;
  readonly payload: Slice | undefined;
}

/** How much TON a message of such a wallet means, and what for. */
export function readPtonTransfer(block: Block): PtonTransfer {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const amount = body.coins();
  skipMsgAddress(body);
  return { amount, payload: readMaybeRef(body) ?? (body.refsLeft > 0 ? body : undefined) };
}

/** The message that pays TON out, after a transfer of TON in the form of a jetton. */
export function ptonAfter(transfer: Block): Block | undefined {
  return transfer.next.find((block) => block.calls(PTON_TRANSFER));
}

/** What a router paid: TON where that follows its form of a jetton. */
export function readRouterPayment(transfer: Block): PaidOut {
  const { asset, amount, sender, senderWallet, receiverWallet } = jettonTransferOf(transfer);
  const pton = ptonAfter(transfer);
  const paid = pton ? { asset: null, amount: readPtonTransfer(pton).amount } : { asset, amount };
  return { ...paid, dexWallet: sender, dexJettonWallet: senderWallet, userJettonWallet: receiverWallet };
}

/** The asset that a jetton stands for: null, TON, for the forms of TON. */
export function tonOrJetton(jetton: string | null): string | null {
  return jetton !== null && PTON_MASTERS.has(jetton) ? null : jetton;
}

/** The asset of a wallet; undefined where it is not known. */
export function assetOfWallet(interfaces: Interfaces, wallet: string | null): string | null | undefined {
  const known = wallet ? interfaces.jettonWallet(wallet) : undefined;
  return known && tonOrJetton(known.jetton);
}

/** What brings jettons or TON to a router. The block that starts it has the name `in`. */
export const cameIn: Pattern = anyOf([
  blockOf('jetton_transfer', { as: 'in' }),
  call(JETTON_NOTIFICATION, { previous: call(PTON_TRANSFER, { as: 'in' }) }),
]);

/** What came to a router. */
export function readCameIn(first: Block, router: string | null): DexTransfer {
  if (first.type === 'jetton_transfer') {
    const transfer = dexTransferOf(first);
    return { ...transfer, asset: tonOrJetton(transfer.asset) };
  }
  return {
    asset: null,
    amount: readPtonTransfer(first).amount,
    source: first.message.source,
    sourceWallet: null,
    destination: router,
    destinationWallet: first.message.destination,
  };
}
