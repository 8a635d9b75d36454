import { blockOf, call } from '../../rules/pattern.ts';
import type { Rule } from '../../rules/rule.ts';
import { jetton } from '../jettons/layouts.ts';
import { jettonMintOf, jettonTransferOf } from '../jettons/rules.ts';
import { ethena } from './layouts.ts';

const USDE = '0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC';
const STAKED_USDE = '0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D';

/** Requests a withdrawal: tsUSDe goes to its master, which pays out after a cooldown. */
export const ethenaWithdrawalRequest: Rule = {
  type: 'ethena_withdrawal_request',
  calls: [jetton.transfer],
  around: {
    each: call(jetton.internal_transfer, {
      as: 'internal',
      each: call(jetton.notify, {
        each: call(jetton.mint, { as: 'mint', each: call(ethena.timelocked_transfer, { as: 'timelocked' }) }),
      }),
    }),
  },
  build(block, match, { interfaces }) {
    const internal = match.named('internal')!;
    const mint = match.named('mint')!;
    const timelocked = match.named('timelocked')!;
    const { source, destination } = block.message;
    const paidFrom = interfaces.jettonWallet(destination ?? '');
    const paidTo = interfaces.jettonWallet(timelocked.message.destination ?? '');
    if (paidFrom?.owner !== source || paidTo?.owner !== source) return undefined;
    if (paidFrom?.jetton !== internal.message.destination || paidTo?.jetton !== timelocked.message.source)
      return undefined;
    const { amount: tokens_minted } = ethena.timelocked_transfer.read(timelocked);
    return {
      type: 'stake_withdrawal_request',
      source,
      source_secondary: destination,
      destination: mint.message.source,
      asset: paidFrom?.jetton ?? null,
      amount: jetton.internal_transfer.read(internal).amount,
      data: { staking_data: { provider: 'ethena', tokens_minted } },
    };
  },
};

/** Stakes USDe. */
export const ethenaDeposit: Rule = {
  type: 'ethena_deposit',
  test: (block) => block.type === 'jetton_transfer',
  around: { each: blockOf('jetton_mint', { as: 'mint' }) },
  build(block, match) {
    const mint = match.named('mint')!;
    const transfer = jettonTransferOf(block);
    const minted = jettonMintOf(mint);
    if (transfer.asset !== USDE || minted.asset !== STAKED_USDE) return undefined;
    return {
      type: 'stake_deposit',
      source: transfer.sender,
      source_secondary: transfer.senderWallet,
      destination: transfer.receiver,
      amount: transfer.amount,
      asset: minted.asset,
      asset2: transfer.asset,
      data: { staking_data: { provider: 'ethena', tokens_minted: minted.amount } },
      members: [block, mint],
    };
  },
};
