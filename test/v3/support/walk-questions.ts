import { hashOf } from '../../db/support/filled-index.ts';
import type { WalkCase } from './walk-cases.ts';
import type { WalkParams } from './walk-ground.ts';

/** How many of the combinations of more than two parameters are asked. */
const MANY = 15;

/**
 * What an operation is asked on a walk: all that it cannot do without, every value of every parameter alone, every pair
 * of parameters, and some combinations of more.
 */
export function walkQuestions({ bases, values }: WalkCase): WalkParams[] {
  const [first] = bases;
  const parameters = Object.entries(values).filter(([, choices]) => choices.length > 0);
  const choice = ([name, choices]: (typeof parameters)[number], turn: number): WalkParams => ({
    [name]: choices[turn % choices.length],
  });
  const alone = bases.flatMap((base) =>
    parameters.flatMap(([name, choices]) => choices.map((value) => ({ ...base, [name]: value }))),
  );
  const pairs = parameters.flatMap((one, at) =>
    parameters.slice(at + 1).map((other, turn) => ({ ...first, ...choice(one, turn), ...choice(other, at) })),
  );
  const many = Array.from({ length: parameters.length > 2 ? MANY : 0 }, (_, turn) => {
    const chance = hashOf(`combination ${turn}`);
    const some = parameters.filter((_, at) => chance[at]! < 100);
    return Object.assign({ ...bases[turn % bases.length] }, ...some.map((one) => choice(one, turn)));
  });
  return [...bases, ...alone, ...pairs, ...many];
}
