import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it } from 'vitest';
import type { HashedCells } from './support/core-sha256-worker.ts';

describe('@ton/core with native SHA-256', () => {
  let hashed: HashedCells;
  beforeAll(async () => {
    // Tests use the native function from the beginning.
    const worker = new Worker(new URL('./support/core-sha256-worker.ts', import.meta.url));
    [hashed] = (await once(worker, 'message')) as [HashedCells];
    await worker.terminate();
  });

  it('hashes cells to the same hashes without the slow function', () => {
    expect(hashed.slow.turnedToHex).toBe(2);
    expect(hashed.native).toEqual({ hash: hashed.slow.hash, turnedToHex: 0 });
  });

  it('accepts bytes and text', () => {
    expect(hashed.wrong).toEqual([]);
  });

  it('may be installed twice', () => {
    expect(hashed.installedTwice).toEqual(hashed.native);
  });
});
