import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BlockId, MASTERCHAIN } from '../../chain/block-id.ts';
import type { CellRef } from '../../chain/boc/cells.ts';
import { PACKAGE_MAGIC, writeEntry } from '../../chain/package-entries.ts';
import type { SignatureSet } from '../../chain/tl/signatures.ts';
import { buildBlockProof } from '../../chain/tlb/block-proof.ts';
import { configParam } from '../../chain/tlb/config.ts';
import { Failure } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { configOfKeyBlock, configOfState, signersOfConfig } from '../../lite/methods/signatures.ts';
import { headerProof, ProvenTree, readHeader, readKeyBlockConfig } from '../lite-server/methods/proofs.ts';
import { type ParsedBlock, parseBlock, parseZeroState } from '../store/parse-block.ts';
import { chainPaths, lockFolder } from './chain-folder.ts';
import { readSignatures } from './open-chain.ts';
import { RecordFile } from './record-file.ts';

const SLICE_SEQNOS = 100;
const SEQNOS_PER_FOLDER = 100_000;
const SEQNOS_PER_KEY_PACK = 200_000;
const SEQNOS_PER_KEY_FOLDER = 1_000_000;
/** All shards are in one file, as in a node whose files are not split by shard. */
const SHARDS = '0_8000000000000000';

interface PackExport {
  readonly masterchainBlocks: number;
  readonly shardBlocks: number;
  readonly slices: number;
}

/**
 * Writes the blocks of a local chain that is not running into pack files, with the names, folders and order of a node's
 * database, and its zero states.
 */
export async function exportPacks(
  folder: string,
  to: string,
  log: Log,
  sliceSeqnos: number = SLICE_SEQNOS,
): Promise<PackExport> {
  const { chain } = chainPaths(folder);
  if (!existsSync(chain)) throw new Failure('not_found', `there is no local chain in ${folder} yet`);
  const unlock = lockFolder(folder);
  const { file, records } = await RecordFile.open(chain, log).catch((error) => {
    unlock();
    throw error;
  });
  const packs = createPackWriter(to, sliceSeqnos);
  const counts = { masterchainBlocks: 0, shardBlocks: 0 };
  try {
    let lastKey: KeyBlock | undefined;
    for (const { head, parts, start, end } of records) {
      const bags = parts.map((place) => file.read(place));
      if (head.kind === 'genesis') lastKey = await writeZeroStates(to, bags);
      if (head.kind !== 'step' || lastKey === undefined) continue;
      const signatures = readSignatures(file.readHead({ start, end }));
      const masterchain = parseBlock(bags.at(-1)!);
      const { seqno } = masterchain.id;
      const { keyBlock } = masterchain.info;
      await packs.begin(seqno, keyBlock);
      const signed = signatures && { set: signatures, weight: weightOf(signatures, lastKey) };
      const proof = proofOf(masterchain, signed);
      await packs.masterchain(writeEntry('block', masterchain.id, bags.at(-1)!));
      await packs.masterchain(writeEntry('proof', masterchain.id, proof));
      for (const bytes of bags.slice(0, -1)) {
        const block = parseBlock(bytes);
        await packs.shards(writeEntry('block', block.id, bytes));
        await packs.shards(writeEntry('prooflink', block.id, proofOf(block)));
      }
      if (keyBlock) {
        await packs.keyProof(seqno, writeEntry('proof', masterchain.id, proof));
        const root = { cells: masterchain.bag, cell: masterchain.bag.root };
        lastKey = { id: masterchain.id, config: { ...root, cell: configOfKeyBlock(root) } };
      }
      counts.masterchainBlocks++;
      counts.shardBlocks += bags.length - 1;
    }
    return { ...counts, slices: packs.slices() };
  } finally {
    await packs.close();
    await file.close();
    unlock();
  }
}

interface KeyBlock {
  readonly id: BlockId;
  readonly config: CellRef;
}

