import { type Block, compose, plainContent } from '../../rules/block.ts';
import { anyOf, blockOf, blockThat, call } from '../../rules/pattern.ts';
import { readAccount, tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { JETTON_BURN_NOTIFICATION, jettonBurnOf, jettonMintOf } from '../jettons/rules.ts';

const MINT_LOG = 0x77a80ef3;
const BURN_LOG = 0xca444ce6;
const NEW_KEY_LOG = 0x27756729;
const KEY_MADE_LOG = 0x453443a6;

/** tgBTC was minted for a Bitcoin deposit. */
interface MintLog {
  readonly amount: bigint;
  readonly recipient: string | null;
  /** The Bitcoin transaction id in explorer byte order. */
  readonly txid: string;
}

/** Reads a mint log. */
function readMintLog(log: Block): MintLog {
  const body = log.bodyAfterOpcode();
  const amount = body.coins();
  const recipient = readAccount(body);
  return { amount, recipient, txid: body.hash().reverse().toString('hex') };
}

/** tgBTC was burnt for a Bitcoin payout. */
interface BurnLog {
  readonly amount: bigint;
  readonly sender: string | null;
  /** The pegout contract. */
  readonly pegout: string | null;
}

/** Reads a burn log; an address that is not an account is left out. */
function readBurnLog(log: Block): BurnLog {
  const body = log.bodyAfterOpcode();
  const amount = body.coins();
  const sender = tryRead(() => readAccount(body)) ?? null;
  return { amount, sender, pegout: tryRead(() => readAccount(body)) ?? null };
}

/** The Bitcoin funds move to a new key. */
interface NewKeyLog {
  readonly amount: bigint;
  readonly key: string;
  readonly pegout: string | null;
}

/** Reads a new key log. */
function readNewKeyLog(log: Block): NewKeyLog {
  const body = log.bodyAfterOpcode();
  const amount = body.coins();
  return { amount, key: body.bigUint(256).toString(16), pegout: readAccount(body) };
}

/** Distributed key generation (DKG) was completed. */
interface KeyMadeLog {
  readonly time: bigint;
  readonly key: string;
}

/** Reads a DKG log. */
function readKeyMadeLog(log: Block): KeyMadeLog {
  const body = log.bodyAfterOpcode();
  return { time: body.uint64(), key: body.bigUint(256).toString(16) };
}

/** Claims a Bitcoin deposit. */
const CLAIM_MINT = 0x3f781d24;
const DO_MINT = 0xe42a879b;
const BURNT = 0x587643a2;
const NEW_KEY = 0x690f357a;
const PEGOUT = 0xbe44e7a6;
const PEGOUT_STARTED = 0x1a84c0e0;
/** Maximum messages between claim and mint. */
const MAX_PATH_LENGTH = 20;

/** Deployment of a pegout contract. */
const pegout = call(PEGOUT, {
  optional: true,
  next: [call(PEGOUT_STARTED, { optional: true }), blockOf('ton_transfer', { optional: true })],
});

/** The blocks back to the claim, the claim last, with the parts of each. */
function wayFromClaim(mint: Block): { readonly claim: Block; readonly way: readonly Block[] } {
  const way: Block[] = [];
  let block = mint;
  while (!block.calls(CLAIM_MINT)) {
    const { previous } = block;
    if (!previous || way.length === MAX_PATH_LENGTH) throw new RuleMismatch('no claim');
    way.push(previous);
    block = previous;
  }
  return { claim: block, way: way.flatMap((one) => [one, ...one.children]) };
}

/** Mints tgBTC for a Bitcoin deposit. */
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
      asset,
      amount,
      success: true,
      data: { extra: { btc_txid: txid } },
    };
    compose(plainContent('tgbtc_mint', columns), [block, ...found.blocks, ...way]);
  },
};

const burnResponse = [call(BURN_LOG, { as: 'log' }), pegout];

/** Burns tgBTC for a Bitcoin payout. */
export const tgbtcBurn: Rule = {
  name: 'tgBTC burn',
  test: (block) => block.type === 'jetton_burn',
  around: {
    each: anyOf([
      call(JETTON_BURN_NOTIFICATION, { next: burnResponse }),
      call(BURNT, { next: burnResponse }),
    ]),
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

/** The signers have a new key and move the Bitcoin funds to it. */
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
      destination: moved.message.source,
      destination_secondary: pegout,
      amount,
      value: readKeyMadeLog(made).time,
      data: { extra: { pubkey: key } },
    };
    compose(plainContent('tgbtc_new_key', columns), [block, ...found.blocks]);
  },
};

/** A mint log alone. */
export const tgbtcMintLog: Rule = {
  name: 'tgBTC mint by its log',
  test: (block) => block.calls(MINT_LOG),
  build(block) {
    const { amount, recipient, txid } = readMintLog(block);
    const emitter = block.message.source;
    const columns = {
      type: 'tgbtc_mint_fallback',
      source: emitter,
      source_secondary: emitter,
      destination: recipient,
      amount,
      data: { extra: { btc_txid: txid } },
    };
    compose(plainContent('tgbtc_mint', columns), [block]);
  },
};

/** A burn log alone. */
export const tgbtcBurnLog: Rule = {
  name: 'tgBTC burn by its log',
  test: (block) => block.calls(BURN_LOG),
  build(block) {
    const { amount, sender, pegout } = readBurnLog(block);
    const columns = { type: 'tgbtc_burn_fallback', source: sender, destination: pegout, amount };
    compose(plainContent('tgbtc_burn', columns), [block]);
  },
};

/** A new key log alone. */
export const tgbtcNewKeyLog: Rule = {
  name: 'tgBTC new key by its log',
  test: (block) => block.calls(NEW_KEY_LOG),
  build(block) {
    const { amount, key, pegout } = readNewKeyLog(block);
    const columns = {
      type: 'tgbtc_new_key_fallback',
      destination: block.message.source,
      destination_secondary: pegout,
      amount,
      data: { extra: { pubkey: key } },
    };
    compose(plainContent('tgbtc_new_key', columns), [block]);
  },
};

/** A DKG log, if the Bitcoin funds did not move in the same trace. */
export const tgbtcKeyMadeLog: Rule = {
  name: 'tgBTC key made by its log',
  test: (block) => block.calls(KEY_MADE_LOG),
  build(block) {
    const { time, key } = readKeyMadeLog(block);
    const columns = {
      type: 'tgbtc_dkg_log_fallback',
      source: block.message.source,
      value: time,
      data: { extra: { pubkey: key } },
    };
    compose(plainContent('tgbtc_dkg_log', columns), [block]);
  },
};
