import { appendFileSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Localnet } from '../../../src/localnet/chain/localnet.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { openPlainChain, plainMessage } from './plain-chain.ts';

let folder: string;
const open: Localnet[] = [];

beforeEach(() => {
  folder = makeTemporaryDirectory('localnet');
});
afterEach(async () => {
  for (const localnet of open.splice(0)) await localnet.stop();
  await removeTemporaryDirectory(folder);
});

async function openChain(options: Partial<Parameters<typeof openPlainChain>[0]> = {}) {
  const localnet = await openPlainChain({ folder, ...options });
  open.push(localnet);
  return localnet;
}

const hashes = ({ store }: Localnet): string[] =>
  Array.from({ length: store.head.seqno }, (_, i) =>
    store.masterchainBlock(i + 1)!.id.rootHash.toString('hex'),
  );

describe('the directory of a local chain', () => {
  it('lets a reopened chain continue at its head', async () => {
    const first = await openChain();
    await first.mine(5);
    const made = hashes(first);
    const signatures = first.store.signatures(first.store.head);
    await first.stop();
    const second = await openChain();
    expect(hashes(second)).toEqual(made);
    expect(second.store.signatures(second.store.head)).toEqual(signatures);
    expect(second.store.state(second.store.masterchainBlock(1)!.id)).toBeTypeOf('object');
    await second.mine(2);
    expect(hashes(second).slice(0, 5)).toEqual(made);
    expect(second.store.head.seqno).toBe(7);
  });

  it('starts a new chain on reset', async () => {
    const first = await openChain();
    await first.mine(3);
    await first.snapshot('kept');
    await first.stop();
    const second = await openChain({ settings: { reset: true } });
    expect(second.store.head.seqno).toBe(0);
    expect(second.status().snapshots).toEqual(['kept']);
  });

  it('keeps the shard count of an existing chain and logs a warning', async () => {
    await (await openChain()).stop();
    const second = await openChain({ settings: { shards: 4 } });
    expect(second.genesis.shards).toBe(1);
    expect(second.log.texts().join()).toContain('localnet --reset');
  });

  it('is locked by one process at a time', async () => {
    const first = await openChain();
    await expect(openChain()).rejects.toThrow(`in use by process ${process.pid}`);
    await first.stop();
    await openChain();
  });

  it('is taken over from a dead process', async () => {
    writeFileSync(join(folder, 'lock'), '4194304 123');
    expect((await openChain()).store.head.seqno).toBe(0);
  });

  it('opens from checkpoints, with the newest states available', async () => {
    const first = await openChain({ checkpointEvery: 10 });
    await first.mine(57);
    const made = hashes(first);
    await first.stop();
    const second = await openChain({ checkpointEvery: 10 });
    expect(hashes(second)).toEqual(made);
    const stateAt = (seqno: number) => second.store.state(second.store.masterchainBlock(seqno)!.id);
    expect(stateAt(49)).toBe('gone');
    expect(stateAt(50)).toBeTypeOf('object');
    expect(stateAt(52)).toBeTypeOf('object');
    await second.mine(1);
    expect(second.store.head.seqno).toBe(58);
  });

  it('ignores checkpoints that are damaged or of another chain', async () => {
    const first = await openChain({ checkpointEvery: 5 });
    await first.mine(20);
    const made = hashes(first);
    await first.stop();
    const states = join(folder, 'states');
    const [, , newest] = readdirSync(states).sort();
    const bytes = readFileSync(join(states, newest!));
    bytes[bytes.length - 9]! ^= 1;
    writeFileSync(join(states, newest!), bytes);
    writeFileSync(join(states, `0000000016-${'0'.repeat(64)}`), 'nothing');
    const second = await openChain({ checkpointEvery: 5 });
    expect(hashes(second)).toEqual(made);
    const stateAt = (seqno: number) => second.store.state(second.store.masterchainBlock(seqno)!.id);
    expect(stateAt(9)).toBe('gone');
    expect(stateAt(10)).toBeTypeOf('object');
  });
});

