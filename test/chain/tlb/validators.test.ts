import { type Builder, beginCell, Dictionary, type DictionaryValue } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { readCatchainConfig } from '../../../src/chain/tlb/config.ts';
import {
  masterchainValidators,
  readValidatorSet,
  shardValidators,
  type Validator,
  validatorSetHash,
} from '../../../src/chain/tlb/validators.ts';

const NO_ADNL = Buffer.alloc(32);

function key(index: number): Buffer {
  const bytes = Buffer.alloc(32, 0xaa);
  bytes.writeUInt32BE(index);
  return bytes;
}

const validatorValue: DictionaryValue<Validator> = {
  serialize: ({ publicKey, weight, adnlAddress }, builder) => {
    const withAdnl = !adnlAddress.equals(NO_ADNL);
    builder.storeUint(withAdnl ? 0x73 : 0x53, 8).storeUint(0x8e81278a, 32);
    builder.storeBuffer(publicKey).storeUint(weight, 64);
    if (withAdnl) builder.storeBuffer(adnlAddress);
  },
  parse: () => {
    throw new Error('only written');
  },
};

function makeValidators(weights: readonly bigint[]): Validator[] {
  return weights.map((weight, i) => ({
    publicKey: key(i),
    weight,
    adnlAddress: i % 3 === 0 ? NO_ADNL : key(1000 + i),
  }));
}

interface Parts {
  readonly validators: readonly Validator[];
  readonly main?: number;
  readonly total?: number;
  readonly weight?: bigint;
  readonly firstIndex?: number;
}

/** Writes a set in one of its forms. */
function setCell(form: 0x11 | 0x12, parts: Parts): Builder {
  const { validators, main = 1, total = validators.length, firstIndex = 0 } = parts;
  const list = Dictionary.empty(Dictionary.Keys.Uint(16), validatorValue);
  validators.forEach((validator, i) => {
    list.set(firstIndex + i, validator);
  });
  const builder = beginCell().storeUint(form, 8).storeUint(100, 32).storeUint(200, 32);
  builder.storeUint(total, 16).storeUint(main, 16);
  if (form === 0x11) return builder.storeDictDirect(list);
  const weight = validators.reduce((sum, validator) => sum + validator.weight, 0n);
  return builder.storeUint(parts.weight ?? weight, 64).storeDict(list);
}

function read(builder: Builder) {
  const bag = fromCoreCell(builder.endCell());
  return readValidatorSet(bag, bag.root);
}

const weights = fc.array(fc.bigInt({ min: 1n, max: 2n ** 53n }), { minLength: 1, maxLength: 50 });

describe('readValidatorSet', () => {
  it('reads both forms', () => {
    fc.assert(
      fc.property(weights, fc.nat(), fc.constantFrom(0x11 as const, 0x12 as const), (given, some, form) => {
        const validators = makeValidators(given);
        const main = 1 + (some % validators.length);
        const totalWeight = given.reduce((sum, weight) => sum + weight, 0n);
        const set = read(setCell(form, { validators, main }));
        expect(set).toEqual({ since: 100, until: 200, main, validators, totalWeight });
      }),
    );
  });

  it('rejects what a node rejects', () => {
    const validators = makeValidators([1n, 2n, 3n]);
    const refused: Builder[] = [
      setCell(0x12, { validators, weight: 7n }),
      setCell(0x12, { validators, total: 2 }),
      setCell(0x12, { validators, total: 4 }),
      setCell(0x12, { validators, main: 0 }),
      setCell(0x12, { validators, main: 4 }),
      setCell(0x12, { validators, firstIndex: 1 }),
      setCell(0x12, { validators: makeValidators([1n, 0n]) }),
      setCell(0x12, { validators: makeValidators([2n ** 61n, 1n]) }),
      setCell(0x12, { validators: [], main: 0 }),
      setCell(0x11, { validators, total: 5 }),
      beginCell().storeUint(0x13, 8).storeUint(0, 500),
      beginCell().storeUint(0x12, 8),
    ];
    for (const builder of refused) expect(() => read(builder)).toThrow(CellError);
    expect(read(setCell(0x12, { validators: makeValidators([2n ** 61n]) })).totalWeight).toBe(2n ** 61n);
  });

  it('rejects keys and validators with unknown tags', () => {
    for (const [tag, keyTag] of [
      [0x54, 0x8e81278a],
      [0x53, 0x8e81278b],
    ]) {
      const leaf = beginCell().storeUint(0b10, 2).storeUint(16, 5).storeUint(0, 16);
      leaf.storeUint(tag!, 8).storeUint(keyTag!, 32).storeUint(1, 256).storeUint(5, 64);
      const set = beginCell().storeUint(0x12, 8).storeUint(0, 64).storeUint(1, 16).storeUint(1, 16);
      expect(() => read(set.storeUint(5, 64).storeMaybeRef(leaf))).toThrow(/validator/);
    }
  });
});

