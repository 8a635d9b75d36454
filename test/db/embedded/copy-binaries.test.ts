import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyBinaries } from '../../../src/db/embedded/programs.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';

let root: string;
let target: string;

beforeEach(() => {
  root = makeTemporaryDirectory('copy');
  target = join(root, 'target');
  mkdirSync(target);
  mkdirSync(join(root, 'native', 'bin'), { recursive: true, mode: 0o700 });
  writeFileSync(join(root, 'native', 'bin', 'postgres'), '#!/bin/sh', { mode: 0o700 });
  writeFileSync(join(root, 'native', 'libpq.so.5.18'), 'library', { mode: 0o600 });
  symlinkSync('libpq.so.5.18', join(root, 'native', 'libpq.so.5'));
});
afterEach(() => removeTemporaryDirectory(root));

const copy = () => copyBinaries({ native: join(root, 'native'), version: '18.4.0' }, target);

it('copyBinaries copies all files readable for everybody and keeps links', async () => {
  const { native, version } = await copy();
  expect(version).toBe('18.4.0');
  expect(readdirSync(target)).toEqual([`postgresql-18.4.0-${process.arch}`]);
  expect(readFileSync(join(native, 'libpq.so.5'), 'utf8')).toBe('library');
  expect(readlinkSync(join(native, 'libpq.so.5'))).toBe('libpq.so.5.18');
  const modes = ['', 'bin', 'bin/postgres', 'libpq.so.5.18'].map(
    (name) => statSync(join(native, name)).mode & 0o777,
  );
  expect(modes).toEqual([0o755, 0o755, 0o755, 0o644]);
});

it('copyBinaries keeps a complete copy', async () => {
  const { native } = await copy();
  const { ino } = statSync(native);
  await copy();
  expect(statSync(native).ino).toBe(ino);
});

it.each([
  ['lacks a file', (native: string) => rmSync(join(native, 'bin', 'postgres'))],
  ['has a truncated file', (native: string) => writeFileSync(join(native, 'libpq.so.5.18'), 'lib')],
])('copyBinaries replaces a copy that %s', async (_, damage) => {
  const { native } = await copy();
  damage(native);
  await copy();
  expect(readFileSync(join(native, 'bin', 'postgres'), 'utf8')).toBe('#!/bin/sh');
  expect(readFileSync(join(native, 'libpq.so.5.18'), 'utf8')).toBe('library');
  await copy();
  expect(readdirSync(target)).toHaveLength(1);
});

it('copyBinaries runs safely in parallel and removes the leftovers of a killed copy', async () => {
  const dead = join(target, `postgresql-18.4.0-${process.arch}.unfinished`);
  mkdirSync(join(dead, 'bin'), { recursive: true });
  chmodSync(dead, 0o700);
  const copies = await Promise.all([copy(), copy(), copy()]);
  expect(new Set(copies.map(({ native }) => native)).size).toBe(1);
  expect(readFileSync(join(copies[0].native, 'bin', 'postgres'), 'utf8')).toBe('#!/bin/sh');
  expect(readdirSync(target)).toHaveLength(1);
});
