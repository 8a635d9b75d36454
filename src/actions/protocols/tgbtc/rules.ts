import type { Block } from '../../rules/block.ts';
import { anyOf, blockOf, blockThat, call } from '../../rules/pattern.ts';
import { tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { jetton } from '../jettons/layouts.ts';
import { jettonBurnOf, jettonMintOf } from '../jettons/rules.ts';
import { tgbtc, tgbtcLog } from './layouts.ts';

/** Amount, recipient, and the Bitcoin transaction id in explorer byte order. */
function readMintLog(log: Block) {
  const { amount, recipient_address, bitcoin_txid } = tgbtcLog.mint_event.read(log);
  const bytes = Buffer.from(bitcoin_txid.toString(16).padStart(64, '0'), 'hex');
  return { amount, recipient: recipient_address, txid: bytes.reverse().toString('hex') };
}

/** The amount, and the addresses that are accounts. */
function readBurnLog(block: Block) {
  const log = tgbtcLog.burn_event.read(block);
  const sender = tryRead(() => log.sender_address) ?? null;
  return { amount: log.amount, sender, pegout: tryRead(() => log.pegout_address) ?? null };
}

/** Maximum messages between claim and mint. */
const MAX_PATH_LENGTH = 20;

const pegout = call(tgbtc.pegout, {
  optional: true,
  next: [call(tgbtc.pegout_started, { optional: true }), blockOf('ton_transfer', { optional: true })],
});

/** The blocks back to the claim, the claim last, with the parts of each. */
function wayFromClaim(mint: Block): { readonly claim: Block; readonly way: readonly Block[] } {
  const way: Block[] = [];
  let block = mint;
  while (!block.calls(tgbtc.claim_mint)) {
    const { previous } = block;
    if (!previous || way.length === MAX_PATH_LENGTH) throw new RuleMismatch('no claim');
    way.push(previous);
    block = previous;
  }
  return { claim: block, way: way.flatMap((one) => [one, ...one.children]) };
}

const burnResponse = [call(tgbtcLog.burn_event, { as: 'log' }), pegout];

/** The rules of tgBTC, and those for its logs alone. */
export const tgbtcRules: readonly Rule[] = [
  // Mints tgBTC for a Bitcoin deposit.
  {
    type: 'tgbtc_mint',
    calls: [tgbtc.mint],
    around: { next: [call(tgbtcLog.mint_event, { as: 'log' }), blockOf('jetton_mint', { as: 'mint' })] },
    build(block, match) {
      const { claim, way } = wayFromClaim(block);
      const log = match.named('log')!;
      const { amount, recipient, txid } = readMintLog(log);
      const { asset, toWallet } = jettonMintOf(match.named('mint')!);
      return {
        source: claim.message.source,
        source_secondary: log.message.source,
        destination: recipient,
        destination_secondary: toWallet,
        asset,
        amount,
        data: { extra: { btc_txid: txid } },
        members: [block, ...match.blocks, ...way],
      };
    },
  },
  // Burns tgBTC for a Bitcoin payout.
  {
    type: 'tgbtc_burn',
    test: (block) => block.type === 'jetton_burn',
    around: {
      each: anyOf([
        call(jetton.burn_notification, { next: burnResponse }),
        call(tgbtc.burnt, { next: burnResponse }),
      ]),
    },
    build(block, match) {
      const { owner, wallet, asset, amount } = jettonBurnOf(block);
      const log = readBurnLog(match.named('log')!);
      return {
        source: owner,
        source_secondary: wallet,
        destination: log.pegout,
        asset,
        amount: amount === 0n || log.amount < amount ? log.amount : amount,
      };
    },
  },
  // The signers have a new key and move the Bitcoin funds to it.
  {
    type: 'tgbtc_new_key',
    calls: [tgbtc.new_key],
    around: {
      previous: blockThat(() => true, { each: call(tgbtcLog.dkg_completed_event, { as: 'made' }) }),
      next: [call(tgbtcLog.new_key_event, { as: 'moved' }), pegout],
    },
    build(_block, match) {
      const made = match.named('made')!;
      const moved = match.named('moved')!;
      const { amount, new_internal_pubkey, pegout_address } = tgbtcLog.new_key_event.read(moved);
      return {
        source: made.message.source,
        destination: moved.message.source,
        destination_secondary: pegout_address,
        amount,
        value: tgbtcLog.dkg_completed_event.read(made).through('internal_pubkey').timestamp,
        data: { extra: { pubkey: new_internal_pubkey.toString(16) } },
      };
    },
  },
  // A mint log alone.
  {
    type: 'tgbtc_mint',
    calls: [tgbtcLog.mint_event],
    build(block) {
      const { amount, recipient, txid } = readMintLog(block);
      const emitter = block.message.source;
      return {
        type: 'tgbtc_mint_fallback',
        source: emitter,
        source_secondary: emitter,
        destination: recipient,
        amount,
        data: { extra: { btc_txid: txid } },
      };
    },
  },
  // A burn log alone.
  {
    type: 'tgbtc_burn',
    calls: [tgbtcLog.burn_event],
    build(block) {
      const { amount, sender, pegout } = readBurnLog(block);
      return { type: 'tgbtc_burn_fallback', source: sender, destination: pegout, amount };
    },
  },
  // A new key log alone.
  {
    type: 'tgbtc_new_key',
    calls: [tgbtcLog.new_key_event],
    build(block) {
      const { amount, new_internal_pubkey, pegout_address } = tgbtcLog.new_key_event.read(block);
      return {
        type: 'tgbtc_new_key_fallback',
        destination: block.message.source,
        destination_secondary: pegout_address,
        amount,
        data: { extra: { pubkey: new_internal_pubkey.toString(16) } },
      };
    },
  },
  // A DKG log, if the Bitcoin funds did not move in the same trace.
  {
    type: 'tgbtc_dkg_log',
    calls: [tgbtcLog.dkg_completed_event],
    build(block) {
      const { timestamp, internal_pubkey } = tgbtcLog.dkg_completed_event.read(block);
      return {
        type: 'tgbtc_dkg_log_fallback',
        source: block.message.source,
        value: timestamp,
        data: { extra: { pubkey: internal_pubkey.toString(16) } },
      };
    },
  },
];
