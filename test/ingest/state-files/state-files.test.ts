import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlockId } from '../../../src/chain/block-id.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { writeStateBag } from '../../../src/chain/boc/state-writer.ts';
import {
  parseStateFileName,
  stateHeaderFileName,
  statePartFileName,
  wholeStateFileName,
  zeroStateFileName,
} from '../../../src/chain/state/state-file-names.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import { readBlockExtra, readBlockRoot } from '../../../src/chain/tlb/block.ts';
import { readMasterchainExtra } from '../../../src/chain/tlb/masterchain-block.ts';
import { walkShardAccounts } from '../../../src/chain/tlb/shard-accounts.ts';
import { readShardHashes } from '../../../src/chain/tlb/shard-hashes.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import { findStateFiles, type ShardStateFiles } from '../../../src/ingest/state-files/find-state-files.ts';
import { proveStates, proveZeroStates } from '../../../src/ingest/state-files/proven-states.ts';
import { openShardState, type ProvenState } from '../../../src/ingest/state-files/shard-state.ts';
import { sampled } from '../../support/long-run.ts';
import { type MadeState, makeState } from '../../support/made-state.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';

const ACCOUNTS = sampled(1300, 2000);
const SPLIT_DEPTH = 2;
const FLIPS = sampled(8, 60);
const NO_HASH = Buffer.alloc(32);

let folder: string;
let workFolder: string;
beforeAll(() => {
  folder = makeTemporaryDirectory('state-files');
  workFolder = join(folder, 'work');
});
afterAll(() => removeTemporaryDirectory(folder));

/** The id and the hash of each account, in the order of the files. */
async function readAll(files: ShardStateFiles, proven: ProvenState, after?: Buffer) {
  const state = await openShardState(files, proven, { workFolder });
  try {
    const found: [id: string, hash: string][] = [];
    for await (const file of state.files(after))
      for (const { id, cells, cell } of file.accounts(after)) {
        expect(readAccount(cells, cell)?.address).toMatchObject({ hash: id });
        found.push([id.toString('hex'), cells.hash(cell).toString('hex')]);
      }
    return found;
  } finally {
    state.close();
  }
}

function digestOf(accounts: readonly (readonly [id: string, hash: string])[]): string {
  const digest = createHash('sha256');
  for (const [id, hash] of accounts) digest.update(Buffer.from(id + hash, 'hex'));
  return digest.digest('hex');
}

async function onlyState(path: string): Promise<ShardStateFiles> {
  const { states } = await findStateFiles([path]);
  expect(states).toHaveLength(1);
  expect(states[0]!.shards).toHaveLength(1);
  return states[0]!.shards[0]!;
}

