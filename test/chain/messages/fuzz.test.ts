import { describe, expect, it } from 'vitest';
import { ALL_LAYOUTS } from '../../../src/actions/layouts.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { createBodyDecoder } from '../../../src/chain/messages/body-decoder.ts';
import { parseScheme } from '../../../src/chain/messages/notation.ts';
import { createMutator } from '../../support/fuzz/fuzz-decoder.ts';
import { sampled } from '../../support/long-run.ts';
import { DamagedBag, randomBag } from './damaged-bags.ts';
import { createBodyMaker, isNameOnly, WALLET_FORMS } from './made-body.ts';

// One million in a long run; FUZZ_ROUNDS asks for another number, FUZZ_SEED for another stream of chance.
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? sampled(8000, 1_000_000));
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const PARSE_EVERY = 40;
const RANDOM_BAGS = 1000;
/** The largest text that comes of bodies that are this small. */
const MOST_CHARACTERS = 200_000;

describe(`${ROUNDS} bodies, random or damaged`, () => {
  it('are decoded or rejected without an exception', { timeout: 120_000 + ROUNDS }, () => {
    const scheme = parseScheme(ALL_LAYOUTS);
    const decoder = createBodyDecoder(() => scheme);
    const { below } = createMutator(SEED);
    const maker = createBodyMaker(scheme, below);
    const opcodes = [...scheme.messages.keys()];
    const messages = [...scheme.messages.values()].flat().filter((one) => !isNameOnly(one));
    const bodies = [
      ...messages.map((message) => maker.message(message)),
      ...WALLET_FORMS.map(([name, numbers]) => maker.type(name, numbers)),
    ];
    const damaged = [
      ...bodies.map(({ cell }) => readBoc(cell.toBoc())),
      ...Array.from({ length: RANDOM_BAGS }, () => randomBag(below, opcodes)),
    ].map((bag) => new DamagedBag(bag, below));

    const outcomes = { decoded: 0, unknown: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const bag = damaged[below(damaged.length)]!.damage();
      const result = decoder.decodeCell(bag, bag.root);
      if ('error' in result) {
        outcomes.unknown++;
        if (!result.error.startsWith('unknown: ')) throw new Error(result.error);
      } else {
        outcomes.decoded++;
        if (result.json.length > MOST_CHARACTERS) throw new Error(`${result.json.length} characters`);
        if (round % PARSE_EVERY === 0) expect(JSON.parse(result.json)['@type']).toEqual(expect.any(String));
      }
    }
    // The damage must reach both.
    expect(outcomes.decoded).toBeGreaterThan(ROUNDS / 5);
    expect(outcomes.unknown).toBeGreaterThan(ROUNDS / 5);
  });
});
