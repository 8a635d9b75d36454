import type { AdditionalRule } from '../../rules/additional.ts';
import { jettonTransferOf, transferColumns } from './rules.ts';

/** A transfer whose receiver gets another amount than was sent: the wallets of the jetton take a part of it. */
export const flawedJettonTransfer: AdditionalRule = {
  name: 'flawed jetton transfer',
  start: { type: 'jetton_transfer' },
  find(block) {
    const transfer = jettonTransferOf(block);
    const { amount: sent } = transfer.request;
    if (!transfer.hasInternalTransfer || sent === transfer.amount) return [];
    return [
      {
        ...transferColumns(transfer),
        type: 'flawed_jetton_transfer',
        success: !block.failed,
        data: { ...block.describe().data, flawed_jetton_transfer_data: { sent_amount: sent } },
        members: [block],
      },
    ];
  },
};
