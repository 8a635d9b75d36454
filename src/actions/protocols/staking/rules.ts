import type { ActionColumns } from '../../rules/action.ts';
import { type TonTransferData, tonTransferOf } from '../../rules/basic-blocks.ts';
import { type Block, compose, plainContent } from '../../rules/block.ts';
import { anyOf, call } from '../../rules/pattern.ts';
import type { Rule } from '../../rules/rule.ts';
import { jetton } from '../jettons/layouts.ts';
import { poolRequest, staking } from './layouts.ts';

const ELECTOR = `-1:${'3'.repeat(64)}`;

const STAKING = { staking_data: { provider: 'nominator' } } as const;

/** A paid withdrawal, or one that waits until the pool gets its stake back. */
function withdrawal(source: string | null, destination: string | null, amount: bigint | null): ActionColumns {
  const type = amount === null ? 'stake_withdrawal_request' : 'stake_withdrawal';
  return { type, source, destination, amount, data: STAKING };
}

type Transfer = readonly [block: Block, transfer: TonTransferData];

function transfersAfter(block: Block): Transfer[] {
  return block.next.flatMap((one): Transfer[] => {
    const transfer = tonTransferOf(one);
    return transfer ? [[one, transfer]] : [];
  });
}

/** The payout of a nominator; a single transfer of no more than the sent amount is only a refund. */
function payoutAmong(transfers: readonly Transfer[], sent: bigint | null): bigint | null {
  const [first] = transfers.toSorted(([a], [b]) => Number(a.node.lt - b.node.lt));
  const amount = first?.[1].value ?? null;
  if (transfers.length === 2) return amount;
  return transfers.length === 1 && (amount ?? 0n) > (sent ?? 0n) ? amount : null;
}

const DEPOSIT_FEE = 1_000_000_000n;

const PROVIDER = { provider: 'liquid_staking' } as const;

interface WithdrawData {
  readonly pool: string | null;
}

/** Stakes in a pool for its jettons. */
export const liquidStakingDeposit: Rule = {
  type: 'tonstakers_deposit',
  calls: [staking.pool_deposit],
  around: {
    each: call(staking.payout_mint_jettons, {
      optional: true,
      each: call(jetton.internal_transfer, {
        as: 'minted',
        each: call(jetton.notify, { optional: true }),
      }),
    }),
  },
  build(block, match) {
    const minted = match.named('minted');
    if (!minted) return undefined;
    const { source, destination, value } = block.message;
    return {
      type: 'stake_deposit',
      source,
      destination,
      amount: (value ?? 0n) - DEPOSIT_FEE,
      asset: minted.message.source,
      data: {
        staking_data: {
          ...PROVIDER,
          tokens_minted: block.failed ? null : jetton.internal_transfer.read(minted).amount,
        },
      },
      success: !block.failed,
    };
  },
};

/** Burns pool jettons for an immediate payout, or for an NFT that is paid later. */
export const liquidStakingWithdrawal: Rule = {
  type: 'tonstakers_withdraw_request',
  calls: [jetton.burn],
  around: {
    each: call(jetton.burn_notification, {
      each: call(staking.pool_withdraw, {
        as: 'request',
        each: anyOf([
          call(staking.pool_withdrawal, { as: 'paid' }),
          call(staking.payout_mint_jettons, { as: 'delayed' }),
        ]),
      }),
    }),
  },
  build(block, match) {
    const request = match.named('request')!;
    const paid = match.named('paid');
    const delayed = match.named('delayed');
    const burnt = jetton.burn.read(block).amount;
    const { source, destination: wallet } = block.message;
    const { source: asset, destination: pool } = request.message;
    if (paid) {
      const columns = {
        type: 'stake_withdrawal',
        source,
        destination: pool,
        asset,
        // The TON of the request is returned with it.
        amount: (paid.message.value ?? 0n) - (paid.previous?.message.value ?? 0n),
        data: { staking_data: { ...PROVIDER, tokens_burnt: burnt } },
      };
      const data: WithdrawData = { pool };
      compose({ ...plainContent('tonstakers_withdraw', columns, block.failed), data }, [
        block,
        ...match.blocks,
      ]);
      return undefined;
    }
    const nft = delayed && findMintedNft(delayed);
    return {
      type: 'stake_withdrawal_request',
      source,
      source_secondary: wallet,
      destination: pool,
      asset,
      amount: burnt,
      data: { staking_data: { ...PROVIDER, ts_nft: nft?.message.destination ?? null } },
      success: !block.failed && nft !== undefined,
    };
  },
};

