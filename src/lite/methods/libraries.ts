import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import { readBlockId, writeBlockId } from '../../chain/tl/ids.ts';
import type { LiteMethodCodec, TlReader, TlType, TlWriter } from '../../chain/tl/tl.ts';
import { lookUpLibrary } from '../../chain/tlb/libraries.ts';
import { readShardStateTotals } from '../../chain/tlb/shard-state.ts';
import { type Ask, askProvable } from './ask.ts';
import {
  type CellRef,
  type CheckOptions,
  checkStateProofs,
  formatHash,
  hashOf,
  readWholeBag,
  refuse,
  runProofCheck,
} from './proofs.ts';

/** `liteServer.libraryEntry`: one public library; `data` is a bag of cells. */
export interface LibraryEntry {
  readonly hash: Buffer;
  readonly data: Buffer;
}

/** `liteServer.libraryResult`: those of the asked libraries that exist. */
interface LibraryResult {
  readonly result: readonly LibraryEntry[];
}

/** `liteServer.libraryResultWithProof`: the same with proofs that the others do not exist. */
export interface LibraryResultWithProof {
  readonly id: BlockId;
  readonly mode: number;
  readonly result: readonly LibraryEntry[];
  readonly stateProof: Buffer;
  readonly dataProof: Buffer;
}

function writeEntries(writer: TlWriter, entries: readonly LibraryEntry[]): void {
  writer.vector(entries, (w, entry) => {
    w.int256(entry.hash);
    w.bytes(entry.data);
  });
}

/** An entry without data has 4 bytes beside its hash. */
function readEntries(reader: TlReader): LibraryEntry[] {
  return reader.vector(36, (r) => ({ hash: r.int256(), data: r.bytes() }));
}

function writeHashes(writer: TlWriter, hashes: readonly Buffer[]): void {
  writer.vector(hashes, (w, hash) => w.int256(hash));
}

function readHashes(reader: TlReader): Buffer[] {
  return reader.vector(32, (r) => r.int256());
}

const libraryResult: TlType<LibraryResult> = {
  name: 'liteServer.libraryResult',
  id: 0x117ab96b,
  write: (w, answer) => writeEntries(w, answer.result),
  read: (r) => ({ result: readEntries(r) }),
};

const libraryResultWithProof: TlType<LibraryResultWithProof> = {
  name: 'liteServer.libraryResultWithProof',
  id: 0x10a927bf,
  write(w, answer) {
    writeBlockId(w, answer.id);
    w.uint(answer.mode);
    writeEntries(w, answer.result);
    w.bytes(answer.stateProof);
    w.bytes(answer.dataProof);
  },
  read: (r) => ({
    id: readBlockId(r),
    mode: r.uint(),
    result: readEntries(r),
    stateProof: r.bytes(),
    dataProof: r.bytes(),
  }),
};

/** Request of `getLibraries`; servers take 16 hashes at most. */
interface GetLibraries {
  readonly method: 'getLibraries';
  readonly libraryList: readonly Buffer[];
}

/** `liteServer.getLibraries`: public libraries by hash. */
export const getLibrariesCodec: LiteMethodCodec<GetLibraries, LibraryResult> = {
  name: 'liteServer.getLibraries',
  id: 0xd122b662,
  answer: libraryResult,
  write: (w, request) => writeHashes(w, request.libraryList),
  read: (r) => ({ method: 'getLibraries', libraryList: readHashes(r) }),
};

/** Request of `getLibrariesWithProof`; servers take 16 hashes at most. */
interface GetLibrariesWithProof {
  readonly method: 'getLibrariesWithProof';
  readonly id: BlockId;
  readonly mode: number;
  readonly libraryList: readonly Buffer[];
}

/** `liteServer.getLibrariesWithProof`: public libraries at a block, proven. */
export const getLibrariesWithProofCodec: LiteMethodCodec<GetLibrariesWithProof, LibraryResultWithProof> = {
  name: 'liteServer.getLibrariesWithProof',
  id: 0xd97693bd,
  answer: libraryResultWithProof,
  write(w, request) {
    writeBlockId(w, request.id);
    w.uint(request.mode);
    writeHashes(w, request.libraryList);
  },
  read: (r) => ({
    method: 'getLibrariesWithProof',
    id: readBlockId(r),
    mode: r.uint(),
    libraryList: readHashes(r),
  }),
};

