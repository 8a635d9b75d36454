import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { anyOf, blockOf, blockThat, call } from '../pattern.ts';
import { plainContent } from '../plain-content.ts';
import { NotThis, type Rule } from '../rule.ts';
import { JETTON_BURN_NOTIFICATION, jettonBurnOf, jettonMintOf } from './jetton-supply.ts';
import {
  BURN_LOG,
  KEY_MADE_LOG,
  MINT_LOG,
  NEW_KEY_LOG,
  readBurnLog,
  readKeyMadeLog,
  readMintLog,
  readNewKeyLog,
} from './tgbtc-logs.ts';

/** Somebody shows that bitcoins were paid in. */
const CLAIM_MINT = 0x3f781d24;
const DO_MINT = 0xe42a879b;
const BURNT = 0x587643a2;
const NEW_KEY = 0x690f357a;
const PEGOUT = 0xbe44e7a6;
const PEGOUT_STARTED = 0x1a84c0e0;
/** How many messages lie between the two at most. */
const LONGEST_WAY = 20;

/** The contract of a payment in bitcoins is made. */
const pegout = call(PEGOUT, {
  optional: true,
  next: [call(PEGOUT_STARTED, { optional: true }), blockOf('ton_transfer', { optional: true })],
});

/** The blocks on the way back to the claim, the claim last, with the parts of each. */
function wayFromClaim(mint: Block): { readonly claim: Block; readonly way: readonly Block[] } {
  const way: Block[] = [];
  let block = mint;
  while (!block.calls(CLAIM_MINT)) {
    const { previous } = block;
    if (!previous || way.length === LONGEST_WAY) throw new NotThis('no claim before it');
    way.push(previous);
    block = previous;
  }
  return { claim: block, way: way.flatMap((one) => [one, ...one.children]) };
}

/** Bitcoins were paid in, and the payer gets jettons. */
export const tgbtcMint: Rule = {
  name: 'tgBTC mint',
  test: (block) => block.calls(DO_MINT),
  around: { next: [call(MINT_LOG, { as: 'log' }), blockOf('jetton_mint', { as: 'mint' })] },
  build(block, found) {
    const { claim, way } = wayFromClaim(block);
    const log = found.named('log')!;
    const { amount, recipient, txid } = readMintLog(log);
    const { asset, toWallet } = jettonMintOf(found.named('mint')!);
    const columns = {
      source: claim.message.source,
      source_secondary: log.message.source,
      destination: recipient,
      destination_secondary: toWallet,
      ...{ asset, asset_secondary: txid, amount },
      success: true,
    };
    compose(plainContent('tgbtc_mint', columns), [block, ...found.blocks, ...way]);
  },
};

const burnAnswer = [call(BURN_LOG, { as: 'log' }), pegout];

/** Jettons are destroyed, to be paid out as bitcoins. */
export const tgbtcBurn: Rule = {
  name: 'tgBTC burn',
  test: (block) => block.type === 'jetton_burn',
  around: {
    each: anyOf([call(JETTON_BURN_NOTIFICATION, { next: burnAnswer }), call(BURNT, { next: burnAnswer })]),
  },
  build(block, found) {
    const { owner, wallet, asset, amount } = jettonBurnOf(block);
    const log = readBurnLog(found.named('log')!);
    const columns = {
      source: owner,
      source_secondary: wallet,
      destination: log.pegout,
      asset,
      amount: amount === 0n || log.amount < amount ? log.amount : amount,
    };
    compose(plainContent('tgbtc_burn', columns), [block, ...found.blocks]);
  },
};

/** The signers have a new key, and the bitcoins go there. */
export const tgbtcNewKey: Rule = {
  name: 'tgBTC new key',
  test: (block) => block.calls(NEW_KEY),
  around: {
    previous: blockThat(() => true, { each: call(KEY_MADE_LOG, { as: 'made' }) }),
    next: [call(NEW_KEY_LOG, { as: 'moved' }), pegout],
  },
  build(block, found) {
    const made = found.named('made')!;
    const moved = found.named('moved')!;
    const { amount, key, pegout } = readNewKeyLog(moved);
    const columns = {
      source: made.message.source,
      source_secondary: key,
      destination: moved.message.source,
      destination_secondary: pegout,
      amount,
      value: readKeyMadeLog(made).time,
    };
    compose(plainContent('tgbtc_new_key', columns), [block, ...found.blocks]);
  },
};

/** The log of a mint alone. */
export const tgbtcMintLog: Rule = {
  name: 'tgBTC mint by its log',
  test: (block) => block.calls(MINT_LOG),
  build(block) {
    const { amount, recipient, txid } = readMintLog(block);
    const emitter = block.message.source;
    const columns = {
      type: 'tgbtc_mint_fallback',
      ...{ source: emitter, source_secondary: emitter, destination: recipient },
      ...{ asset_secondary: txid, amount },
    };
    compose(plainContent('tgbtc_mint', columns), [block]);
  },
};

/** The log of a burn alone. */
export const tgbtcBurnLog: Rule = {
  name: 'tgBTC burn by its log',
  test: (block) => block.calls(BURN_LOG),
  build(block) {
    const { amount, sender, pegout } = readBurnLog(block);
    const columns = { type: 'tgbtc_burn_fallback', source: sender, destination: pegout, amount };
    compose(plainContent('tgbtc_burn', columns), [block]);
  },
};

/** The log of a new key alone. */
export const tgbtcNewKeyLog: Rule = {
  name: 'tgBTC new key by its log',
  test: (block) => block.calls(NEW_KEY_LOG),
  build(block) {
    const { amount, key, pegout } = readNewKeyLog(block);
    const columns = {
      type: 'tgbtc_new_key_fallback',
      source_secondary: key,
      destination: block.message.source,
      destination_secondary: pegout,
      amount,
    };
    compose(plainContent('tgbtc_new_key', columns), [block]);
  },
};

/** The log of a key that was made, where the bitcoins did not go there in the same trace. */
export const tgbtcKeyMadeLog: Rule = {
  name: 'tgBTC key made by its log',
  test: (block) => block.calls(KEY_MADE_LOG),
  build(block) {
    const { time, key } = readKeyMadeLog(block);
    const columns = { type: 'tgbtc_dkg_log_fallback', source: block.message.source, asset: key, value: time };
    compose(plainContent('tgbtc_dkg_log', columns), [block]);
  },
};