describe('an unfinished record', () => {
  it.each([1, 15, 16, 17, 200, -1])('is truncated at byte %i', async (bytes) => {
    const first = await openChain();
    await first.mine(3);
    const { size } = statSync(join(folder, 'chain'));
    await first.mine(1);
    const { size: whole } = statSync(join(folder, 'chain'));
    const made = hashes(first);
    await first.stop();
    truncateSync(join(folder, 'chain'), (bytes < 0 ? whole : size) + bytes);
    const second = await openChain();
    expect(hashes(second)).toEqual(made.slice(0, 3));
    expect(second.log.texts()).toContain('Unfinished record at the end of the chain file truncated');
    expect(statSync(join(folder, 'chain')).size).toBe(size);
    await second.mine(2);
    expect(second.store.head.seqno).toBe(5);
  });

  it.each([Buffer.alloc(4096), Buffer.from('TGL1'), Buffer.alloc(40, 0xff)])(
    'is truncated: case %#',
    async (tail) => {
      const first = await openChain();
      await first.mine(2);
      await first.stop();
      appendFileSync(join(folder, 'chain'), tail);
      expect((await openChain()).store.head.seqno).toBe(2);
    },
  );

  it.each([0, 5, 9, 14, 30, 500])(
    'is distinguished from damage at byte %i of a record, which is an error',
    async (at) => {
      const first = await openChain();
      await first.mine(1);
      const path = join(folder, 'chain');
      const { size } = statSync(path);
      await first.mine(3);
      await first.stop();
      const bytes = readFileSync(path);
      bytes[size + at]! ^= 0x55;
      writeFileSync(path, bytes);
      await expect(openChain()).rejects.toThrow(`is damaged at byte ${size}: restore a snapshot`);
      expect(readFileSync(path)).toEqual(bytes);
    },
  );

  it('of an unknown format is rejected', async () => {
    await mkdir(folder, { recursive: true });
    writeFileSync(join(folder, 'chain'), 'something else');
    expect((await openChain()).store.head.seqno).toBe(0);
  });
});

describe('snapshots', () => {
  it('restore the chain, which then continues differently', async () => {
    const localnet = await openChain();
    await localnet.mine(3);
    await localnet.snapshot('three');
    const made = hashes(localnet);
    await localnet.advance(50);
    await localnet.mine(2);
    const heads: number[] = [];
    localnet.store.onHead(({ seqno }) => heads.push(seqno));
    await localnet.restore('three');
    expect(heads).toEqual([3]);
    expect(hashes(localnet)).toEqual(made);
    expect(localnet.status().offsetSeconds).toBe(0);
    await localnet.mine(1);
    expect(heads).toEqual([3, 4]);
    await localnet.stop();
    const again = await openChain();
    expect(hashes(again).slice(0, 3)).toEqual(made);
    expect(again.store.head.seqno).toBe(4);
    await again.snapshot('three');
    await again.mine(1);
    await again.restore('three');
    expect(again.store.head.seqno).toBe(4);
  });

  it('restore the chain in any order, whether it has grown from the snapshot or not', async () => {
    const localnet = await openChain();
    const made = new Map<string, string[]>();
    for (const name of ['a', 'b', 'c']) {
      await localnet.mine(2);
      await localnet.advance(10);
      await localnet.snapshot(name);
      made.set(name, hashes(localnet));
    }
    for (const name of ['c', 'b', 'c', 'a', 'a', 'b', 'a', 'c']) {
      await localnet.mine(1);
      await localnet.restore(name);
      expect(hashes(localnet), name).toEqual(made.get(name));
      expect(localnet.status().offsetSeconds).toBe({ a: 10, b: 20, c: 30 }[name]);
      expect(readFileSync(join(folder, 'chain')), name).toEqual(
        readFileSync(join(folder, 'snapshots', name, 'chain')),
      );
    }
    await localnet.mine(2);
    const end = hashes(localnet);
    await localnet.stop();
    expect(hashes(await openChain())).toEqual(end);
  });

  it('let readers go on while they are restored, from memory and from their files', async () => {
    const localnet = await openChain();
    await localnet.mine(2);
    await localnet.snapshot('small');
    await localnet.mine(3);
    await localnet.snapshot('large');
    for (const name of ['small', 'large', 'small', 'small', 'large']) {
      await localnet.mine(2);
      let isRestored = false;
      const restored = localnet.restore(name).finally(() => {
        isRestored = true;
      });
      while (!isRestored) {
        for (let seqno = 1; seqno <= localnet.store.head.seqno; seqno++)
          expect(localnet.store.signatures(localnet.store.masterchainBlock(seqno)!.id)).toBeDefined();
        await setImmediate();
      }
      await restored;
    }
  });

  it.each(['', '.', '..', '.draft', 'a/b', '../x', 'a'.repeat(65), 'a\0'])(
    'reject the name %j',
    async (name) => {
      const localnet = await openChain();
      await expect(localnet.snapshot(name)).rejects.toThrow('name should be 1 to 64 letters');
      await expect(localnet.restore(name)).rejects.toThrow('name should be 1 to 64 letters');
    },
  );

  it('cannot be restored if they do not exist', async () => {
    const localnet = await openChain();
    await localnet.mine(1);
    await expect(localnet.restore('none')).rejects.toThrow('there is no snapshot of the name none');
    await localnet.mine(1);
    expect(localnet.store.head.seqno).toBe(2);
  });
});

