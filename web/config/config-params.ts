import type { Cell } from '../cells/boc.ts';
import { CellReader } from '../cells/cell-reader.ts';
import {
  readBlockLimits,
  readConsensus,
  readCurrencies,
  readFundamental,
  readGas,
  readParamList,
  readPrecompiled,
  readSimplex,
  readSizeLimits,
  readStoragePrices,
  readSuspended,
  readValidatorRegistry,
  readValidators,
  readVoting,
  readWorkchains,
} from './config-readers.ts';
import { type ConfigContent, type Fields, type ParamReader, readFields } from './config-values.ts';

/** The name and the purpose of a config param, and how it is read; without a reader its cell is shown. */
interface ParamMeaning {
  readonly name: string;
  readonly about: string;
  readonly read?: ParamReader;
}

const tagged =
  (tags: readonly number[], fields: Fields): ParamReader =>
  (reader) => ({ facts: readFields(reader, fields, ...tags) });

const plain = (fields: Fields) => tagged([], fields);

const account = plain({ Account: 'account' });

const forwardPrices = tagged([0xea], {
  'Price of a message': 'nano64',
  'Price of a bit': 'price64',
  'Price of a cell': 'price64',
  'Factor of instant routing': 'u32',
  'Share of the first shard': 'share16',
  'Share of each next shard': 'share16',
});

const bridge = plain({ Bridge: 'account', 'Multisig of the oracles': 'account' });
/** The parts that both forms begin with. */
const tokenBridge = tagged([0, 1], { Bridge: 'account', Oracles: 'account' });

