import { createHmac } from 'node:crypto';
import { keyFromSeed, type SigningKey } from '../../lib/ed25519.ts';
import type { ContractState } from '../contracts/contract.ts';
import { highloadWallet, type WalletVersion, wallet } from '../contracts/wallets.ts';

/**
 * The origin of all keys of the demo: the seed of a key is the HMAC-SHA256 of the name of its wallet with this as the
 * secret. They are public on purpose, so that everybody can go on where the demo ends. Never send anything of value to
 * these addresses on another network.
 */
const DEMO_SECRET = 'tongate localnet demo: wallets that belong to everybody';

/** A wallet of the demo before its first message. */
export interface DemoWallet<Version = WalletVersion> extends ContractState {
  readonly name: string;
  readonly version: Version;
  readonly keys: SigningKey;
}

/** The wallets of the demo: a bank that pays for everything, and one wallet of each version in use. */
export type DemoWallets = Readonly<ReturnType<typeof openDemoWallets>>;

/** Wallets of those who stake and bid for domains. Validators stake from the masterchain. */
export type StakerWallets = Readonly<ReturnType<typeof openStakerWallets>>;

/** Opens the wallets of stakers; they are the same on every chain. */
export function openStakerWallets() {
  return {
    /** Stakes alone. */
    victor: open('victor', 'v3r2', -1),
    /** Stakes with a pool. */
    wanda: open('wanda', 'v3r2', -1),
    nora: open('nora', 'v3r2'),
    nick: open('nick', 'v3r2'),
    olga: open('olga', 'v3r2'),
  };
}

export function openDemoWallets() {
  const kate = keyOf('kate');
  return {
    bank: open('bank', 'v5r1'),
    alice: open('alice', 'v5r1'),
    bob: open('bob', 'v4r2'),
    carol: open('carol', 'v3r2'),
    dave: open('dave', 'v4r1'),
    erin: open('erin', 'v3r1'),
    frank: open('frank', 'v2r2'),
    grace: open('grace', 'v2r1'),
    heidi: open('heidi', 'v1r3'),
    ivan: open('ivan', 'v1r2'),
    judy: open('judy', 'v1r1'),
    kate: { name: 'kate', version: 'highload_v3r1', keys: kate, ...highloadWallet(kate) },
  };
}

function open(name: string, version: WalletVersion, workchain = 0): DemoWallet {
  const keys = keyOf(name);
  return { name, version, keys, ...wallet({ version, publicKey: keys.publicKey, workchain }) };
}

function keyOf(name: string): SigningKey {
  return keyFromSeed(createHmac('sha256', DEMO_SECRET).update(name).digest());
}
