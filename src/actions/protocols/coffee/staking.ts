import { type Block, compose } from '../../rules/block.ts';
import { blockOf, call } from '../../rules/pattern.ts';
import { readAccount } from '../../rules/read-body.ts';
import type { Rule } from '../../rules/rule.ts';
import { jettonTransferOf } from '../jettons/rules.ts';
import { nftMintOf } from '../nfts/rules.ts';

const DEPOSIT = 0xf9471134;
const WITHDRAW = 0xcb03bfaf;
const CLAIM_REWARDS = 0xb30c7310;

/** Locks jettons for a position NFT. */
export const coffeeStakingDeposit: Rule = {
  name: 'swap.coffee staking deposit',
  test: (block) => block.type === 'jetton_transfer',
  around: {
    each: call(DEPOSIT, {
      // The pool also emits a log.
      next: [call(DEPOSIT, { optional: true, as: 'log' }), blockOf('nft_mint', { as: 'position' })],
      as: 'pool',
    }),
  },
  build(block, found) {
    const { sender, senderWallet, receiverWallet, asset, amount } = jettonTransferOf(block);
    const pool = found.named('pool')!;
    const position = found.named('position')!;
    const { item, index } = nftMintOf(position);
    const describe = () => ({
      source: sender,
      source_secondary: senderWallet,
      destination: pool.message.destination,
      destination_secondary: receiverWallet,
      asset,
      amount,
      data: { coffee_staking_deposit_data: { minted_item_address: item, minted_item_index: index } },
    });
    const members = [block, pool, position, ...some(found.named('log'))];
    compose({ type: 'coffee_staking_deposit', data: undefined, describe }, members);
  },
};

function some(block: Block | undefined): Block[] {
  return block ? [block] : [];
}

/** The message of the NFT to the pool when its owner withdraws. */
function readPosition(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  return { nft_index: body.uint64(), owner: readAccount(body), points: body.coins() };
}

function readPayment(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  return { wallet: readAccount(body), amount: body.coins(), receiver: readAccount(body) };
}

/** Returns locked jettons. The same opcode is used all the way from the owner to the vault. */
export const coffeeStakingWithdraw: Rule = {
  name: 'swap.coffee staking withdrawal',
  test: (block) => block.calls(WITHDRAW),
  around: {
    each: call(WITHDRAW, {
      next: [
        call(WITHDRAW, { next: [blockOf('jetton_transfer', { as: 'transfer' })], as: 'vault' }),
        call(WITHDRAW, { optional: true, as: 'log' }),
      ],
      as: 'pool',
    }),
  },
  build(block, found) {
    const pool = found.named('pool')!;
    const vault = found.named('vault')!;
    const transfer = found.named('transfer')!;
    const { nft_index, owner, points } = readPosition(pool);
    const { wallet, amount } = readPayment(vault);
    const { asset, receiverWallet } = jettonTransferOf(transfer);
    const nft_address = block.message.destination;
    const describe = () => ({
      source: owner,
      source_secondary: receiverWallet,
      destination: pool.message.source,
      destination_secondary: wallet,
      asset,
      amount,
      data: { coffee_staking_withdraw_data: { nft_address, nft_index, points } },
    });
    const members = [block, pool, vault, transfer, ...some(found.named('log'))];
    compose({ type: 'coffee_staking_withdraw', data: undefined, describe }, members);
  },
};

/** Pays out staking rewards. */
export const coffeeStakingClaim: Rule = {
  name: 'swap.coffee staking rewards',
  test: (block) => block.calls(CLAIM_REWARDS),
  around: {
    next: [
      blockOf('jetton_transfer', { as: 'transfer' }),
      call(CLAIM_REWARDS, { optional: true, as: 'log' }),
    ],
  },
  build(block, found) {
    const { wallet, amount, receiver } = readPayment(block);
    const transfer = found.named('transfer')!;
    const { asset, receiverWallet } = jettonTransferOf(transfer);
    const describe = () => ({
      source: block.message.destination,
      source_secondary: wallet,
      destination: receiver,
      destination_secondary: receiverWallet,
      asset,
      amount,
    });
    const members = [block, transfer, ...some(found.named('log'))];
    compose({ type: 'coffee_staking_claim_rewards', data: undefined, describe }, members);
  },
};
