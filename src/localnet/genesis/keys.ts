import { createHmac } from 'node:crypto';
import { mnemonicToPrivateKey } from '@ton/crypto';
import { keyFromSeed, type SigningKey } from '../../lib/ed25519.ts';
import { wallet } from '../contracts/wallets.ts';

/**
 * The secret from which the keys of a chain are derived by default. It is public on purpose, and so are those keys: a local
 * chain is for experiments, and anyone with access to it may make blocks and change its configuration.
 */
export const PUBLIC_SECRET = Buffer.from('tongate localnet: keys that everybody knows');

/** Number of validator sets searched for a key. */
const MAX_SETS = 1000;

/** Key of the only validator of a set. Set 0 is that of the zero state; each set has another key. */
export function validatorKeys(set: number, secret: Buffer = PUBLIC_SECRET): SigningKey {
  return deriveKey(secret, `validator ${set}`);
}

export function adminKeys(secret: Buffer = PUBLIC_SECRET): SigningKey {
  return deriveKey(secret, 'configuration');
}

/** Number of the set whose validator has a public key, or undefined if it is not ours. */
export function validatorSetNumber(publicKey: Buffer, secret: Buffer = PUBLIC_SECRET): number | undefined {
  for (let set = 0; set < MAX_SETS; set++)
    if (validatorKeys(set, secret).publicKey.equals(publicKey)) return set;
  return undefined;
}

function deriveKey(secret: Buffer, purpose: string): SigningKey {
  return keyFromSeed(createHmac('sha256', secret).update(purpose).digest());
}

/**
 * The words of the wallets that have money from the start. They are public on purpose: everybody may use that money,
 * which is worth nothing. Never send anything of value to these addresses on another network.
 */
const FAUCET_MNEMONIC: readonly string[] = (
  'debate loan output since marble move plate shop profit face whale danger ' +
  'enlist ride between pumpkin segment fiscal vote speak smart coin tiger index'
).split(' ');

/** A wallet funded in the zero state. */
export type FundedWallet = Readonly<Awaited<ReturnType<typeof openFaucets>>['basechain']>;

/** Wallets of the public mnemonic: in the basechain, and in the masterchain the one with an extra currency. */
export async function openFaucets() {
  const { publicKey, secretKey } = await mnemonicToPrivateKey([...FAUCET_MNEMONIC]);
  const version = 'v4r2' as const;
  const open = (workchain: number) => ({
    version,
    mnemonic: FAUCET_MNEMONIC,
    publicKey,
    /** 64 bytes. */
    secretKey,
    ...wallet({ version, publicKey, workchain }),
  });
  return { basechain: open(0), masterchain: open(-1) };
}