/** Public libraries at the server's head by their hashes; one that is missing may still exist. */
export async function getLibraries(
  ask: Ask,
  hashes: readonly Buffer[],
  options: CheckOptions,
): Promise<FoundLibrary[]> {
  return inBatches(hashes, async (group) => {
    const request = { method: 'getLibraries', libraryList: group } as const;
    const answer = await askProvable(ask, getLibrariesCodec, request, 'VALIDATE_BLOCK_PROOF');
    return checkLibraries(answer, group, options);
  });
}

/** Those of the given public libraries that exist at a masterchain block, in ascending order of their hashes. */
export async function getLibrariesWithProof(
  ask: Ask,
  block: BlockId,
  hashes: readonly Buffer[],
  options: CheckOptions,
): Promise<FoundLibrary[]> {
  return inBatches(hashes, async (group) => {
    const request = { method: 'getLibrariesWithProof', id: block, mode: 0, libraryList: group } as const;
    const answer = await askProvable(ask, getLibrariesWithProofCodec, request, 'VALIDATE_BLOCK_PROOF');
    return checkLibrariesWithProof(answer, { block, hashes: group }, options);
  });
}

/** Servers look at no more than the first 16 hashes of a request. */
const MAX_HASHES_PER_QUERY = 16;

/** Asks for libraries in groups that servers take; each hash once, all in ascending order. */
async function inBatches(
  hashes: readonly Buffer[],
  askForGroup: (group: readonly Buffer[]) => Promise<FoundLibrary[]>,
): Promise<FoundLibrary[]> {
  const sorted = hashes.toSorted(Buffer.compare).filter((hash, i, all) => !all[i - 1]?.equals(hash));
  const found: FoundLibrary[] = [];
  for (let at = 0; at < sorted.length; at += MAX_HASHES_PER_QUERY)
    found.push(...(await askForGroup(sorted.slice(at, at + MAX_HASHES_PER_QUERY))));
  return found;
}

/** A public library; `data` is the bag as the server sent it. */
export interface FoundLibrary extends CellRef {
  readonly hash: Buffer;
  readonly data: Buffer;
}

/** Nodes take no deeper library. */
const MAX_LIBRARY_DEPTH = 512;

/** Checks the answer of getLibraries: each library has the hash it was asked by. One that is missing may still exist. */
export function checkLibraries(
  answer: LibraryResult,
  hashes: readonly Buffer[],
  options: CheckOptions,
): FoundLibrary[] {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => readLibraries(answer.result, hashes, options));
}

/** Checks the answer of getLibrariesWithProof: those libraries of the ones asked for that exist at a block. */
export function checkLibrariesWithProof(
  answer: LibraryResultWithProof,
  { block, hashes }: { readonly block: BlockId; readonly hashes: readonly Buffer[] },
  options: CheckOptions,
): FoundLibrary[] {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
    const { cells, state } = checkStateProofs(answer.stateProof, answer.dataProof, block, options);
    const found = readLibraries(answer.result, hashes, options);
    const root = readShardStateTotals(cells, state.totals).libraries;
    for (const hash of hashes) {
      const exists = lookUpLibrary(cells, root, hash) >= 0;
      const received = found.some((library) => library.hash.equals(hash));
      if (received && !exists) refuse("library is included in response but it's not found in proof");
      if (exists && !received) refuse('library is found in proof but not in response');
    }
    return found;
  });
}

/** Libraries in ascending order of their hashes, each once. */
function readLibraries(
  entries: readonly LibraryEntry[],
  hashes: readonly Buffer[],
  { verify }: CheckOptions,
): FoundLibrary[] {
  const found = entries.map(({ hash, data }) => {
    if (!hashes.some((asked) => asked.equals(hash)))
      refuse('library is included in response but not requested');
    const bag = readWholeBag(data);
    const library = { hash, data, cells: bag, cell: bag.root };
    if (verify && !hashOf(library).equals(hash))
      refuse(`library hash mismatch data ${formatHash(hashOf(library))} != requested ${formatHash(hash)}`);
    if (bag.depth(bag.root) > MAX_LIBRARY_DEPTH) refuse('library depth is too big');
    return library;
  });
  found.sort((a, b) => a.hash.compare(b.hash));
  if (found.some(({ hash }, i) => i > 0 && hash.equals(found[i - 1]!.hash))) refuse('a library comes twice');
  return found;
}
