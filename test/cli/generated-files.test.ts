import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { generatedFiles, writeGenerated } from '../../src/cli/generated-files.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

const folder = makeTemporaryDirectory('generated');
let output = '';
const out = { write: (text: string) => (output += text) };
const root = pathToFileURL(`${folder}/`);
afterAll(() => removeTemporaryDirectory(folder));

describe('generated files', () => {
  it('are up to date in the repository', async () => {
    for (const files of Object.values(generatedFiles)) {
      expect(await writeGenerated(await files(), { check: true, out })).toBe(0);
    }
  });

  it('fail the check if missing or different, and are not written', async () => {
    expect(await writeGenerated({ 'a.json': 'new' }, { check: true, out, root })).toBe(1);
    writeFileSync(join(folder, 'a.json'), 'old');
    expect(await writeGenerated({ 'a.json': 'new' }, { check: true, out, root })).toBe(1);
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('old');
    expect(output).toBe('a.json is out of date\n'.repeat(2));
  });

  it('are written without the check, and then pass it', async () => {
    expect(await writeGenerated({ 'a.json': 'new' }, { check: false, out, root })).toBe(0);
    expect(await writeGenerated({ 'a.json': 'new' }, { check: true, out, root })).toBe(0);
  });
});
