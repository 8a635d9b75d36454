import { type TonTransferData, tonTransferOf } from '../../rules/basic-blocks.ts';
import { type Block, type BlockContent, compose, plainContent } from '../../rules/block.ts';
import { anyOf, call } from '../../rules/pattern.ts';
import type { Rule } from '../../rules/rule.ts';
import { jetton } from '../jettons/layouts.ts';
import { poolRequest, staking } from './layouts.ts';

const ELECTOR = `-1:${'3'.repeat(64)}`;

/** A validator stakes for the next round; only the response of the elector confirms it. */
export const electionDeposit: Rule = {
  name: 'election deposit',
  test: (block) => block.calls(staking.elector_new_stake) && block.message.destination === ELECTOR,
  around: {
    each: call(staking.elector_new_stake_confirmation, { as: 'response', optional: true, excess: false }),
  },
  build(block, match) {
    const { source, value } = block.message;
    const refused = match.named('response') === undefined;
    const content = plainContent('election_deposit', { source, amount: value }, refused);
    compose(content, [block, ...match.blocks]);
  },
};

/** A validator recovers its stake from the elector. */
export const electionRecover: Rule = {
  name: 'election recover',
  test: (block) =>
    block.calls(staking.elector_recover_stake_request) && block.message.destination === ELECTOR,
  around: {
    each: call(staking.elector_recover_stake_response, { as: 'response', optional: true, excess: false }),
  },
  build(block, match) {
    const response = match.named('response');
    const columns = { source: block.message.source, amount: response?.message.value ?? null };
    const content = plainContent('election_recover', columns, response === undefined);
    compose(content, [block, ...match.blocks]);
  },
};

const STAKING = { staking_data: { provider: 'nominator' } } as const;

/** A nominator deposits a stake. */
export const nominatorDeposit: Rule = {
  name: 'nominator deposit',
  test: (block) => tonTransferOf(block)?.comment === 'd',
  includesRefunds: true,
  build(block, match, { interfaces }) {
    const { source, destination, value } = block.message;
    if (!interfaces.isNominatorPool(destination ?? '')) return;
    const columns = { type: 'stake_deposit', source, destination, amount: value, data: STAKING };
    compose(plainContent('nominator_pool_deposit', columns, block.failed), [block, ...match.blocks]);
  },
};

/** A paid withdrawal, or one that waits until the pool gets its stake back. */
function withdrawal(
  source: string | null,
  pool: string | null,
  amount: bigint | null,
  failed = false,
): BlockContent {
  const type = amount === null ? 'stake_withdrawal_request' : 'stake_withdrawal';
  const columns = { type, source, destination: pool, amount, data: STAKING };
  return plainContent('nominator_pool_withdraw_request', columns, failed);
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

/** A nominator requests a withdrawal. */
export const nominatorWithdrawal: Rule = {
  name: 'nominator withdrawal',
  test: (block) => tonTransferOf(block)?.comment === 'w',
  includesRefunds: true,
  build(block, match, { interfaces }) {
    const { source, destination, value } = block.message;
    if (!interfaces.isNominatorPool(destination ?? '')) return;
    const transfers = transfersAfter(block);
    const payments = transfers.length <= 2 ? transfers.map(([one]) => one) : [];
    const content = withdrawal(source, destination, payoutAmong(transfers, value), block.failed);
    compose(content, [block, ...match.blocks, ...payments]);
  },
};

/** The pool owner processes pending withdrawals. */
export const nominatorPayouts: Rule = {
  name: 'nominator payouts',
  calls: [poolRequest.process_withdrawals],
  includesRefunds: true,
  build(block, _found, { interfaces }) {
    const pool = block.message.destination;
    if (!interfaces.isNominatorPool(pool ?? '')) return;
    for (const [one, { destination, value }] of transfersAfter(block)) {
      compose(withdrawal(destination, pool, value), [one]);
    }
  },
};

/** The fee of a pool for a deposit. */
const DEPOSIT_FEE = 1_000_000_000n;

const PROVIDER = { provider: 'liquid_staking' } as const;

/** Data of a withdrawal. */
interface WithdrawData {
  readonly pool: string | null;
}

/** Stakes in a pool for its jettons. */
export const liquidStakingDeposit: Rule = {
  name: 'liquid staking deposit',
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
    if (!minted) return;
    const { source, destination, value } = block.message;
    const columns = {
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
    };
    compose(plainContent('tonstakers_deposit', columns, block.failed), [block, ...match.blocks]);
  },
};

/** Burns pool jettons for an immediate payout, or for an NFT that is paid later. */
export const liquidStakingWithdrawal: Rule = {
  name: 'liquid staking withdrawal',
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
    const request = match.named('request');
    const paid = match.named('paid');
    const delayed = match.named('delayed');
    if (!request || !(paid || delayed)) return;
    const burnt = jetton.burn.read(block).amount;
    const { source, destination: wallet } = block.message;
    const { source: asset, destination: pool } = request.message;
    const members = [block, ...match.blocks];
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
      compose({ ...plainContent('tonstakers_withdraw', columns, block.failed), data }, members);
      return;
    }
    const nft = delayed && findMintedNft(delayed);
    const columns = {
      type: 'stake_withdrawal_request',
      source,
      source_secondary: wallet,
      destination: pool,
      asset,
      amount: burnt,
      data: { staking_data: { ...PROVIDER, ts_nft: nft?.message.destination ?? null } },
    };
    compose(plainContent('tonstakers_withdraw_request', columns, block.failed || !nft), members);
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
  name: 'liquid staking payout',
  calls: [staking.nft_payout],
  around: {
    previous: call(staking.nft_burn_notification, { as: 'notice', previous: call(staking.nft_burn) }),
  },
  build(block, match) {
    const notice = match.named('notice');
    if (!notice) return;
    const { amount: burnt, owner } = staking.nft_burn_notification.read(notice);
    const data: WithdrawData = { pool: findPool(notice) };
    const columns = {
      type: 'stake_withdrawal',
      source: owner,
      destination: data.pool,
      amount: block.message.value,
      data: { staking_data: { ...PROVIDER, ts_nft: notice.message.source, tokens_burnt: burnt } },
    };
    compose({ ...plainContent('tonstakers_withdraw', columns), data }, [block, ...match.blocks]);
  },
};
