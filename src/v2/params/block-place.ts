import { optionalHash } from './hash.ts';
import { type IntegerRule, requiredInt32 } from './integer.ts';
import { shard } from './shard.ts';

/** The workchain of a block. */
export function workchain(rule: Pick<IntegerRule, 'missing'> = {}) {
  return requiredInt32({ description: 'Workchain: -1 is the masterchain, 0 the basechain.', ...rule });
}

/** The place of a block; with `named`, a query string that lacks a part is told which one is required. */
export function blockPlace({ named = false }: { readonly named?: boolean } = {}) {
  const rule = (name: string) => (named ? { missing: `${name} required` } : {});
  return {
    workchain: workchain(rule('workchain')),
    shard: shard(rule('shard')),
    seqno: requiredInt32({ description: 'Number of the block in its shard.', minimum: 1, ...rule('seqno') }),
  };
}

/** The hashes of a block. With both of them it need not be looked up; one alone is ignored. */
export function blockHashes() {
  return {
    root_hash: optionalHash('Root hash of the block; used together with file_hash only.'),
    file_hash: optionalHash('File hash of the block; used together with root_hash only.'),
  };
}