describe('the clock of a chain', () => {
  it('stays advanced', async () => {
    let time = 1_700_000_000;
    const first = await openChain({ clock: () => time });
    await first.mine(1);
    await first.advance(1000);
    expect(first.status()).toMatchObject({ blockTime: time + 1000, offsetSeconds: 1000, seqno: 2 });
    await first.advance(5);
    await first.stop();
    time += 10;
    const second = await openChain({ clock: () => time });
    await second.mine(1);
    expect(second.status()).toMatchObject({ blockTime: time + 1005, time: time + 1005 });
  });

  it('does not go back when the machine clock does', async () => {
    let time = 1_700_000_000;
    const localnet = await openChain({ clock: () => time });
    await localnet.mine(1);
    time -= 100;
    await localnet.mine(1);
    expect(localnet.status().blockTime).toBe(1_700_000_000);
    time += 101;
    await localnet.mine(1);
    expect(localnet.status().blockTime).toBe(1_700_000_001);
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 32])('cannot be advanced by %d', async (seconds) => {
    await expect((await openChain()).advance(seconds)).rejects.toThrow('seconds should');
  });
});

describe('messages to a local chain', () => {
  it('end in a block or with a reason', async () => {
    const localnet = await openChain({
      judge: ({ body }) => (body.equals(plainMessage(1, 2)) ? 'rejected' : 'included'),
    });
    await localnet.mine(1);
    const good = await localnet.send(plainMessage(1, 1));
    const bad = await localnet.send(plainMessage(1, 2));
    await localnet.mine(1);
    expect(await good.end).toMatchObject({ outcome: 'included', block: { workchain: 0, seqno: 2 } });
    expect(await bad.end).toEqual({ id: bad.id, outcome: 'rejected', text: 'no' });
    expect(localnet.status().waitingMessages).toBe(0);
  });

  it('are rejected with the error texts of a node', async () => {
    const localnet = await openChain();
    await localnet.mine(1);
    await expect(localnet.send(Buffer.from('not a boc'))).rejects.toThrow('cannot deserialize bag-of-cells');
    for (let i = 0; i < 256; i++) await localnet.send(plainMessage(7, i));
    await expect(localnet.send(plainMessage(7, 256))).rejects.toThrow(
      `too many external messages to address 0:${'07'.repeat(32)}`,
    );
    await localnet.send(plainMessage(8, 0));
    await localnet.mine(1);
    await localnet.send(plainMessage(7, 256));
  });

  it('cannot stall the chain: those that make collation fail are dropped', async () => {
    const isBad = (body: Buffer) => body.equals(plainMessage(1, 5));
    const localnet = await openChain({ judge: ({ body }) => (isBad(body) ? 'broken' : 'included') });
    await localnet.mine(1);
    const sent = await Promise.all(Array.from({ length: 10 }, (_, i) => localnet.send(plainMessage(1, i))));
    for (let tries = 0; tries < 40 && localnet.status().waitingMessages > 0; tries++)
      await localnet.mine(1).catch(() => undefined);
    const ends = await Promise.all(sent.map(({ end }) => end));
    expect(ends.map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 10 }, (_, i) => (i === 5 ? 'dropped' : 'included')),
    );
    await localnet.mine(1);
  });
});
