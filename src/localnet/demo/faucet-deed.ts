import type { MessageRelaxed } from '@ton/core';
import { walletTransfer } from '../contracts/wallet-transfer.ts';
import type { FundedWallet } from '../genesis/faucet.ts';
import type { OtherDeed } from './story.ts';
import { externalMessage, seqnoOf, VALID_SECONDS } from './wallet-act.ts';

/** Gives something away that is there from the start. Faucets are used by everybody, so their numbers tell nothing. */
export function faucetDeed(
  faucet: FundedWallet,
  message: MessageRelaxed,
  { what, isDone }: Pick<OtherDeed, 'what' | 'isDone'>,
): OtherDeed {
  const { address, version, secretKey } = faucet;
  return {
    round: 0,
    what,
    isDone,
    message(chain) {
      const body = walletTransfer({
        version,
        secretKey,
        seqno: seqnoOf(chain, faucet),
        messages: [message],
        validUntil: chain.now() + VALID_SECONDS,
        workchain: address.workChain,
      });
      return externalMessage({ address }, body);
    },
  };
}
