import { type Block, compose, plainContent } from '../../rules/block.ts';
import { blockOf, call } from '../../rules/pattern.ts';
import type { Rule } from '../../rules/rule.ts';
import { jettonTransferOf } from '../jettons/rules.ts';
import { nftMintOf } from '../nfts/rules.ts';
import { coffee, coffeeOther } from './layouts.ts';

/** Locks jettons for a position NFT. */
export const coffeeStakingDeposit: Rule = {
  name: 'swap.coffee staking deposit',
  test: (block) => block.type === 'jetton_transfer',
  around: {
    each: call(coffee.staking_deposit, {
      // The pool also emits a log.
      next: [
        call(coffee.staking_deposit, { optional: true, as: 'log' }),
        blockOf('nft_mint', { as: 'position' }),
      ],
      as: 'pool',
    }),
  },
  build(block, match) {
    const { sender, senderWallet, receiverWallet, asset, amount } = jettonTransferOf(block);
    const pool = match.named('pool')!;
    const position = match.named('position')!;
    const { item, index } = nftMintOf(position);
    const columns = {
      source: sender,
      source_secondary: senderWallet,
      destination: pool.message.destination,
      destination_secondary: receiverWallet,
      asset,
      amount,
      data: { coffee_staking_deposit_data: { minted_item_address: item, minted_item_index: index } },
    };
    const members = [block, pool, position, ...some(match.named('log'))];
    compose(plainContent('coffee_staking_deposit', columns), members);
  },
};

function some(block: Block | undefined): Block[] {
  return block ? [block] : [];
}

/** Returns locked jettons. The same opcode is used all the way from the owner to the vault. */
export const coffeeStakingWithdraw: Rule = {
  name: 'swap.coffee staking withdrawal',
  calls: [coffeeOther.staking_withdraw],
  around: {
    each: call(coffeeOther.staking_withdraw, {
      next: [
        call(coffeeOther.staking_withdraw, {
          next: [blockOf('jetton_transfer', { as: 'transfer' })],
          as: 'vault',
        }),
        call(coffeeOther.staking_withdraw, { optional: true, as: 'log' }),
      ],
      as: 'pool',
    }),
  },
  build(block, match) {
    const pool = match.named('pool')!;
    const vault = match.named('vault')!;
    const transfer = match.named('transfer')!;
    const { nft_index, owner, points } = coffeeOther.staking_withdraw_position.read(pool);
    const { wallet, amount } = coffeeOther.staking_withdraw_payment.read(vault).through('receiver');
    const { asset, receiverWallet } = jettonTransferOf(transfer);
    const nft_address = block.message.destination;
    const columns = {
      source: owner,
      source_secondary: receiverWallet,
      destination: pool.message.source,
      destination_secondary: wallet,
      asset,
      amount,
      data: { coffee_staking_withdraw_data: { nft_address, nft_index, points } },
    };
    const members = [block, pool, vault, transfer, ...some(match.named('log'))];
    compose(plainContent('coffee_staking_withdraw', columns), members);
  },
};

/** Pays out staking rewards. */
export const coffeeStakingClaim: Rule = {
  name: 'swap.coffee staking rewards',
  calls: [coffee.staking_claim_rewards],
  around: {
    next: [
      blockOf('jetton_transfer', { as: 'transfer' }),
      call(coffee.staking_claim_rewards, { optional: true, as: 'log' }),
    ],
  },
  build(block, match) {
    const { jetton_wallet, jetton_amount, receiver } = coffee.staking_claim_rewards.read(block);
    const transfer = match.named('transfer')!;
    const { asset, receiverWallet } = jettonTransferOf(transfer);
    const columns = {
      source: block.message.destination,
      source_secondary: jetton_wallet,
      destination: receiver,
      destination_secondary: receiverWallet,
      asset,
      amount: jetton_amount,
    };
    const members = [block, transfer, ...some(match.named('log'))];
    compose(plainContent('coffee_staking_claim_rewards', columns), members);
  },
};
