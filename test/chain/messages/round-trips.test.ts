import { describe, expect, it } from 'vitest';
import { ALL_LAYOUTS } from '../../../src/actions/layouts.ts';
import { createBodyDecoder } from '../../../src/chain/messages/body-decoder.ts';
import { parseScheme } from '../../../src/chain/messages/notation.ts';
import { createMutator } from '../../support/fuzz/fuzz-decoder.ts';
import { sampled } from '../../support/long-run.ts';
import { createBodyMaker, isNameOnly } from './made-body.ts';

const ROUNDS = sampled(2, 10);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

const scheme = parseScheme(ALL_LAYOUTS);
const decoder = createBodyDecoder(() => scheme);
const { below } = createMutator(SEED);
const maker = createBodyMaker(scheme, below);

const constructors = [...scheme.messages.values()].flat().filter((one) => !isNameOnly(one));
const comments = scheme.messages.get(0)!;

describe(`${constructors.length} constructors`, () => {
  it.each(constructors)('$name of group $group is read as it was written', (message) => {
    // Alone, so that none of another group comes first; comments are what is inside.
    const messages = new Map([
      [0, comments],
      [message.opcode, [message]],
    ]);
    const own = createBodyDecoder(() => ({ ...scheme, messages }));
    const isFirst = scheme.messages.get(message.opcode)!.find((one) => !isNameOnly(one)) === message;
    for (let round = 0; round < ROUNDS; round++) {
      const { cell, json } = maker.message(message);
      const boc = cell.toBoc();
      expect(own.decodeBoc(boc)).toEqual({ json });
      if (isFirst) expect(decoder.decodeBoc(boc)).toEqual({ json });
    }
  });
});
