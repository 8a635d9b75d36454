import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findStateFiles } from '../../../src/ingest/state-files/find-state-files.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';

const folder = makeTemporaryDirectory('vanishing');
afterAll(() => removeTemporaryDirectory(folder));

it('files that a running node removes meanwhile are no state files', async () => {
  const paths = Array.from({ length: 500 }, (_, at) => join(folder, `file-${at}`));
  for (const path of paths) writeFileSync(path, 'not a state');
  const finding = findStateFiles([folder]);
  // They are opened one after another, in another order.
  for (const path of paths.toReversed()) {
    await new Promise((resolve) => setImmediate(resolve));
    rmSync(path);
  }
  expect(await finding).toEqual({ states: [], zeroStates: [] });
});

it('a folder that is missing is named', async () => {
  const missing = join(folder, 'missing');
  await expect(findStateFiles([missing])).rejects.toThrow(`Cannot read the folder ${missing}: ENOENT`);
});
