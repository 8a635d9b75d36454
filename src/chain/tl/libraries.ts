import type { BlockId } from '../block-id.ts';
import { readBlockId, writeBlockId } from './names.ts';
import type { TlReader } from './tl-reader.ts';
import type { LiteFunction, TlType } from './tl-type.ts';
import type { TlWriter } from './tl-writer.ts';

/** `liteServer.libraryEntry`: one public library; `data` is a bag of cells. */
export interface LibraryEntry {
  readonly hash: Buffer;
  readonly data: Buffer;
}

/** `liteServer.libraryResult`: those of the asked libraries that exist. */
export interface LibraryResult {
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
export interface GetLibraries {
  readonly method: 'getLibraries';
  readonly libraryList: readonly Buffer[];
}

/** `liteServer.getLibraries`: public libraries by hash. */
export const getLibraries: LiteFunction<GetLibraries, LibraryResult> = {
  name: 'liteServer.getLibraries',
  id: 0xd122b662,
  answer: libraryResult,
  write: (w, request) => writeHashes(w, request.libraryList),
  read: (r) => ({ method: 'getLibraries', libraryList: readHashes(r) }),
};

/** Request of `getLibrariesWithProof`; servers take 16 hashes at most. */
export interface GetLibrariesWithProof {
  readonly method: 'getLibrariesWithProof';
  readonly id: BlockId;
  readonly mode: number;
  readonly libraryList: readonly Buffer[];
}

/** `liteServer.getLibrariesWithProof`: public libraries at a block, proven. */
export const getLibrariesWithProof: LiteFunction<GetLibrariesWithProof, LibraryResultWithProof> = {
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
