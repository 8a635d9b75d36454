import { expect, it } from 'vitest';
import { NextFlight } from '../../src/lib/next-flight.ts';

/** Calls whose ends the test decides. */
function heldCalls() {
  const flights = new NextFlight<string>();
  const calls: PromiseWithResolvers<string>[] = [];
  const start = () => {
    const call = Promise.withResolvers<string>();
    calls.push(call);
    return call.promise;
  };
  return { calls, run: (key = 'key') => flights.run(key, start) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('calls that come while an equal one is under way share the next one', async () => {
  const { calls, run } = heldCalls();
  const first = run();
  const others = [run(), run(), run()];
  await settled();
  expect(calls).toHaveLength(1);
  calls[0]!.resolve('old');
  expect(await first).toBe('old');
  await settled();
  expect(calls).toHaveLength(2);
  const last = run();
  calls[1]!.resolve('new');
  expect(await Promise.all(others)).toEqual(['new', 'new', 'new']);
  await settled();
  expect(calls).toHaveLength(3);
  calls[2]!.resolve('newest');
  expect(await last).toBe('newest');
});

it('calls of another key wait for nobody', async () => {
  const { calls, run } = heldCalls();
  const both = [run('a'), run('b')];
  expect(calls).toHaveLength(2);
  for (const call of calls) call.resolve('done');
  expect(await Promise.all(both)).toEqual(['done', 'done']);
});

it('a call that takes long is not waited for', async () => {
  const { calls, run } = heldCalls();
  const slow = run();
  const others = [run(), run()];
  await expect.poll(() => calls.length).toBe(2);
  calls[1]!.resolve('quick');
  expect(await Promise.all(others)).toEqual(['quick', 'quick']);
  calls[0]!.resolve('slow');
  expect(await slow).toBe('slow');
});

it('a failure is told to its own caller, and the others call themselves', async () => {
  const { calls, run } = heldCalls();
  const failed = run();
  const [leader, ...others] = [run(), run(), run()];
  calls[0]!.reject(new Error('gone'));
  await expect(failed).rejects.toThrow('gone');
  await settled();
  calls[1]!.reject(new Error('refused'));
  await expect(leader).rejects.toThrow('refused');
  await settled();
  expect(calls).toHaveLength(4);
  for (const call of calls.slice(2)) call.resolve('done');
  expect(await Promise.all(others)).toEqual(['done', 'done']);
});
