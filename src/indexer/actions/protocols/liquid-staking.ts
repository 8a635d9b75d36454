import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { anyOf, call } from '../pattern.ts';
import { plainContent } from '../plain-content.ts';
import { readAccount, readAmount } from '../read-body.ts';
import type { Rule } from '../rule.ts';
import { JETTON_BURN, JETTON_BURN_NOTIFICATION } from './jetton-supply.ts';
import { JETTON_INTERNAL_TRANSFER, JETTON_NOTIFICATION } from './jetton-transfer.ts';

const DEPOSIT = 0x47d54391;
/** To the minter of jettons as to the collection of payout NFTs. */
const MINT = 0x1674b0a0;
const INIT_NFT = 0x132f9a45;
const WITHDRAW = 0x319b0cdc;
const PAY_AT_ONCE = 0x0a77535c;
const START_DISTRIBUTION = 0x1140a64f;
const BURN_NFT = 0xf127fe4e;
const NFT_BURNT = 0xed58b0b2;
const DISTRIBUTED = 0xdb3b8abd;
/** What a pool keeps of a deposit for its work. */
const DEPOSIT_FEE = 1_000_000_000n;

const PROVIDER = { provider: 'liquid_staking' } as const;

/** What later rules read of a withdrawal. */
interface WithdrawData {
  readonly pool: string | null;
}

/** Somebody stakes in a pool and gets its jettons. */
export const liquidStakingDeposit: Rule = {
  name: 'liquid staking deposit',
  test: (block) => block.calls(DEPOSIT),
  around: {
    each: call(MINT, {
      optional: true,
      each: call(JETTON_INTERNAL_TRANSFER, {
        as: 'minted',
        each: call(JETTON_NOTIFICATION, { optional: true }),
      }),
    }),
  },
  build(block, found) {
    const minted = found.named('minted');
    if (!minted) return;
    const { source, destination, value } = block.message;
    const columns = {
      type: 'stake_deposit',
      source,
      destination,
      amount: (value ?? 0n) - DEPOSIT_FEE,
      asset: minted.message.source,
      data: { staking_data: { ...PROVIDER, tokens_minted: block.failed ? null : readAmount(minted) } },
    };
    compose(plainContent('tonstakers_deposit', columns, block.failed), [block, ...found.blocks]);
  },
};

/** Somebody burns a pool's jettons: he is paid at once, or gets an NFT that is paid later. */
export const liquidStakingWithdrawal: Rule = {
  name: 'liquid staking withdrawal',
  test: (block) => block.calls(JETTON_BURN),
  around: {
    each: call(JETTON_BURN_NOTIFICATION, {
      each: call(WITHDRAW, {
        as: 'request',
        each: anyOf([call(PAY_AT_ONCE, { as: 'paid' }), call(MINT, { as: 'delayed' })]),
      }),
    }),
  },
  build(block, found) {
    const request = found.named('request');
    const paid = found.named('paid');
    const delayed = found.named('delayed');
    if (!request || !(paid || delayed)) return;
    const burnt = readAmount(block);
    const { source, destination: wallet } = block.message;
    const { source: asset, destination: pool } = request.message;
    const members = [block, ...found.blocks];
    if (paid) {
      const columns = {
        type: 'stake_withdrawal',
        source,
        destination: pool,
        asset,
        // What came with the request goes back with it.
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
  return next.find(({ type }) => type === 'nft_mint') ?? next.find((one) => one.calls(INIT_NFT));
}

/** The pool on whose behalf payout NFTs are burnt one after another. */
function findPool(notice: Block): string | null {
  for (let block = notice.previous; block; block = block.previous) {
    if (block.calls(START_DISTRIBUTION)) return block.message.source;
    if (block.type === 'tonstakers_withdraw') return (block.data as WithdrawData).pool;
    if (!block.calls(NFT_BURNT, BURN_NFT, DISTRIBUTED)) return null;
  }
  return null;
}

/** A payout NFT is burnt and its owner paid. */
export const liquidStakingPayout: Rule = {
  name: 'liquid staking payout',
  test: (block) => block.calls(DISTRIBUTED),
  around: { previous: call(NFT_BURNT, { as: 'notice', previous: call(BURN_NFT) }) },
  build(block, found) {
    const notice = found.named('notice');
    if (!notice) return;
    const body = notice.bodyAfterOpcode();
    body.uint64();
    const burnt = body.coins();
    const owner = readAccount(body);
    const data: WithdrawData = { pool: findPool(notice) };
    const columns = {
      type: 'stake_withdrawal',
      source: owner,
      destination: data.pool,
      amount: block.message.value,
      data: { staking_data: { ...PROVIDER, ts_nft: notice.message.source, tokens_burnt: burnt } },
    };
    compose({ ...plainContent('tonstakers_withdraw', columns), data }, [block, ...found.blocks]);
  },
};
