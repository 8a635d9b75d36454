import { blockOf, call } from '../../rules/pattern.ts';
import type { Rule } from '../../rules/rule.ts';
import { jettonTransferOf } from '../jettons/rules.ts';
import { nftMintOf } from '../nfts/rules.ts';
import { coffee, coffeeOther } from './layouts.ts';

/** The rules of swap.coffee staking. */
export const coffeeStakingRules: readonly Rule[] = [
  // Locks jettons for a position NFT.
  {
    type: 'coffee_staking_deposit',
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
      return {
        source: sender,
        source_secondary: senderWallet,
        destination: pool.message.destination,
        destination_secondary: receiverWallet,
        asset,
        amount,
        data: { coffee_staking_deposit_data: { minted_item_address: item, minted_item_index: index } },
        members: [block, pool, position, match.named('log')],
      };
    },
  },
  // Returns locked jettons. The same opcode is used all the way from the owner to the vault.
  {
    type: 'coffee_staking_withdraw',
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
      return {
        source: owner,
        source_secondary: receiverWallet,
        destination: pool.message.source,
        destination_secondary: wallet,
        asset,
        amount,
        data: { coffee_staking_withdraw_data: { nft_address, nft_index, points } },
        members: [block, pool, vault, transfer, match.named('log')],
      };
    },
  },
  // Pays out staking rewards.
  {
    type: 'coffee_staking_claim_rewards',
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
      return {
        source: block.message.destination,
        source_secondary: jetton_wallet,
        destination: receiver,
        destination_secondary: receiverWallet,
        asset,
        amount: jetton_amount,
        members: [block, transfer, match.named('log')],
      };
    },
  },
];