/** Writes the zero states under their file hashes; returns that of the masterchain. */
async function writeZeroStates(to: string, bags: readonly Buffer[]): Promise<KeyBlock | undefined> {
  const states = join(to, 'archive', 'states');
  await mkdir(states, { recursive: true });
  let found: KeyBlock | undefined;
  for (const bytes of bags) {
    const { id, bag } = parseZeroState(bytes);
    const name = `zerostate_${id.workchain}_${id.fileHash.toString('hex').toUpperCase()}`;
    await writeFile(join(states, name), bytes);
    if (id.workchain !== MASTERCHAIN) continue;
    const root = { cells: bag, cell: bag.root };
    found = { id, config: { ...root, cell: configOfState(root) } };
  }
  return found;
}

function weightOf({ catchainSeqno, signatures }: SignatureSet, { id, config }: KeyBlock): bigint {
  const { byNode } = signersOfConfig(config, id, catchainSeqno);
  const weights = signatures.map(({ nodeIdShort }) => byNode.get(nodeIdShort.toString('hex'))?.weight ?? 0n);
  return weights.reduce((sum, weight) => sum + weight, 0n);
}

type Signed = Parameters<typeof buildBlockProof>[0]['signed'];

/** The proof of a block: its header, and of a key block the validators. */
function proofOf({ id, bag, info }: ParsedBlock, signed?: Signed): Buffer {
  const root = { cells: bag, cell: bag.root };
  return buildBlockProof({ id, proof: info.keyBlock ? keyBlockProof(root) : headerProof(root), signed });
}

/** Catchain settings, validators, and temporary ones. */
const SHOWN_PARAMS = [28, 34, 35];

function keyBlockProof(root: CellRef): Buffer {
  const tree = new ProvenTree(root);
  readHeader(tree);
  const config = readKeyBlockConfig(tree);
  for (const number of SHOWN_PARAMS) {
    const param = configParam(tree.cells, config, number);
    if (param >= 0) tree.showAll(param);
  }
  return tree.toBoc();
}

/** Writes the packs of one slice after the other. */
function createPackWriter(to: string, sliceSeqnos: number) {
  const packages = join(to, 'archive', 'packages');
  let slice:
    | { readonly first: number; readonly masterchain: FileHandle; readonly shards: FileHandle }
    | undefined;
  let keyPack: { readonly first: number; readonly file: FileHandle } | undefined;
  let slices = 0;

  async function create(folder: string, name: string): Promise<FileHandle> {
    await mkdir(join(packages, folder), { recursive: true });
    const file = await open(join(packages, folder, name), 'w');
    await file.writeFile(PACKAGE_MAGIC);
    return file;
  }

  async function endSlice(): Promise<void> {
    await slice?.masterchain.close();
    await slice?.shards.close();
    slice = undefined;
  }

  return {
    /** Begins a new slice after so many seqnos and at each key block, as a node does. */
    async begin(seqno: number, isKey: boolean): Promise<void> {
      if (slice !== undefined && !isKey && seqno < slice.first + sliceSeqnos) return;
      await endSlice();
      const first = slices === 0 && !isKey ? seqno - 1 : seqno;
      const folder = `arch${digits(Math.floor(first / SEQNOS_PER_FOLDER), 4)}`;
      const name = `archive.${digits(first, 5)}`;
      slice = {
        first,
        masterchain: await create(folder, `${name}.pack`),
        shards: await create(folder, `${name}.${SHARDS}.pack`),
      };
      slices++;
    },
    masterchain: async (entry: Buffer) => slice!.masterchain.writeFile(entry),
    shards: async (entry: Buffer) => slice!.shards.writeFile(entry),
    async keyProof(seqno: number, entry: Buffer): Promise<void> {
      const first = seqno - (seqno % SEQNOS_PER_KEY_PACK);
      if (keyPack?.first !== first) {
        await keyPack?.file.close();
        const folder = `key${digits(Math.floor(seqno / SEQNOS_PER_KEY_FOLDER), 3)}`;
        keyPack = { first, file: await create(folder, `key.archive.${digits(first, 6)}.pack`) };
      }
      await keyPack.file.writeFile(entry);
    },
    slices: () => slices,
    async close(): Promise<void> {
      await endSlice();
      await keyPack?.file.close();
    },
  };
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
