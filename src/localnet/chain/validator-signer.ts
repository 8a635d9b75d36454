import type { BlockSigner } from '../collate/sign-block.ts';
import { signWithSeed, validatorKeys, validatorSetNumber } from '../genesis/signing-keys.ts';

/** Makes what signs with the keys of all validators that a chain has ever had or will have. */
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