describe('a split state', () => {
  let from: string;
  let made: MadeState;
  let files: ShardStateFiles;
  beforeAll(async () => {
    from = join(folder, 'made');
    made = await makeState({ folder: from, accounts: ACCOUNTS, splitDepth: SPLIT_DEPTH });
    files = await onlyState(from);
  });

  it('yields every account with its hash, in order', async () => {
    const accounts = await readAll(files, made.proven);
    expect(accounts).toHaveLength(ACCOUNTS);
    expect(digestOf(accounts)).toBe(made.accountsDigest);
  });

  it('goes on after any account', async () => {
    const accounts = await readAll(files, made.proven);
    for (const at of sampled([500], [0, 499, 500, 1234, ACCOUNTS - 1])) {
      const after = Buffer.from(accounts[at]![0], 'hex');
      expect(await readAll(files, made.proven, after)).toEqual(accounts.slice(at + 1));
      // Between two accounts too.
      after.writeUInt8(after.readUInt8(31) ^ 1, 31);
      const rest = await readAll(files, made.proven, after);
      expect(rest.length - (accounts.length - at - 1)).toBe(after.toString('hex') < accounts[at]![0] ? 1 : 0);
    }
  });

  /** A copy of the files that may be changed. */
  async function copyFiles(name: string): Promise<ShardStateFiles> {
    const to = join(folder, name);
    await mkdir(to);
    for (const file of await readdir(from)) await copyFile(join(from, file), join(to, file));
    return onlyState(to);
  }

  const failure = (changed: ShardStateFiles, proven = made.proven): Promise<string> =>
    readAll(changed, proven).then(
      () => 'nothing was found',
      (error: Error) => (error.name === 'StateFileError' ? error.message : String(error.stack)),
    );

  it('names the file and the place of each flipped bit', async () => {
    const { path } = files.parts![1]!;
    const bytes = await readFile(path);
    const changed = await copyFiles('flipped');
    const target = changed.parts![1]!.path;
    const reasons = new Set<string>();
    for (let i = 0; i < FLIPS; i++) {
      const at = Math.floor((i / FLIPS) * bytes.length);
      const flipped = Buffer.from(bytes);
      flipped[at] = flipped[at]! ^ (1 << (i % 8));
      await writeFile(target, flipped);
      const message = await failure(changed);
      expect(message).toMatch(new RegExp(`^${target}(?: at byte \\d+)?: `));
      reasons.add(message.slice(message.lastIndexOf(': ') + 2).replace(/\d+/g, 'N'));
    }
    expect(reasons.size).toBeGreaterThan(1);
  });

  it('is refused when a file is cut, missing, of another state, or too much', async () => {
    const cut = await copyFiles('cut');
    await truncate(cut.parts![2]!.path, 20_000);
    expect(await failure(cut)).toBe(
      `${cut.parts![2]!.path} at byte 0: bag of cells is shorter than its header says`,
    );
    await rm(cut.parts![2]!.path);
    expect(await failure(cut)).toBe(`${cut.parts![2]!.path}: the file is missing`);
    const withoutPart = await onlyState(join(folder, 'cut'));
    expect(await failure(withoutPart)).toBe(
      `${withoutPart.path}: the file of the accounts with the prefix a000000000000000 is missing`,
    );
    await rm(withoutPart.path!);
    expect(await failure(await onlyState(join(folder, 'cut')))).toBe(
      `${withoutPart.parts![0]!.path}: the header of this split state (statesplit_…) is missing`,
    );

    const other = await makeState({ folder: join(folder, 'other'), accounts: 100, splitDepth: SPLIT_DEPTH });
    const mixed = await copyFiles('mixed');
    const [, , , last] = (await onlyState(join(folder, 'other'))).parts!;
    await copyFile(last!.path, mixed.parts![3]!.path);
    expect(await failure(mixed)).toMatch(
      /: its root has the hash [0-9a-f]{64}, but [0-9a-f]{64} by the header of the state$/,
    );
    expect(await failure(files, other.proven)).toMatch(
      /holds a state with the hash .*, but its block leads to/,
    );
    expect(await failure(files, { ...made.proven, seqno: 7 })).toMatch(
      /: holds the state 1001 of the shard 0,8000000000000000, not 7 of 0,8000000000000000$/,
    );
    const deeper = await copyFiles('deeper');
    const { path } = deeper.parts![0]!;
    await rename(path, path.replace('_2000000000000000_', '_1000000000000000_'));
    expect(await failure(await onlyState(join(folder, 'deeper')))).toMatch(
      /: the prefix in its name is not that of a part of this state$/,
    );
  });
});

const SHARED = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const REALNET = join(SHARED, 'realnet-archive');
const reason = existsSync(REALNET) ? '' : ' (skipped: ../shared/data/realnet-archive is absent)';

