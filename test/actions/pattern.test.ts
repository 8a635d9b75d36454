import { expect, it } from 'vitest';
import { Block } from '../../src/actions/rules/block.ts';
import { anyOf, blockOf, lazyPattern, type Pattern } from '../../src/actions/rules/pattern.ts';

/** A chain of blocks of the given length. */
function chain(length: number): Block {
  const blocks = Array.from(
    { length },
    () => new Block({ type: 'hop', data: undefined, describe: () => ({}) }),
  );
  for (const [number, block] of blocks.entries()) blocks[number - 1]?.connect(block);
  return blocks[0]!;
}

/** A sequence of hops. */
const way: Pattern = anyOf([blockOf('hop', { each: lazyPattern(() => way) }), blockOf('hop')]);

it('lazyPattern matches a recursive pattern', () => {
  expect(way.find(chain(3))?.blocks).toHaveLength(3);
});

it('lazyPattern limits the depth of a recursive pattern, also on repeated use', () => {
  for (let time = 0; time < 2; time++) expect(way.find(chain(20_000))?.blocks).toHaveLength(101);
});