const meanings: Readonly<Record<number, ParamMeaning>> = {
  0: { name: 'Config contract', about: 'Keeps this configuration.', read: account },
  1: { name: 'Elector', about: 'Elects validators and holds their stakes.', read: account },
  2: { name: 'Minter', about: 'New extra currencies are minted in its name.', read: account },
  3: { name: 'Fee collector', about: 'Receives the fees of validators.', read: account },
  4: { name: 'DNS root', about: 'Resolves domains.', read: account },
  5: {
    name: 'Burning of fees',
    about: 'Which part of the fees is destroyed.',
    read: (reader) => {
      reader.tag(0x01);
      const hole: Fields = reader.bit() ? { 'Account whose income is burned': 'account' } : {};
      const share: Fields = { 'Burned share, numerator': 'u32', 'Burned share, denominator': 'u32' };
      return { facts: readFields(reader, { ...hole, ...share }) };
    },
  },
  6: {
    name: 'Price of minting',
    about: 'What new extra currencies cost.',
    read: plain({ 'New currency': 'coins', 'More of a currency': 'coins' }),
  },
  7: { name: 'Extra currencies', about: 'How much of each exists or is to be minted.', read: readCurrencies },
  8: {
    name: 'Protocol version',
    about: 'Version of blocks and TVM.',
    read: tagged([0xc4], { Version: 'u32', 'Capabilities, bits': 'u64' }),
  },
  9: { name: 'Mandatory params', about: 'May not be removed.', read: readParamList },
  10: { name: 'Critical params', about: 'Are changed by the stricter vote.', read: readParamList },
  11: { name: 'Voting', about: 'How validators vote about changes of params.', read: readVoting },
  12: { name: 'Workchains', about: 'The chains beside the masterchain.', read: readWorkchains },
  13: {
    name: 'Complaints',
    about: 'What a complaint about a validator costs.',
    read: tagged([0x1a], { Deposit: 'coins', 'Price of a bit': 'coins', 'Price of a cell': 'coins' }),
  },
  14: {
    name: 'Rewards of blocks',
    about: 'New coins with each block.',
    read: tagged([0x6b], { 'Masterchain block': 'coins', 'Basechain block': 'coins' }),
  },
  15: {
    name: 'Elections',
    about: 'When validators are elected and how long their stakes are held.',
    read: plain({
      'Validators work for': 'seconds32',
      'Elections start before the end of a round': 'seconds32',
      'Elections end before it': 'seconds32',
      'Stake held after a round': 'seconds32',
    }),
  },
  16: {
    name: 'Number of validators',
    about: 'How many are elected.',
    read: plain({ 'At most': 'u16', 'At most in the masterchain': 'u16', 'At least': 'u16' }),
  },
  17: {
    name: 'Stakes',
    about: 'What a validator must put at stake.',
    read: plain({
      'Minimum stake': 'coins',
      'Maximum stake': 'coins',
      'Minimum of all stakes': 'coins',
      'Largest stake compared with the smallest': 'factor32',
    }),
  },
  18: {
    name: 'Storage prices',
    about: 'What storing one bit or cell costs per second.',
    read: readStoragePrices,
  },
  19: {
    name: 'Network id',
    about: 'Signed messages of one network are not valid in another.',
    read: plain({ Id: 'id32' }),
  },
  20: { name: 'Gas, masterchain', about: 'Gas prices and limits of the masterchain.', read: readGas },
  21: { name: 'Gas, basechain', about: 'Gas prices and limits of the basechain.', read: readGas },
  22: { name: 'Block limits, masterchain', about: 'How full a block may be.', read: readBlockLimits },
  23: { name: 'Block limits, basechain', about: 'How full a block may be.', read: readBlockLimits },
  24: { name: 'Message prices, masterchain', about: 'What delivering a message costs.', read: forwardPrices },
  25: { name: 'Message prices, basechain', about: 'What delivering a message costs.', read: forwardPrices },
  28: {
    name: 'Validator groups',
    about: 'How validators are assigned to shards.',
    read: (reader) => {
      const isNew = reader.uint(8) === 0xc2;
      return {
        facts: readFields(reader, {
          ...(isNew && ({ Flags: 'unused7', 'Masterchain validators are shuffled': 'bool' } as const)),
          'Masterchain group lives for': 'seconds32',
          'Shard group lives for': 'seconds32',
          'Shard validators stay for': 'seconds32',
          'Validators of a shard': 'u32',
        }),
      };
    },
  },
  29: { name: 'Consensus', about: 'How validators agree on a block.', read: readConsensus },
  30: { name: 'Simplex consensus', about: 'Which chains agree on blocks by it.', read: readSimplex },
  31: { name: 'Special accounts', about: 'System contracts that pay no fees.', read: readFundamental },
  32: { name: 'Previous validators', about: 'Of the round before.', read: readValidators },
  33: { name: 'Previous temporary validators', about: 'Of the round before.', read: readValidators },
  34: { name: 'Validators', about: 'Of this round.', read: readValidators },
  35: { name: 'Temporary validators', about: 'Of this round.', read: readValidators },
  36: { name: 'Next validators', about: 'Elected for the next round.', read: readValidators },
  37: { name: 'Next temporary validators', about: 'For the next round.', read: readValidators },
  39: { name: 'Temporary keys', about: 'Keys that validators use for a while.' },
  40: {
    name: 'Fines',
    about: 'What validators pay for bad work.',
    read: tagged([0x01], {
      'Flat fine': 'coins',
      'Proportional fine': 'u32',
      'Flat factor of severity': 'u16',
      'Proportional factor of severity': 'u16',
      'Not punished up to': 'seconds16',
      'Long interval': 'seconds16',
      'Flat factor of long intervals': 'u16',
      'Proportional factor of long intervals': 'u16',
      'Medium interval': 'seconds16',
      'Flat factor of medium intervals': 'u16',
      'Proportional factor of medium intervals': 'u16',
    }),
  },
  43: { name: 'Size limits', about: 'Of messages and accounts.', read: readSizeLimits },
  44: { name: 'Suspended addresses', about: 'May not be deployed for a time.', read: readSuspended },
  45: { name: 'Precompiled contracts', about: 'Contracts with a fixed use of gas.', read: readPrecompiled },
  46: {
    name: 'Validator registry',
    about: 'A contract in which validators name the nodes that make blocks for them (collators).',
    read: readValidatorRegistry,
  },
  71: { name: 'Bridge to Ethereum', about: 'TON on Ethereum.', read: bridge },
  72: { name: 'Bridge to BNB Chain', about: 'TON on BNB Chain.', read: bridge },
  73: { name: 'Bridge to Polygon', about: 'TON on Polygon.', read: bridge },
  79: { name: 'Token bridge to Ethereum', about: 'Tokens of Ethereum on TON.', read: tokenBridge },
  81: { name: 'Token bridge to BNB Chain', about: 'Tokens of BNB Chain on TON.', read: tokenBridge },
  82: { name: 'Token bridge to Polygon', about: 'Tokens of Polygon on TON.', read: tokenBridge },
};

export interface ShownParam extends Omit<ParamMeaning, 'read'> {
  readonly id: number;
  /** Undefined where the content is not understood. */
  readonly content: ConfigContent | undefined;
  readonly cell: Cell;
}

/** Tells what a param means; one in an unknown form has no content. */
export function showParam(id: number, cell: Cell): ShownParam {
  const { name, about, read } = meanings[id] ?? { name: 'Unknown', about: 'Not described here.' };
  return { id, name, about, content: read && contentOf(read, cell), cell };
}

function contentOf(read: ParamReader, cell: Cell): ConfigContent | undefined {
  try {
    return read(new CellReader(cell));
  } catch (error) {
    // The network may have a newer form.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export function paramName(id: number): string {
  return meanings[id]?.name ?? 'unknown';
}
