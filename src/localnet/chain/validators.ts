import { configParam } from '../../chain/tlb/config.ts';
import { readMcStateExtra } from '../../chain/tlb/masterchain-state.ts';
import { readValidatorSet } from '../../chain/tlb/validators.ts';
import { signWithSeed } from '../../lib/ed25519.ts';
import { Failure } from '../../lib/errors.ts';
import type { BlockSigner } from '../collate/validator-group.ts';
import { VALID_SECONDS } from '../contracts/wallets.ts';
import { validatorSetParam } from '../genesis/genesis-config.ts';
import { adminKeys, validatorKeys, validatorSetNumber } from '../genesis/keys.ts';
import { CONFIG_CONTRACT, configChangeMessage } from '../genesis/special-accounts.ts';
import { LiteRefusal } from '../lite-server/methods/method-context.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { headState } from '../store/head-state.ts';
import type { Localnet } from './localnet.ts';
import { readAccountAtHead } from './vm-runs.ts';

/** Creates a signer with the keys of all validators that a chain ever has. */
export function createValidatorSigner(): BlockSigner {
  const seeds = new Map<string, Buffer>();
  return (publicKey, data) => {
    const name = publicKey.toString('hex');
    let seed = seeds.get(name);
    if (seed === undefined) {
      const set = validatorSetNumber(publicKey);
      if (set === undefined) throw new Error(`no validator of this chain has the key ${name}`);
      seed = validatorKeys(set).seed;
      seeds.set(name, seed);
    }
    return signWithSeed(seed, data);
  };
}

const CURRENT_VALIDATORS = 34;

/**
 * Puts another validator in the place of the present ones, as the owner of the configuration contract would: by a signed
 * message to it. Gives the key block and the number of the new set.
 */
export async function rotateValidators(localnet: Pick<Localnet, 'store' | 'now' | 'send' | 'mine'>) {
  const set = currentSet(localnet.store) + 1;
  const now = localnet.now();
  const message = configChangeMessage({
    admin: adminKeys(),
    seqno: contractSeqno(localnet.store),
    validUntil: now + VALID_SECONDS,
    change: new Map([[CURRENT_VALIDATORS, validatorSetParam(validatorKeys(set).publicKey, now)]]),
  });
  const { end } = await localnet.send(message.toBoc()).catch((error: unknown) => {
    throw error instanceof LiteRefusal ? new Failure('conflict', error.message, { cause: error }) : error;
  });
  await localnet.mine();
  const outcome = await end;
  if (outcome.outcome !== 'included') throw new Failure('conflict', outcome.text);
  return { set, block: localnet.store.lastKeyBlock(localnet.store.head.seqno) };
}

/** The greatest number among the present validators. */
function currentSet(store: ChainStore): number {
  const { cells, state } = headState(store);
  const param = configParam(cells, readMcStateExtra(cells, state.custom).config, CURRENT_VALIDATORS);
  const { validators } = readValidatorSet(cells, param);
  const sets = validators.map(({ publicKey }) => validatorSetNumber(publicKey));
  if (sets.includes(undefined))
    throw new Failure('conflict', 'a present validator is not one of this chain’s own');
  return Math.max(...sets.map((set) => set!));
}

/** Seqno that the config contract expects in the next message. */
function contractSeqno(store: ChainStore): number {
  const state = readAccountAtHead(store, CONFIG_CONTRACT)?.storage.state;
  if (state?.type !== 'active') throw new Failure('conflict', 'the chain has no configuration contract');
  return state.state.data!.beginParse().loadUint(32);
}
