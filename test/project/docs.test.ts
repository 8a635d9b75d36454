import { spawnSync } from 'node:child_process';
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

test('git ignores what the docs tell to make in a checkout', () => {
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/\bDATA_DIR=([a-z][\w-]*)/g)].map(([, name]) => `${name}/localnet-api-key`),
  );
  expect(named.length).toBeGreaterThan(0);
  const secret = [
    'tongate-0.1.0.tgz',
    'tongate.dump',
    'tongate-data.tar.gz',
    'secrets/postgres-password',
    '.env',
  ];
  const made = [...new Set([...named, ...secret])];
  const { stdout } = spawnSync('git', ['check-ignore', '--no-index', ...made], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stdout.trim().split('\n')).toEqual(made);
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

describe('a newcomer', () => {
  const readme = read('README.md');
  const address = `http://${settingTable.HOST.default}:${settingTable.PORT.default}/`;

  test.each([
    ['where the explorer is', 'README.md', `**\`/\`**, <${address}>, is an explorer`],
    ['why not to run the stack of the reference', 'README.md', '**Why not the reference'],
    ['where the benchmarks are', 'README.md', '(docs/benchmarks.md)'],
    ['how to use it with Acton and with Blueprint', 'README.md', 'Acton, Blueprint'],
    ['how an Acton project names it', 'docs/use-from-code.md', '[networks.tongate]'],
    ['how a Blueprint project names it', 'docs/use-from-code.md', '// blueprint.config.ts'],
    ['that Blueprint is followed by Acton', 'docs/use-from-code.md', 'deprecated in favour of Acton'],
    ['how tests of both find the chain', 'docs/operate/localnet.md', 'Acton or Blueprint finds the chain'],
  ])('reads %s, in %s', (_, page, text) => expect(read(page)).toContain(text));

  test('reads the size of mainnet in one line of the README, as the page of sizes has it', () => {
    const line = /^\*\*Size of mainnet:\*\* .*\(docs\/operate\/scale\.md\).*$/m.exec(readme)?.[0] ?? '';
    const [all, day] = [/[\d.]+ to [\d.]+ TB/, /[\d.]+ GB/].map((size) => size.exec(line)?.[0]);
    expect(read('docs/operate/scale.md')).toMatch(new RegExp(`^\\| all of mainnet .*\\| ${all} \\|$`, 'm'));
    expect(read('docs/operate/scale.md')).toMatch(new RegExp(`^\\| a day of mainnet .*\\| ${day} \\|$`, 'm'));
  });

  test('finds the results of all benchmarks on their page, and none in the README', () => {
    const results = readdirSync(join(root, 'bench/results')).filter((name) => name.endsWith('.md'));
    const linked = [...read('docs/benchmarks.md').matchAll(/\(\.\.\/bench\/results\/(\S+)\)/g)];
    expect(linked.map(([, name]) => name).sort()).toEqual(results.sort());
    expect(readme).not.toContain('bench/results/');
  });

  test('reads that programs on a Docker host share an address, and the settings that help', () => {
    const page = section('docs/operate/install.md', 'With Docker').replaceAll('\n', ' ');
    const paragraph = /Docker hands on connections .*? {2}/.exec(page)?.[0] ?? '';
    for (const text of ['address of its bridge', '`ANONYMOUS_RPS`', 'Give them keys', '`TRUST_PROXY=1`'])
      expect(paragraph).toContain(text);
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