function findMintedNft({ next }: Block): Block | undefined {
  return next.find(({ type }) => type === 'nft_mint') ?? next.find((one) => one.calls(staking.nft_init));
}

/** The pool for which payout NFTs are burnt one after another. */
function findPool(notice: Block): string | null {
  for (let block = notice.previous; block; block = block.previous) {
    if (block.calls(poolRequest.start_distribution)) return block.message.source;
    if (block.type === 'tonstakers_withdraw') return (block.data as WithdrawData).pool;
    if (!block.calls(staking.nft_burn_notification, staking.nft_burn, staking.nft_payout)) return null;
  }
  return null;
}

/** A payout NFT is burnt and its owner paid. */
export const liquidStakingPayout: Rule = {
  type: 'tonstakers_withdraw',
  calls: [staking.nft_payout],
  around: {
    previous: call(staking.nft_burn_notification, { as: 'notice', previous: call(staking.nft_burn) }),
  },
  build(block, match) {
    const notice = match.named('notice')!;
    const { amount: burnt, owner } = staking.nft_burn_notification.read(notice);
    const blockData: WithdrawData = { pool: findPool(notice) };
    return {
      type: 'stake_withdrawal',
      source: owner,
      destination: blockData.pool,
      amount: block.message.value,
      data: { staking_data: { ...PROVIDER, ts_nft: notice.message.source, tokens_burnt: burnt } },
      blockData,
    };
  },
};

export const nominatorRules: readonly Rule[] = [
  // A nominator deposits a stake.
  {
    type: 'nominator_pool_deposit',
    test: (block) => tonTransferOf(block)?.comment === 'd',
    includesRefunds: true,
    build(block, _match, { interfaces }) {
      const { source, destination, value } = block.message;
      if (!interfaces.isNominatorPool(destination ?? '')) return undefined;
      return {
        type: 'stake_deposit',
        source,
        destination,
        amount: value,
        data: STAKING,
        success: !block.failed,
      };
    },
  },
  // A nominator requests a withdrawal.
  {
    type: 'nominator_pool_withdraw_request',
    test: (block) => tonTransferOf(block)?.comment === 'w',
    includesRefunds: true,
    build(block, match, { interfaces }) {
      const { source, destination, value } = block.message;
      if (!interfaces.isNominatorPool(destination ?? '')) return undefined;
      const transfers = transfersAfter(block);
      const payments = transfers.length <= 2 ? transfers.map(([one]) => one) : [];
      return {
        ...withdrawal(source, destination, payoutAmong(transfers, value)),
        success: !block.failed,
        members: [block, ...match.blocks, ...payments],
      };
    },
  },
  // The pool owner processes pending withdrawals.
  {
    type: 'nominator_pool_withdraw_request',
    calls: [poolRequest.process_withdrawals],
    includesRefunds: true,
    build(block, _match, { interfaces }) {
      const pool = block.message.destination;
      if (!interfaces.isNominatorPool(pool ?? '')) return;
      for (const [one, { destination, value }] of transfersAfter(block)) {
        compose(plainContent('nominator_pool_withdraw_request', withdrawal(destination, pool, value)), [one]);
      }
    },
  },
];

export const electionRules: readonly Rule[] = [
  // A validator stakes for the next round; only the response of the elector confirms it.
  {
    type: 'election_deposit',
    test: (block) => block.calls(staking.elector_new_stake) && block.message.destination === ELECTOR,
    around: {
      each: call(staking.elector_new_stake_confirmation, { as: 'response', optional: true, excess: false }),
    },
    build(block, match) {
      const { source, value } = block.message;
      return { source, amount: value, success: match.named('response') !== undefined };
    },
  },
  // A validator recovers its stake from the elector.
  {
    type: 'election_recover',
    test: (block) =>
      block.calls(staking.elector_recover_stake_request) && block.message.destination === ELECTOR,
    around: {
      each: call(staking.elector_recover_stake_response, { as: 'response', optional: true, excess: false }),
    },
    build(block, match) {
      const response = match.named('response');
      const amount = response?.message.value ?? null;
      return { source: block.message.source, amount, success: response !== undefined };
    },
  },
];
