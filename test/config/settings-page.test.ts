import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { settingNames } from '../../src/config/settings.ts';
import { settingsPage } from '../../src/config/settings-page.ts';

const committedPage = new URL('../../docs/operate/settings.md', import.meta.url);

describe('docs/operate/settings.md', () => {
  it('is up to date (npm run docs:settings writes it)', async () => {
    expect(await readFile(committedPage, 'utf8')).toBe(settingsPage());
  });

  it('has one row per setting', () => {
    const rows = settingsPage().match(/^\| `[A-Z0-9_]+` \|/gm) ?? [];
    expect(rows.map((row) => row.slice(3, -3)).sort()).toEqual([...settingNames].sort());
  });
});