describe.skipIf(reason !== '')(`the files of a node${reason}`, () => {
  const AT = 437;
  let blocks: Map<string, Buffer>;
  beforeAll(async () => {
    const packs = join(REALNET, 'packages/arch0000');
    const paths = (await readdir(packs)).filter(
      (name) => name.startsWith('archive.00437.') || name.startsWith('archive.00400.'),
    );
    blocks = new Map();
    for (const path of paths)
      for (const [name, data] of readPack(await readFile(join(packs, path)))) blocks.set(name, data);
  });

  const nameOf = ({ workchain, shard, seqno }: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>) =>
    `block_(${workchain},${BigInt.asUintN(64, shard).toString(16)},${seqno})`;
  const blockSource = {
    masterchainBlock: async (seqno: number) =>
      blocks.get(nameOf({ workchain: -1, shard: -(2n ** 63n), seqno }))!,
    shardBlock: async (id: BlockId) => blocks.get(nameOf(id))!,
  };

  it('are proven by their blocks, whole and split, and yield every account', async () => {
    const { states } = await findStateFiles([REALNET]);
    expect(states.map(({ mcSeqno }) => mcSeqno)).toEqual([AT]);
    const counts: number[] = [];
    for (const { files, proven } of await proveStates(states[0]!, blockSource)) {
      const expected: [string, string][] = [];
      for (const path of files.parts?.map((part) => part.path) ?? [files.path!]) {
        const bag = readBoc(await readFile(path));
        const accounts = files.parts === undefined ? readShardState(bag, bag.root).accounts : bag.root;
        walkShardAccounts(bag, accounts, (id, { account }) => {
          expected.push([id.toString('hex'), bag.hash(account).toString('hex')]);
        });
      }
      expect(await readAll(files, proven)).toEqual(expected);
      counts.push(expected.length);
    }
    expect(counts).toEqual([3, 183, 204]);
  });

  it('are refused by another block', async () => {
    const { states } = await findStateFiles([REALNET]);
    const [masterchain] = await proveStates(states[0]!, blockSource);
    const proven = { ...masterchain!.proven, hash: NO_HASH };
    await expect(readAll(masterchain!.files, proven)).rejects.toThrow(/but its block leads to 0000/);
  });

  it('have names that follow from their blocks', async () => {
    const masterchainBlock = idOf(nameOf({ workchain: -1, shard: -(2n ** 63n), seqno: AT }));
    const bag = readBoc(blocks.get(nameOf(masterchainBlock))!);
    const { masterchain } = readBlockExtra(bag, readBlockRoot(bag, bag.root).extra);
    const shards = readShardHashes(bag, readMasterchainExtra(bag, masterchain).shardHashes);
    const names = [wholeStateFileName({ block: masterchainBlock, masterchainBlock })];
    for (const block of shards) {
      names.push(stateHeaderFileName({ block, masterchainBlock }));
      const half = block.shard > 0n ? 0x2000000000000000n : -0x6000000000000000n;
      for (const part of [half, half + 0x4000000000000000n])
        names.push(statePartFileName({ block, masterchainBlock }, part));
    }
    const found = await readdir(join(REALNET, 'states'));
    const zeros = found.filter((name) => parseStateFileName(name)?.kind === 'zero');
    for (const name of zeros) {
      const bytes = await readFile(join(REALNET, 'states', name));
      const zero = readBoc(bytes);
      const { workchain, shard } = readShardState(zero, zero.root);
      const fileHash = createHash('sha256').update(bytes).digest();
      names.push(zeroStateFileName({ workchain, shard, seqno: 0, rootHash: zero.hash(zero.root), fileHash }));
    }
    expect(found.sort()).toEqual(names.sort());
  });

  it('are written anew byte for byte where they have the order that all nodes give them', async () => {
    const paths = [
      ...(await readdir(join(REALNET, 'states'))).map((name) => join(REALNET, 'states', name)),
    ].filter((path) => ['zero', 'header'].includes(parseStateFileName(basename(path))!.kind));
    for (const path of paths) {
      const bytes = await readFile(path);
      const bag = readBoc(bytes);
      const pieces = Array.from(writeStateBag({ cells: bag, cell: bag.root }), (piece) => Buffer.from(piece));
      expect(Buffer.concat(pieces).equals(bytes), path).toBe(true);
    }
    expect(paths).toHaveLength(4);
  });

  /** The id of a block among those of the packs. */
  function idOf(name: string): BlockId {
    const bytes = blocks.get(name)!;
    const [, workchain, shard, seqno] = /\((-?\d+),([0-9a-f]+),(\d+)\)/.exec(name)!;
    const bag = readBoc(bytes);
    return {
      workchain: Number(workchain),
      shard: BigInt.asIntN(64, BigInt(`0x${shard}`)),
      seqno: Number(seqno),
      rootHash: bag.hash(bag.root),
      fileHash: createHash('sha256').update(bytes).digest(),
    };
  }

  it.skipIf(!existsSync(join(SHARED, 'mainnet/archive')))('of mainnet are its zero states', async () => {
    const { zeroStates, states } = await findStateFiles([join(SHARED, 'mainnet/archive'), REALNET]);
    expect(states).toHaveLength(1);
    const rootHash = Buffer.from('F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=', 'base64');
    const found = await proveZeroStates(zeroStates, { rootHash }, { workFolder });
    expect(found.map(({ files }) => basename(files.path!).slice(0, 8))).toEqual(['5E994FCF', 'EE0BEDFE']);
    const accounts = [];
    for (const { files, proven } of found) accounts.push((await readAll(files, proven)).length);
    expect(accounts).toEqual([7, 0]);
    await expect(proveZeroStates(zeroStates, { rootHash: NO_HASH }, { workFolder })).rejects.toThrow(
      'The zero state of workchain -1',
    );
  });
});

/** The entries of a pack file by the beginning of their names. */
function* readPack(bytes: Buffer): Generator<[name: string, data: Buffer]> {
  for (let at = 4; at < bytes.length; ) {
    const nameBytes = bytes.readUInt16LE(at + 2);
    const dataAt = at + 8 + nameBytes;
    const name = bytes.toString('latin1', at + 8, dataAt);
    at = dataAt + bytes.readUInt32LE(at + 4);
    yield [name.slice(0, name.indexOf(':')), bytes.subarray(dataAt, at)];
  }
}