describe('validatorSetHash', () => {
  it('matches the hashes in blocks and states of a network', () => {
    const publicKey = Buffer.from('d293fa756cd2a9a53d7559789ee3c9bee9e1a8248a5deee38e2b3134ebde00b0', 'hex');
    const validators = [{ publicKey, weight: 17n, adnlAddress: NO_ADNL }];
    expect(validatorSetHash(validators, 0)).toBe(625612181);
    expect(validatorSetHash(validators, 2)).toBe(0x353ec84d);
  });
});

describe('masterchainValidators and shardValidators', () => {
  const set = (given: readonly bigint[], main: number) => ({
    since: 0,
    until: 1,
    main,
    validators: makeValidators(given),
    totalWeight: given.reduce((sum, weight) => sum + weight, 0n),
  });

  it('use the first validators for the masterchain', () => {
    const { validators } = set([5n, 4n, 3n, 2n], 3);
    const chosen = masterchainValidators(set([5n, 4n, 3n, 2n], 3), { shuffleMcValidators: false }, 7);
    expect(chosen).toEqual(validators.slice(0, 3));
  });

  it('shuffle them if configured, depending only on the catchain seqno', () => {
    const given = set(Array(10).fill(1n), 8);
    const order = (seqno: number) =>
      masterchainValidators(given, { shuffleMcValidators: true }, seqno).map(({ publicKey }) =>
        publicKey.readUInt32BE(),
      );
    expect(order(816_085)).toEqual(order(816_085));
    expect(order(816_085)).not.toEqual(order(816_086));
    for (let seqno = 0; seqno < 50; seqno++) expect(order(seqno).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('shuffle like a node', () => {
    const given = set(
      Array.from({ length: 20 }, (_, i) => BigInt(i + 1)),
      20,
    );
    const chosen = masterchainValidators(given, { shuffleMcValidators: true }, 816_085);
    const order = chosen.map(({ publicKey }) => publicKey.readUInt32BE());
    expect(order).toEqual([2, 15, 17, 0, 4, 1, 12, 11, 14, 6, 8, 13, 3, 18, 7, 19, 16, 10, 9, 5]);
  });

  it('choose each validator of a shard once, as many as configured, with weight one', () => {
    const config = fc.record({ shardValidatorsNum: fc.nat({ max: 60 }) });
    fc.assert(
      fc.property(
        weights,
        config,
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        (given, how, shard) => {
          const all = set(given, 1);
          const chosen = shardValidators(all, how, 0, shard, 5);
          expect(chosen).toHaveLength(Math.min(how.shardValidatorsNum, given.length));
          expect(new Set(chosen.map(({ publicKey }) => publicKey.readUInt32BE())).size).toBe(chosen.length);
          expect(chosen.every(({ weight }) => weight === 1n)).toBe(true);
        },
      ),
    );
  });

  it('prefer heavy validators in a shard', () => {
    const heavy = set([1n, 2n ** 50n, 1n, 1n], 1);
    const [first] = shardValidators(heavy, { shardValidatorsNum: 2 }, 0, 2n ** 62n, 3);
    expect(first!.publicKey).toEqual(key(1));
  });
});

describe('readCatchainConfig', () => {
  it('reads both versions', () => {
    const lifetimes = (builder: Builder) =>
      builder.storeUint(1, 32).storeUint(2, 32).storeUint(3, 32).storeUint(4, 32);
    const wanted = {
      mcCatchainLifetime: 1,
      shardCatchainLifetime: 2,
      shardValidatorsLifetime: 3,
      shardValidatorsNum: 4,
    };
    for (const [head, bits, shuffleMcValidators] of [
      [0xc1, 8, false],
      [0xc200, 16, false],
      [0xc201, 16, true],
    ] as const) {
      const bag = fromCoreCell(beginCell().storeUint(head, bits).store(lifetimes).endCell());
      expect(readCatchainConfig(bag, bag.root)).toEqual({ shuffleMcValidators, ...wanted });
    }
    const wrong = fromCoreCell(beginCell().storeUint(0xc3, 8).store(lifetimes).endCell());
    expect(() => readCatchainConfig(wrong, wrong.root)).toThrow(CellError);
  });
});
