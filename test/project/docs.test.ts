import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Setting } from '../../src/config/setting.ts';
import { settingTable } from '../../src/config/setting-table.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;
/** The text of a section, from its heading to the next one. */
const section = (page: string, heading: string): string =>
  new RegExp(`^## ${heading}\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(read(page))?.[1] ?? '';

describe('links', () => {
  test.each(pages)('of %s lead to files', (page) => {
    const targets = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
    const local = targets.filter((target) => !/^(https?:|#)/.test(target));
    const broken = local.filter(
      (target) => !existsSync(join(root, dirname(page), target.replace(/#.*$/, ''))),
    );
    expect(broken).toEqual([]);
  });
});

describe('commands', () => {
  const gates = [...read('.ci/run').matchAll(/^gate (npm .+)$/gm)].map((match) => match[1]);

  test('CI runs the test command of the README', () => {
    const command = /```sh\n(.+)\n```/.exec(section('README.md', 'Test'))?.[1];
    expect(command).toBe('npm test');
    expect(gates).toContain(command);
  });

  test('CI runs every gate of npm run check, and no other', () => {
    expect([...gates].sort()).toEqual((scripts.check ?? '').split(' && ').sort());
  });

  test.each(pages)('of %s exist', (page) => {
    const named = [...read(page).matchAll(/npm run ([a-z][a-z0-9:]*)/g)].map((match) => match[1] ?? '');
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe('docker-compose.yml', () => {
  const compose = read('docker-compose.yml');

  test('passes settings that exist', () => {
    const services: readonly { readonly build?: string; readonly environment: object }[] = Object.values(
      parse(compose, { merge: true }).services,
    );
    const ours = services.flatMap(({ build, environment }) =>
      build === undefined ? [] : Object.keys(environment),
    );
    expect(ours).toContain('METRICS_PORT');
    expect(ours.filter((name) => !(name.replace(/_FILE$/, '') in settingTable))).toEqual([]);
  });

  test('takes variables that the install page describes', () => {
    const page = read('docs/operate/install.md');
    const taken = [...compose.matchAll(/\$\{([A-Z_]+)/g)].map((match) => match[1] ?? '');
    expect(taken.length).toBeGreaterThan(10);
    expect(taken.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

test('the README names settings that exist, with their defaults', () => {
  const rows = [...section('README.md', 'Settings').matchAll(/^\| (`[A-Z].*?) \| (.*?) \|/gm)];
  const named = rows.flatMap(([, names = '', defaults = '']) => {
    const values = defaults.split(', ').map((text) => text.replaceAll('`', ''));
    return names.split(', ').map((name, index) => [name.replaceAll('`', ''), values[index]] as const);
  });
  expect(named.length).toBeGreaterThan(5);
  for (const [name, shown] of named) {
    expect(Object.keys(settingTable)).toContain(name);
    const setting: Setting = settingTable[name as keyof typeof settingTable];
    // A setting without a default says in words what happens without it.
    if (typeof setting.default === 'string') expect([name, shown]).toEqual([name, setting.default]);
  }
});
