import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countUsers, registerUser, withLock } from '../../../src/db/embedded/lock.ts';
import { StartError } from '../../../src/lib/errors.ts';
import { ownProcessName } from '../../../src/lib/process-identity.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';

const DEAD = `${process.pid} of-another-life`;

let directory: string;
let lock: string;

beforeEach(() => {
  directory = makeTemporaryDirectory('lock');
  lock = join(directory, 'lock');
});
afterEach(() => removeTemporaryDirectory(directory));

describe('withLock', () => {
  it.each([
    ['a free lock', []],
    ['the lock of a dead process', ['lock']],
    ['the lock of a dead process that another one died removing', ['lock', 'lock.break']],
  ])('runs one at a time on %s and leaves nothing behind', async (_, left) => {
    for (const name of left) symlinkSync(DEAD, join(directory, name));
    let inside = 0;
    const work = async () => {
      inside++;
      await sleep(5);
      return inside--;
    };
    const runs = Array.from({ length: 5 }, () => withLock(lock, { timeoutMs: 10_000 }, work));
    expect(await Promise.all(runs)).toEqual([1, 1, 1, 1, 1]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is released when the work fails', async () => {
    const failing = withLock(lock, { timeoutMs: 0 }, () => Promise.reject(new Error('work failed')));
    await expect(failing).rejects.toThrow('work failed');
    expect(readdirSync(directory)).toEqual([]);
  });

  it('gives up on a live owner after the timeout and names it', async () => {
    symlinkSync(ownProcessName(), lock);
    const waiting = withLock(lock, { timeoutMs: 50 }, async () => {});
    await expect(waiting).rejects.toThrow(StartError);
    await expect(waiting).rejects.toThrow(`Process ${process.pid} has held ${lock} for too long`);
  });
});

it('countUsers counts live users and removes dead ones', () => {
  expect(countUsers(directory)).toBe(0);
  const unregister = registerUser(directory);
  registerUser(directory);
  symlinkSync(DEAD, join(directory, 'users', `${process.pid}-dead`));
  expect(countUsers(directory)).toBe(2);
  expect(readdirSync(join(directory, 'users'))).toHaveLength(2);
  unregister();
  expect(countUsers(directory)).toBe(1);
});
