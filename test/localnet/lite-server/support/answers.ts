import { type CellBag, readBoc } from '../../../../src/chain/boc/bag.ts';
import { MERKLE_PROOF } from '../../../../src/chain/boc/cells.ts';
import { openMerkleProof } from '../../../../src/chain/boc/merkle.ts';
import { decodeLiteError, type LiteErrorResponse } from '../../../../src/chain/tl/lite-envelope.ts';
import {
  decodeResponse,
  encodeRequest,
  type LiteRequest,
  type LiteResponseOf,
} from '../../../../src/lite/methods/codec.ts';
import {
  type MethodContext,
  RecentMessages,
} from '../../../../src/localnet/lite-server/methods/method-context.ts';
import { createRequestHandler } from '../../../../src/localnet/lite-server/request-handler.ts';
import type { ChainStore } from '../../../../src/localnet/store/chain-store.ts';
import { createQuietLog } from '../../../support/quiet-log.ts';

/** The clock of a server in tests: the time of the recording. */
export const NOW = 1794705618;

/** A lite server without a network: takes request bytes, returns response bytes. */
export interface TestAnswers {
  bytes(request: Buffer): Promise<Buffer>;
  /** Sends a request; an error fails the test. */
  ask<R extends LiteRequest>(request: R): Promise<LiteResponseOf<R['method']>>;
  /** Sends a request that must be rejected. */
  refusal(request: LiteRequest): Promise<LiteErrorResponse>;
  readonly log: ReturnType<typeof createQuietLog>;
}

/** Creates a lite server of a store. */
export function answersFrom(store: ChainStore, ports: Partial<MethodContext> = {}): TestAnswers {
  const log = createQuietLog();
  const now = () => NOW;
  const version = { version: 0x101, capabilities: 15n };
  const answer = createRequestHandler(
    { store, now, version, recentMessages: new RecentMessages(now), ...ports },
    log,
  );
  const bytes = async (request: Buffer): Promise<Buffer> => answer(request, new AbortController().signal);
  return {
    bytes,
    async ask<R extends LiteRequest>(request: R) {
      const answered = await bytes(encodeRequest(request));
      const error = decodeLiteError(answered);
      if (error !== undefined) throw new Error(`Rejected: ${error.code} ${error.message}`);
      return decodeResponse<R['method']>(request.method, answered);
    },
    async refusal(request) {
      const error = decodeLiteError(await bytes(encodeRequest(request)));
      if (error === undefined) throw new Error(`${request.method} was not rejected`);
      return error;
    },
    log,
  };
}

/**
 * Compares two decoded responses; returns the paths of differences. Merkle proofs may differ in bytes, but ours must be of
 * the same cells and include all cells of the other.
 */
export function differences(got: unknown, want: unknown, path = ''): string[] {
  if (Buffer.isBuffer(got) && Buffer.isBuffer(want))
    return got.equals(want) || isAsGoodAProof(got, want) ? [] : [path];
  if (!isObject(got) || !isObject(want)) return Object.is(got, want) ? [] : [path];
  const keys = new Set([...Object.keys(got), ...Object.keys(want)]);
  return [...keys].flatMap((key) => differences(got[key], want[key], `${path}.${key}`));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value);
}

function isAsGoodAProof(got: Buffer, want: Buffer): boolean {
  const [ours, theirs] = [proofsIn(got), proofsIn(want)];
  if (ours === undefined || theirs === undefined || ours.roots.length !== theirs.roots.length) return false;
  return theirs.roots.every((root, i) => {
    const [our, their] = [openMerkleProof(ours, ours.roots[i]!), openMerkleProof(theirs, root)];
    if (!our.hash.equals(their.hash)) return false;
    const shown = shownCells(ours, our.root);
    return [...shownCells(theirs, their.root)].every((hash) => shown.has(hash));
  });
}

/** The bag if all its roots are Merkle proofs. */
function proofsIn(bytes: Buffer): CellBag | undefined {
  if (bytes.length === 0) return undefined;
  const bag = readBoc(bytes);
  return bag.roots.every((root) => bag.kind(root) === MERKLE_PROOF) ? bag : undefined;
}

/** The representation hashes of the cells that a proof includes. */
function shownCells(bag: CellBag, root: number): Set<string> {
  const shown = new Set<string>();
  const visited = new Set<number>();
  const visit = (cell: number): void => {
    if (visited.has(cell) || bag.isPruned(cell)) return;
    visited.add(cell);
    shown.add(bag.hash(cell, 0).toString('hex'));
    for (let i = 0; i < bag.refCount(cell); i++) visit(bag.ref(cell, i));
  };
  visit(root);
  return shown;
}
