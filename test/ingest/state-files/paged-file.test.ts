import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PagedFile } from '../../../src/ingest/state-files/paged-file.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';

const PAGE_BYTES = 64;
const PAGES = 100;

it('keeps what was written when only a few of its pages fit into memory', async () => {
  const folder = makeTemporaryDirectory('paged-file');
  const path = join(folder, 'pages');
  const fd = openSync(path, 'wx+');
  try {
    const options = { fd, pageBytes: PAGE_BYTES, pages: PAGES, cacheBytes: 5 * PAGE_BYTES };
    const file = new PagedFile({ ...options, isNew: true });
    const expected = Buffer.alloc(PAGES * PAGE_BYTES);
    let random = 1;
    for (let i = 0; i < 5000; i++) {
      random = (random * 48271) % 0x7fffffff;
      const page = random % PAGES;
      const at = (random >> 8) % PAGE_BYTES;
      if (i % 3 === 0) {
        expected[page * PAGE_BYTES + at] = i;
        file.bytes[file.pageToChange(page) + at] = i;
      } else expect(file.bytes[file.page(page) + at]).toBe(expected[page * PAGE_BYTES + at]);
    }
    const all = Buffer.alloc(expected.length);
    file.copy(0, all.length, all);
    expect(all).toEqual(expected);

    // What is in memory only is not in the file.
    for (let page = 0; page < PAGES; page++) file.page(page);
    const again = new PagedFile({ ...options, isNew: false });
    const some = Buffer.alloc(200);
    again.copy(30, 200, some);
    expect(some).toEqual(expected.subarray(30, 230));
  } finally {
    closeSync(fd);
    rmSync(path);
    await removeTemporaryDirectory(folder);
  }
});
